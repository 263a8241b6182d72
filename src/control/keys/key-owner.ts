import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import type { Account } from '../../access/account.ts'
import { limitSources } from '../../access/limits-in-force.ts'
import type { ControlStores } from '../parts.ts'

/** A key with what decides what it may do. `account` null: it is gone. */
export type KeyOfOwner = Omit<KeyWithOwner, 'account'> & { readonly account: Account | null }

/** The key with its owner, as the gateway has them when it is called. */
export async function ownerOf(
  key: ApiKey,
  nowMs: number,
  { store }: { readonly store: Pick<ControlStores, 'accounts' | 'subscriptions'> },
): Promise<KeyOfOwner> {
  const [account, subscriptions, standard] = await Promise.all([
    store.accounts.findById(key.accountId),
    store.subscriptions.live(key.accountId, nowMs),
    store.accounts.standardLimits(),
  ])
  const limiting = limitSources(account, standard ?? undefined, subscriptions)
  return { key, account, subscriptions, ...(limiting === undefined ? {} : { limiting }) }
}
