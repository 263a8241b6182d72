import type { Change } from '../access/changes.ts'
import { stopOf } from '../access/key-stop.ts'
import type { RunningRequests } from '../gateway/running-requests.ts'
import type { Store } from '../store/store.ts'

/** Cuts the running requests of keys and accounts that may not go on after these changes. `all`: nobody knows which there were. */
export async function recheckRunning(
  changes: readonly Change[] | 'all',
  context: { running: RunningRequests; store: Store; nowMs: number },
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
    // Whichever of the key's secrets it was shown: the end of an overlap concerns new requests alone.
    const fault = stopOf({ key, account, subscriptions: caller.subscriptions }, nowMs)
    if (fault !== null) running.cut((each) => (each === caller ? fault : null))
  }
}
