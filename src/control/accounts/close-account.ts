import { equal } from '../../access/sign-in-records.ts'
import { type Account, closedAddress, isClosed } from '../../access/account.ts'
import type { ChangeableStores } from '../changeable-stores.ts'

const KEYS_LIMIT = 100_000
/** Records that name their owner in the same field. */
const SIGN_IN_KINDS = ['session', 'identity', 'secondFactor', 'passkey'] as const

/** What came of closing an account. `seq`: the change that nodes are to be reached with. */
export type CloseAnswer =
  | ({ readonly kind: 'closed'; readonly seq: number } & Readonly<
      Record<'keys' | 'subscriptions' | 'accessTokens', number>
    >)
  | { readonly kind: 'unknown' | 'managed' | 'last_admin' | 'closed_before' }

/**
 * Ends everything that an account can be used by, and takes away what says whose it was, in the audit and in links as well.
 * Its balance, ledger and records stay, under its id: the books go on being provable. `password`: the hash of one that no one
 * knows. Within a transaction.
 */
export async function closeAccount(
  stores: ChangeableStores,
  { id, password, nowMs }: { readonly id: string; readonly password: string; readonly nowMs: number },
): Promise<CloseAnswer> {
  const account = await stores.accounts.findById(id)
  if (account === null) return { kind: 'unknown' }
  if (account.isManaged) return { kind: 'managed' }
  if (isClosed(account)) return { kind: 'closed_before' }
  const answer = await stores.accounts.edit(id, (before) => ({ ...before, ...nameless(id) }), password)
  if (answer.kind !== 'edited') return { kind: answer.kind === 'last_admin' ? 'last_admin' : 'unknown' }
  let seq = answer.seq ?? 0
  const keys = await stores.keys.list({ accountId: id, limit: KEYS_LIMIT })
  for (const key of keys) {
    const change = await stores.keys.setStatus(key.id, 'deleted', nowMs)
    seq = Math.max(seq, change?.seq ?? 0)
  }
  const subscriptions = await stores.subscriptions.live(id, nowMs)
  for (const subscription of subscriptions) await stores.subscriptions.cancel(subscription.id, nowMs)
  await forgetWaysIn(stores, id)
  const none = { name: '', language: null, theme: 'system', wantsMail: false, favouriteModels: [] } as const
  await stores.accounts.updateProfile(id, { ...none, isEmailVerified: false, hasSecondFactor: false })
  await stores.signInLinks.forget(id, account.email)
  await stores.audit.forget(id, account.email)
  const { accessTokensEnded: accessTokens } = answer
  return { kind: 'closed', seq, keys: keys.length, subscriptions: subscriptions.length, accessTokens }
}

function nameless(id: string): Pick<Account, 'email' | 'role' | 'status'> {
  return { email: closedAddress(id), role: 'user', status: 'disabled' }
}

async function forgetWaysIn(stores: ChangeableStores, id: string): Promise<void> {
  for (const kind of SIGN_IN_KINDS) await stores.signInRecords.delete(kind, equal({ accountId: id }))
  await stores.signInRecords.delete('verification', equal({ content: id }))
}
