import type { Change } from '../access/changes.ts'
import { replacedAtOnce, stopOf } from '../access/key-stop.ts'
import type { RunningRequests } from './running-requests.ts'
import type { AccountStore } from '../access/account.ts'
import type { KeyStore } from '../access/key-store.ts'

interface CallerStores {
  readonly keys: Pick<KeyStore, 'findById'>
  readonly accounts: Pick<AccountStore, 'findById'>
}

/** Cuts the running requests of keys and accounts that may not go on after these changes. `all`: it is not known which there were. */
export async function recheckRunning(
  changes: readonly Change[] | 'all',
  context: { running: RunningRequests; store: CallerStores; nowMs: number },
): Promise<void> {
  const { running, store, nowMs } = context
  const changed = changes === 'all' ? null : new Set(changes.map((change) => change.subjectId))
  for (const caller of running.callers()) {
    if (changed !== null && !changed.has(caller.key.id) && !changed.has(caller.account.id)) continue
    const [key, account] = await Promise.all([
      store.keys.findById(caller.key.id),
      store.accounts.findById(caller.account.id),
    ])
    if (key === null || account === null) continue
    // The later end of an overlap concerns new requests alone; a secret that was replaced without one stops at once.
    const fault = stopOf({ key, account, subscriptions: caller.subscriptions }, nowMs) ?? replacedAtOnce(caller, key)
    if (fault !== null) running.cut((each) => (each === caller ? fault : null))
  }
}
