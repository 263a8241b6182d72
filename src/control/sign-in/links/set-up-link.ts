import type { Account } from '../../../access/account.ts'
import { newId } from '../../../core/ids.ts'
import type { SignInParts } from '../parts.ts'
import { linkInvalid } from '../problems.ts'

/** Settings in which the first start leaves the hash of its link, and the account it is for. */
const LINK = 'set_up_link'
const ADMIN = 'set_up_account'
const ACCOUNTS_READ = 1000
const FOR_EVER_MS = 100 * 365 * 24 * 3_600_000

/**
 * The admin whom the link of the first start is for. It works until it was used, and only while its admin has no password:
 * after that it would be a way around it. Throws Problem.
 */
export async function adminOfSetUpLink(parts: SignInParts, token: string): Promise<Account> {
  const hash = parts.hashes.setUp(token)
  // Comparing hashes under a key that is unknown outside gives nothing away by its time.
  if ((await parts.settings.read(LINK)) !== hash || (await parts.links.isKnown(hash))) throw linkInvalid()
  const admin = await firstAdmin(parts)
  if (admin === null || (await parts.accounts.passwordHash(admin.id)) !== null) throw linkInvalid()
  return admin
}

/** Uses the link up. Of several uses at once, the one that leaves its mark first goes on. Throws Problem. */
export async function useSetUpLink(
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
