import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { AlertStore } from '../../alerts/alert.ts'
import type { Carrier } from '../../alerts/carrier.ts'
import { AlertSender } from '../../alerts/alert-sender.ts'

/** Begins to deliver alerts by these carriers; without any, it only deletes old ones. */
export function startAlertSender(parts: {
  readonly carriers: readonly Carrier[]
  readonly store: { readonly alerts: AlertStore }
  readonly clock: Clock
  readonly log: Logger
}): AlertSender {
  const { carriers, store, clock, log } = parts
  const sender = new AlertSender({
    store: store.alerts,
    carriers,
    clock,
    random: Math.random,
    onGivenUp: (what) => log.warn(what, 'an alert could not be delivered and was given up'),
    onError: (error) =>
      log.error({ err: error }, 'alerts could not be looked up, noted or deleted; this will be tried again'),
  })
  sender.start()
  return sender
}
