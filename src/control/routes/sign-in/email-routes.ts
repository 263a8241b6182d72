import { emailAnswerSchema, emailBodySchema, linkBodySchema, mailAnswerSchema } from '../../../contract/sign-in.ts'
import { Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { countMail, howMailed, mailOwnLink } from '../../sign-in/links/make-link.ts'
import { takeLink, usableLink } from '../../sign-in/links/open-link.ts'
import type { SignInParts } from '../../sign-in/parts.ts'
import { emailTaken, linkInvalid } from '../../sign-in/problems.ts'
import { changing } from '../../sign-in/changing.ts'
import type { OwnRequest } from '../../sign-in/sign-in-request.ts'
import { FRESH_SESSION, OWN_SESSION, ownRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const verify = route('post /api/auth/email/verify', {
  summary: 'Verify an email address by a link',
  description: 'A link to a new address also changes the address of the account to it.',
  who: 'anyone',
  body: linkBodySchema,
  answer: emailAnswerSchema,
  problems: ['link_invalid', 'email_taken', 'credential_throttled'],
  async handle(call, controlParts) {
    const request = await signInRequest(call, controlParts)
    const { parts } = request
    const { token } = call.body
    const link = await guarded(request, { email: null }, () => usableLink(parts, 'verify', token))
    const account = link.accountId === null ? null : await parts.accounts.findById(link.accountId)
    if (account === null || link.email === null) throw linkInvalid()
    const isChange = link.email.toLowerCase() !== account.email.toLowerCase()
    if (isChange) await refuseTaken(parts, link.email)
    const { email } = link
    await changing(request, async (inside, record) => {
      await takeLink(inside, 'verify', token)
      if (isChange) {
        await inside.accounts.updateCredentials(account.id, { email })
        await inside.links.withdrawAllOf(account.id, 'reset')
        await record({ kind: 'email_changed', accountId: account.id })
      }
      await inside.accounts.updateProfile(account.id, { isEmailVerified: true })
      await record({ kind: 'email_verified', accountId: account.id })
    })
    return { email }
  },
})

const send = route('post /api/auth/email/send', {
  summary: 'Send a verification link to your own address',
  who: 'account',
  limits: OWN_SESSION,
  answer: mailAnswerSchema,
  status: 202,
  problems: ['too_many_requests'],
  async handle(call, parts) {
    const request = ownRequest(call, parts)
    countMail(request)
    await sendVerifyLink(request, request.signedIn.account.email)
    return howMailed(request.parts)
  },
})

const change = route('post /api/auth/email/change', {
  summary: 'Change your email address',
  description:
    'A link goes to the new address; the old one stays until the link is opened. Without a mail server the address changes at once and counts as not verified.',
  who: 'account',
  limits: FRESH_SESSION,
  body: emailBodySchema,
  answer: mailAnswerSchema,
  status: 202,
  problems: ['managed', 'email_taken', 'too_many_requests'],
  example: { body: { email: 'ada@example.com' } },
  async handle(call, controlParts) {
    const request = ownRequest(call, controlParts)
    const { parts, signedIn } = request
    const { account } = signedIn
    const { email } = call.body
    if (account.isManaged) throw addressManaged()
    countMail(request)
    await refuseTaken(parts, email)
    if (parts.mail !== null) {
      await sendVerifyLink(request, email)
      return howMailed(parts)
    }
    // An address cannot be proved without mail: it is taken as it is, and counts as not verified.
    await changing(request, async (inside, record) => {
      await inside.accounts.updateCredentials(account.id, { email })
      await inside.accounts.updateProfile(account.id, { isEmailVerified: false })
      await record({ kind: 'email_changed', accountId: account.id })
    })
    return howMailed(parts)
  },
})

/** The address of an account, which its links are mailed to. */
export const emailRoutes: readonly ApiRoute[] = [verify, send, change]

/** The address of an account from the declarative file. */
export function addressManaged(): Problem {
  return new Problem('managed', 'The address of this account is set in the declarative file: change it there.', {
    field: 'email',
  })
}

async function sendVerifyLink(request: OwnRequest, email: string): Promise<void> {
  const { parts, signedIn } = request
  const { account } = signedIn
  if (parts.mail === null) return
  parts.throttles.mailByAccount.spend(account.id, 'Too many emails were sent to this account')
  await mailOwnLink(request, 'verify', { id: account.id, email })
}

async function refuseTaken({ accounts }: SignInParts, email: string): Promise<void> {
  if ((await accounts.findByEmail(email)) !== null) throw emailTaken('choose another one')
}
