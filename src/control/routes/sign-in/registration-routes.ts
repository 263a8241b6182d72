import { addressKey } from '../../../access/address-key.ts'
import type { Account } from '../../../access/account.ts'
import { hashPassword } from '../../../access/password.ts'
import type { SignInLink } from '../../../access/sign-in-link.ts'
import {
  invitationPreviewSchema,
  linkBodySchema,
  signInAnswerSchema,
  type SignUpBody,
  signUpBodySchema,
} from '../../../contract/sign-in.ts'
import { newId } from '../../../core/ids.ts'
import { Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { timeOnWire } from '../../api/wire-forms.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { mailLink, makeLink } from '../../sign-in/links/make-link.ts'
import { openLink } from '../../sign-in/links/open-link.ts'
import type { SignInParts } from '../../sign-in/parts.ts'
import { emailTaken, linkInvalid } from '../../sign-in/problems.ts'
import { beginSession } from '../../sign-in/session/begin-session.ts'
import { changing } from '../../sign-in/session/changing.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { beginningRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const previewInvitation = route('post /api/auth/invitation/preview', {
  summary: 'Read what an invitation grants, without using it',
  who: 'anyone',
  body: linkBodySchema,
  answer: invitationPreviewSchema,
  problems: ['link_invalid', 'credential_throttled'],
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const link = await guarded(request, { email: null }, () => openInvitation(request.parts, call.body.token))
    return { email: link.email, role: link.role, expires_at: timeOnWire(link.expiresAt) }
  },
})

const signUp = route('post /api/auth/sign-up', {
  summary: 'Open an account, and sign in to it',
  who: 'anyone',
  body: signUpBodySchema,
  answer: signInAnswerSchema,
  problems: [
    'registration_closed',
    'invitation_needed',
    'link_invalid',
    'email_taken',
    'too_many_requests',
    'sign_in_address',
  ],
  example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
  async handle(call, parts) {
    const request = await beginningRequest(call, parts)
    const { signUpByAddress } = request.parts.throttles
    signUpByAddress.spend(addressKey(call.address), 'Too many accounts were opened from this address')
    const invitation = await invitationOf(request, call.body)
    const account = await openAccount(request, { body: call.body, invitation })
    return beginSession(request, { accountId: account.id, beganBy: 'sign_up' })
  },
})

/** Opening an account oneself: with an invitation, or where registration is open. */
export const registrationRoutes: readonly ApiRoute[] = [previewInvitation, signUp]

/** null: registration is open, and the request has none. */
async function invitationOf(request: SignInRequest, { email, invitation }: SignUpBody): Promise<SignInLink | null> {
  const registration = await request.parts.registration()
  if (registration === 'closed') {
    throw new Problem('registration_closed', 'Registration is closed: ask an admin of this server for an account.')
  }
  if (invitation === undefined) {
    if (registration === 'open') return null
    throw new Problem('invitation_needed', 'Registration requires an invitation: ask an admin for a link.')
  }
  const link = await guarded(request, { email: null }, () => openInvitation(request.parts, invitation))
  if (link.email === null || link.email.toLowerCase() === email.toLowerCase()) return link
  throw new Problem('link_invalid', 'This invitation is for another address: use that one, or ask for a new link.', {
    field: 'email',
  })
}

async function openInvitation(parts: SignInParts, token: string): Promise<SignInLink> {
  const link = await openLink(parts, 'invitation', token)
  if (link === null || (await parts.registration()) === 'closed') throw linkInvalid()
  return link
}

/**
 * Says that an address is taken: anyone who registers would learn it anyway from the account that was not opened, and a
 * person who forgot having one has to know. The throttle keeps long lists of addresses from being tried.
 */
async function openAccount(
  request: SignInRequest,
  { body, invitation }: { readonly body: SignUpBody; readonly invitation: SignInLink | null },
): Promise<Account> {
  const { parts } = request
  const taken = emailTaken('sign in, or choose another one')
  if ((await parts.accounts.findByEmail(body.email)) !== null) throw taken
  const nowMs = parts.clock.now()
  const account: Account = {
    id: newId('acc', nowMs),
    email: body.email,
    role: invitation?.role ?? 'user',
    status: 'active',
    createdAt: nowMs,
    isManaged: false,
  }
  const hash = await hashPassword(body.password)
  const isEmailVerified = invitation?.email != null
  const profile = { name: body.name ?? '', language: body.language ?? null, isEmailVerified }
  await changing(request, async (inside, record) => {
    if (invitation !== null && body.invitation !== undefined) {
      const used = { purpose: 'invitation', nowMs, usedBy: account.id } as const
      if ((await inside.links.take(parts.hashes.link(body.invitation), used)) === null) throw linkInvalid()
    }
    if (!(await inside.accounts.create(account, hash, profile))) throw taken
    const detail = invitation === null ? 'open' : 'invitation'
    await record({ kind: 'account_created', accountId: account.id, detail })
  })
  if (!isEmailVerified && parts.mail !== null) await sendVerification(request, account, profile.language)
  return account
}

async function sendVerification(
  { parts, origin }: SignInRequest,
  { id, email }: Account,
  language: 'en' | 'zh-CN' | null,
): Promise<void> {
  const made = await makeLink(parts, { purpose: 'verify', accountId: id, email, createdBy: null, origin })
  const mailing = mailLink(parts, made, { email, language })
  mailing.catch((error: unknown) => parts.onError('a verification link', error))
}
