import { addressKey } from '../../../access/address-key.ts'
import type { Account } from '../../../access/account.ts'
import { hashPassword } from '../../../access/password.ts'
import { NO_GIFT, type SignInLink } from '../../../access/sign-in-link.ts'
import {
  invitationPreviewSchema,
  linkBodySchema,
  type SetUpBody,
  setUpBodySchema,
  setUpPreviewSchema,
  signInAnswerSchema,
  type SignUpBody,
  signUpBodySchema,
} from '../../../contract/sign-in.ts'
import { newId } from '../../../core/ids.ts'
import { formatUsd } from '../../../core/money.ts'
import { fieldProblem, Problem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { timeOnWire } from '../../api/wire-forms.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { giftPlan, giveInvited, takeInvitation } from '../../sign-in/links/accept-invitation.ts'
import { mailLink, makeLink } from '../../sign-in/links/make-link.ts'
import { openLink } from '../../sign-in/links/open-link.ts'
import type { SignInParts } from '../../sign-in/parts.ts'
import { emailTaken, linkInvalid } from '../../sign-in/problems.ts'
import { beginSession } from '../../sign-in/session/sessions.ts'
import { changing } from '../../sign-in/changing.ts'
import type { SignInRequest } from '../../sign-in/sign-in-request.ts'
import { beginningRequest, signInRequest } from './sign-in-call.ts'
import { addressManaged } from './email-routes.ts'

const route = routesOf('Sign-in')

/** Settings in which the first start leaves the hash of its link, and the account it is for. */
const LINK = 'set_up_link'
const ADMIN = 'set_up_account'
const ACCOUNTS_READ = 1000
const FOR_EVER_MS = 100 * 365 * 24 * 3_600_000

const previewInvitation = route('post /api/auth/invitation/preview', {
  summary: 'Read what an invitation grants, without using it',
  who: 'anyone',
  body: linkBodySchema,
  answer: invitationPreviewSchema,
  problems: ['link_invalid', 'credential_throttled'],
  async handle(call, parts) {
    const request = await signInRequest(call, parts)
    const link = await guarded(request, { email: null }, () => openInvitation(request.parts, call.body.token))
    const plan = await giftPlan(request.parts, link)
    return {
      email: link.email,
      role: link.role,
      expires_at: timeOnWire(link.expiresAt),
      credit: link.credit === null ? null : formatUsd(link.credit),
      plan: plan === null ? null : { name: plan.name, days: plan.days },
    }
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

const previewSetUp = route('post /api/auth/set-up/preview', {
  summary: 'Read what the setup link asks for, without using it',
  who: 'anyone',
  body: linkBodySchema,
  answer: setUpPreviewSchema,
  problems: ['link_invalid', 'credential_throttled'],
  async handle(call, controlParts) {
    const request = await signInRequest(call, controlParts)
    const { parts } = request
    const admin = await guarded(request, { email: null }, () => adminOfSetUpLink(parts, call.body.token))
    return { email: admin.email, must_choose: !parts.wantsDemo }
  },
})

const setUp = route('post /api/auth/set-up', {
  summary: 'Become the first admin by the link that the first start printed',
  who: 'anyone',
  body: setUpBodySchema,
  answer: signInAnswerSchema,
  problems: ['link_invalid', 'email_taken', 'managed', 'credential_throttled', 'sign_in_address'],
  async handle(call, controlParts) {
    const request = await beginningRequest(call, controlParts)
    const { parts } = request
    const { token, email, password, name } = call.body
    const admin = await guarded(request, { email: null }, () => adminOfSetUpLink(parts, token))
    requireChoice(call.body, admin, parts)
    await refuseTaken(parts, { email, admin })
    const passwordHash = password === undefined ? null : await hashPassword(password)
    await changing(request, async (inside, record) => {
      await useSetUpLink(inside, { token, admin })
      if (email !== undefined || passwordHash !== null) {
        await inside.accounts.updateCredentials(admin.id, {
          ...(email === undefined ? {} : { email }),
          ...(passwordHash === null ? {} : { passwordHash }),
        })
      }
      if (name !== undefined) await inside.accounts.updateProfile(admin.id, { name })
      await record({ kind: 'set_up_used', accountId: admin.id })
    })
    return beginSession(request, { accountId: admin.id, beganBy: 'set_up' })
  },
})

export const registrationRoutes: readonly ApiRoute[] = [previewInvitation, signUp, previewSetUp, setUp]

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
    if (body.invitation === undefined || invitation === null) {
      if (!(await inside.accounts.create(account, hash, profile))) throw taken
      return record({ kind: 'account_created', accountId: account.id, detail: 'open' })
    }
    const used = await takeInvitation(inside, body.invitation, account)
    if (used === null) throw linkInvalid()
    if (!(await inside.accounts.create({ ...account, ...used.opens }, hash, profile))) throw taken
    const changes = await giveInvited(inside, used, account)
    return record({ kind: 'account_created', accountId: account.id, detail: 'invitation', changes })
  })
  if (!isEmailVerified && parts.mail !== null) await sendVerification(request, account, profile.language)
  return account
}

async function sendVerification(
  { parts, origin }: SignInRequest,
  { id, email }: Account,
  language: 'en' | 'zh-CN' | null,
): Promise<void> {
  const made = await makeLink(parts, { purpose: 'verify', accountId: id, email, byAccountId: null, origin })
  const mailing = mailLink(parts, made, { email, language })
  mailing.catch((error: unknown) => parts.onError('a verification link', error))
}

function requireChoice({ email, password }: SetUpBody, admin: Account, { wantsDemo }: SignInParts): void {
  if (wantsDemo || admin.isManaged) return
  const missing = email === undefined ? 'email' : password === undefined ? 'password' : null
  if (missing === null) return
  throw fieldProblem(missing, `Choose an email address and a password: "${missing}" is missing.`)
}

async function refuseTaken(
  { accounts }: SignInParts,
  { email, admin }: { readonly email: string | undefined; readonly admin: Account },
): Promise<void> {
  if (email === undefined || email.toLowerCase() === admin.email.toLowerCase()) return
  if (admin.isManaged) throw addressManaged()
  if ((await accounts.findByEmail(email)) !== null) throw emailTaken('choose another one')
}

/**
 * The admin whom the link of the first start is for. It works until it was used, and only while its admin has no password:
 * after that it would be a way around it. Throws Problem.
 */
async function adminOfSetUpLink(parts: SignInParts, token: string): Promise<Account> {
  const hash = parts.hashes.setUp(token)
  // Comparing hashes under a key that is unknown outside gives nothing away by its time.
  if ((await parts.settings.read(LINK)) !== hash || (await parts.links.isKnown(hash))) throw linkInvalid()
  const admin = await firstAdmin(parts)
  if (admin === null || (await parts.accounts.passwordHash(admin.id)) !== null) throw linkInvalid()
  return admin
}

/** Uses the link up. Of several uses at once, the one that leaves its mark first goes on. Throws Problem. */
async function useSetUpLink(
  parts: SignInParts,
  { token, admin }: { readonly token: string; readonly admin: Account },
): Promise<void> {
  const nowMs = parts.clock.now()
  const used = {
    id: newId('lnk', nowMs),
    purpose: 'set_up',
    accountId: admin.id,
    email: null,
    role: 'admin',
    createdBy: null,
    createdAt: nowMs,
    expiresAt: nowMs + FOR_EVER_MS,
    usedAt: nowMs,
    usedBy: admin.id,
    ...NO_GIFT,
  } as const
  if (!(await parts.links.create(used, parts.hashes.setUp(token)))) throw linkInvalid()
}

async function firstAdmin({ settings, accounts }: SignInParts): Promise<Account | null> {
  const id = await settings.read(ADMIN)
  const isAdmin = ({ role, status }: Account) => role === 'admin' && status === 'active'
  const named = id === null ? null : await accounts.findById(id)
  if (named !== null && isAdmin(named)) return named
  // Links of earlier versions did not name it.
  return (await accounts.list(ACCOUNTS_READ)).find(isAdmin) ?? null
}
