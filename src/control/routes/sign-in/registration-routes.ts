import { addressKey } from '../../../access/address-key.ts'
import type { Account } from '../../../access/account.ts'
import type { SignInLink } from '../../../access/sign-in-link.ts'
import { hashPassword } from '../../../access/password.ts'
import { type InvitationLook, linkBodySchema, type SignUpBody, signUpBodySchema } from '../../../contract/sign-in.ts'
import { newId } from '../../../core/ids.ts'
import { beginSession, tell } from '../../sign-in/session/begin-session.ts'
import { type Call, type Route, route } from '../../sign-in/call.ts'
import { guarded, throttled } from '../../sign-in/credentials/credentials.ts'
import { mailLink, makeLink } from '../../sign-in/links/make-link.ts'
import { openLink } from '../../sign-in/links/open-link.ts'
import { linkInvalid, SignInRefusal } from '../../sign-in/refusal.ts'

/** Opening an account oneself: with an invitation, or where registration is open. */
export const REGISTRATION_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/invitation/look',
    access: 'anyone',
    body: linkBodySchema,
    async answer(call) {
      const link = await guarded(call, { email: null }, () => openInvitation(call, call.body.token))
      const expiresAt = new Date(link.expiresAt).toISOString()
      const body: InvitationLook = { email: link.email, role: link.role, expires_at: expiresAt }
      return { status: 200, body }
    },
  }),
  route({
    method: 'POST',
    path: '/sign-up',
    access: 'anyone',
    body: signUpBodySchema,
    async answer(call) {
      const count = call.parts.throttles.signUpByAddress.take(addressKey(call.from.address))
      if (count !== 'taken') throw throttled(count.retryAfterSeconds, 'Many accounts were opened from this address')
      const invitation = await invitationOf(call)
      const account = await openAccount(call, invitation)
      tell(call, {
        kind: 'account_created',
        accountId: account.id,
        detail: invitation === null ? 'open' : 'invitation',
      })
      return beginSession(call, { accountId: account.id, beganBy: 'sign_up' })
    },
  }),
]

/** null: registration is open, and none was brought. */
async function invitationOf(call: Call<SignUpBody>): Promise<SignInLink | null> {
  const { email, invitation } = call.body
  const registration = await call.parts.registration()
  if (registration === 'closed') {
    throw new SignInRefusal('registration_closed', 'Nobody can open an account here: ask an admin of this gateway.')
  }
  if (invitation === undefined) {
    if (registration === 'open') return null
    throw new SignInRefusal('invitation_needed', 'Accounts are opened by invitation: ask an admin for a link.')
  }
  const link = await guarded(call, { email: null }, () => openInvitation(call, invitation))
  if (link.email === null || link.email.toLowerCase() === email.toLowerCase()) return link
  throw new SignInRefusal(
    'link_invalid',
    'This invitation is for another address: use that one, or ask for a new link.',
    {
      field: 'email',
    },
  )
}

async function openInvitation({ parts }: Call, token: string): Promise<SignInLink> {
  const link = await openLink(parts, 'invitation', token)
  if (link === null || (await parts.registration()) === 'closed') throw linkInvalid()
  return link
}

/**
 * Says that an address is taken: whoever registers would learn it anyway from the account that did not come to be, and a
 * person who forgot having one has to be told. The throttle keeps it from being asked for long lists.
 */
async function openAccount(call: Call<SignUpBody>, invitation: SignInLink | null): Promise<Account> {
  const { parts, body } = call
  const taken = new SignInRefusal('email_taken', 'An account has this address: sign in, or choose another one.', {
    field: 'email',
  })
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
  if (invitation !== null && body.invitation !== undefined) {
    const used = { purpose: 'invitation', nowMs, usedBy: account.id } as const
    if ((await parts.links.take(parts.hashes.link(body.invitation), used)) === null) throw linkInvalid()
  }
  const isEmailVerified = invitation?.email != null
  const profile = { name: body.name ?? '', language: body.language ?? null, isEmailVerified }
  if (!(await parts.accounts.create(account, hash, profile))) throw taken
  if (!isEmailVerified && parts.mail !== null) await sendVerification(call, account)
  return account
}

async function sendVerification({ parts, from, body }: Call<SignUpBody>, account: Account): Promise<void> {
  const made = await makeLink(parts, {
    purpose: 'verify',
    accountId: account.id,
    email: account.email,
    createdBy: null,
    origin: from.origin,
  })
  const mailing = mailLink(parts, made, { email: account.email, language: body.language ?? null })
  mailing.catch((error: unknown) => parts.onError('a verification link', error))
}
