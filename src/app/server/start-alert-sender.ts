import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { AlertStore } from '../../alerts/alert.ts'
import type { Settings } from '../installation/environment.ts'
import { alertCarriers } from '../../alerts/alert-carriers.ts'
import { AlertSender } from '../../alerts/alert-sender.ts'

/** Begins to deliver alerts on the ways that the settings name; without any, it only deletes old ones. */
export async function startAlertSender(parts: {
  readonly settings: Settings
  readonly store: { readonly alerts: AlertStore }
  readonly clock: Clock
  readonly log: Logger
}): Promise<AlertSender> {
  const { settings, store, clock, log } = parts
  const sender = new AlertSender({
    store: store.alerts,
    carriers: await alertCarriers(settings, clock),
    clock,
    random: Math.random,
    onGivenUp: (what) => log.warn(what, 'an alert could not be delivered and was given up'),
    onError: (error) =>
      log.error({ err: error }, 'alerts could not be looked up, noted or deleted; this will be tried again'),
  })
  sender.start()
  return sender
}
