import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { AlertStore } from '../../alerts/alert.ts'
import type { AlertCarrier } from '../../alerts/carrier.ts'
import { AlertSender } from '../../alerts/alert-sender.ts'

const DAY_MS = 86_400_000

/** Begins to deliver alerts by these carriers; without any, it only announces ends and deletes old ones. */
export function startAlertSender(parts: {
  readonly carriers: readonly AlertCarrier[]
  readonly store: { readonly alerts: AlertStore }
  readonly clock: Clock
  readonly log: Logger
  /** How long alerts are kept. */
  readonly keptDays: number
}): AlertSender {
  const { carriers, store, clock, log, keptDays } = parts
  const sender = new AlertSender({
    store: store.alerts,
    carriers,
    clock,
    keptMs: keptDays * DAY_MS,
    random: Math.random,
    onGivenUp: (what) => log.warn(what, 'gave up on an alert that could not be delivered'),
    onError: (error) => log.error({ err: error }, 'failed to look up, note or delete alerts; will retry'),
  })
  sender.start()
  return sender
}
