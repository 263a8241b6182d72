import type { Account } from '../../../access/account.ts'
import { hashPassword } from '../../../access/password.ts'
import { linkBodySchema, setUpBodySchema, type SetUpLook } from '../../../contract/sign-in.ts'
import { newId } from '../../../core/ids.ts'
import { beginSession, tell } from '../../sign-in/session/begin-session.ts'
import { type Call, type Route, route } from '../../sign-in/call.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import type { SignInParts } from '../../sign-in/parts.ts'
import { linkInvalid, SignInRefusal } from '../../sign-in/refusal.ts'

/** The one-time link that the first start prints: whoever has it becomes the first admin. */
export const SET_UP_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/set-up/look',
    access: 'anyone',
    body: linkBodySchema,
    async answer(call) {
      const admin = await guarded(call, { email: null }, () => adminOfLink(call.parts, call.body.token))
      const body: SetUpLook = { email: admin.email, must_choose: !call.parts.wantsDemo }
      return { status: 200, body }
    },
  }),
  route({
    method: 'POST',
    path: '/set-up',
    access: 'anyone',
    body: setUpBodySchema,
    async answer(call) {
      const { token, email, password, name } = call.body
      const admin = await guarded(call, { email: null }, () => adminOfLink(call.parts, token))
      requireChoice(call, admin)
      await refuseTaken(call, { email, admin })
      const hash = password === undefined ? null : await hashPassword(password)
      await useUp(call, { token, admin })
      if (email !== undefined || hash !== null) {
        const passwordHash = hash === null ? {} : { passwordHash: hash }
        await call.parts.accounts.updateCredentials(admin.id, {
          ...(email === undefined ? {} : { email }),
          ...passwordHash,
        })
      }
      if (name !== undefined) await call.parts.accounts.updateProfile(admin.id, { name })
      tell(call, { kind: 'set_up_used', accountId: admin.id })
      return beginSession(call, { accountId: admin.id, beganBy: 'set_up' })
    },
  }),
]

/** Settings in which the first start leaves the hash of its link, and whom it is for. */
const LINK = 'set_up_link'
const ADMIN = 'set_up_account'
const ACCOUNTS_LOOKED_AT = 1000
const FOR_EVER_MS = 100 * 365 * 24 * 3_600_000

/** The link works until it was used, and only while its admin has no password: after that it would be a way around it. */
async function adminOfLink(parts: SignInParts, token: string): Promise<Account> {
  const hash = parts.hashes.setUp(token)
  // Comparing hashes under a key that nobody outside knows gives nothing away by its time.
  if ((await parts.settings.read(LINK)) !== hash || (await parts.links.isKnown(hash))) throw linkInvalid()
  const admin = await firstAdmin(parts)
  if (admin === null || (await parts.accounts.passwordHash(admin.id)) !== null) throw linkInvalid()
  return admin
}

async function firstAdmin({ settings, accounts }: SignInParts): Promise<Account | null> {
  const id = await settings.read(ADMIN)
  const isAdmin = ({ role, status }: Account) => role === 'admin' && status === 'active'
  const named = id === null ? null : await accounts.findById(id)
  if (named !== null && isAdmin(named)) return named
  // Links of earlier versions did not say.
  return (await accounts.list(ACCOUNTS_LOOKED_AT)).find(isAdmin) ?? null
}

function requireChoice(
  { parts, body }: Call<{ email?: string | undefined; password?: string | undefined }>,
  admin: Account,
) {
  if (parts.wantsDemo || admin.isManaged) return
  const missing = body.email === undefined ? 'email' : body.password === undefined ? 'password' : null
  if (missing === null) return
  throw new SignInRefusal('request_invalid', `Choose an email address and a password: "${missing}" is missing.`, {
    field: missing,
  })
}

async function refuseTaken(call: Call, { email, admin }: { email: string | undefined; admin: Account }): Promise<void> {
  if (email === undefined || email.toLowerCase() === admin.email.toLowerCase()) return
  if (admin.isManaged) {
    throw new SignInRefusal('managed_by_file', 'The address of this account stands in the declarative file.', {
      field: 'email',
    })
  }
  if ((await call.parts.accounts.findByEmail(email)) === null) return
  throw new SignInRefusal('email_taken', 'Another account has this address: choose another one.', { field: 'email' })
}

/** Of several uses at once, the one that leaves its mark first goes on. */
async function useUp({ parts }: Call, { token, admin }: { token: string; admin: Account }): Promise<void> {
  const hash = parts.hashes.setUp(token)
  const nowMs = parts.clock.now()
  const isFirst = await parts.links.create(
    {
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
    },
    hash,
  )
  if (!isFirst) throw linkInvalid()
}
