import { endDueRaises } from '../../control/scheduled/due-quotas.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../periodic-task.ts'

const LOOK_EVERY_MS = 2_000

/** Ends the raises of keys' quotas when their time has come. Every node looks; each raise is ended once. */
export function startRaisedQuotas(options: {
  readonly store: Pick<Store, 'together' | 'keys' | 'groups'>
  readonly clock: Clock
  readonly log: Logger
}): PeriodicTask {
  const { store, clock, log } = options
  let hasFailed = false
  return new PeriodicTask({
    async run() {
      const nowMs = clock.now()
      const ended = await endDueRaises(store, { nowMs, newId: (prefix) => newId(prefix, nowMs) })
      hasFailed = false
      if (ended.length > 0) log.info({ keys: ended.length }, 'ended raised quotas of keys')
    },
    onError(error) {
      // While the database is away, once.
      if (!hasFailed) log.error({ err: error }, 'failed to end raised quotas; will retry every 2 s')
      hasFailed = true
    },
  }).start({ everyMs: LOOK_EVERY_MS })
}
