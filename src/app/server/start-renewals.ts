import type { SubscriptionStore } from '../../access/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import { PeriodicTask } from '../periodic-task.ts'

const LOOK_EVERY_MS = 60_000
const FIRST_LOOK_MS = 2_000
const AT_ONCE = 200

/** Renews subscriptions from the balances of owners who want that. Every node looks; each renewal is made once. */
export function startRenewals(options: {
  readonly store: { readonly subscriptions: Pick<SubscriptionStore, 'renewDue'> }
  readonly clock: Clock
  readonly log: Logger
}): PeriodicTask {
  const { store, clock, log } = options
  return new PeriodicTask({
    async run() {
      const by = { nowMs: clock.now(), limit: AT_ONCE, newId: () => newId('led', clock.now()) }
      const renewed = await store.subscriptions.renewDue(by)
      if (renewed.length > 0) log.info({ renewed: renewed.length }, 'renewed subscriptions from balances')
    },
    onError: (error) => log.error({ err: error }, 'failed to renew subscriptions; will retry in a minute'),
  }).start({ firstAfterMs: FIRST_LOOK_MS, everyMs: LOOK_EVERY_MS })
}
