import { randomBytes } from 'node:crypto'
import { type AlertWaySettings, alertCarriers } from '../../alerts/alert-carriers.ts'
import type { TrialAlert } from '../../alerts/carrier.ts'
import type { ReadTemplate } from '../../alerts/last-template.ts'
import type { AlertTestView } from '../../contract/configuration.ts'
import type { ControlParts } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'

/** Sends a test on every way that the settings name, and says what came of each; nothing is recorded. */
export async function testAlerts(
  to: Parameters<ControlParts['testAlerts']>[0],
  { settings, clock, readTemplate }: { settings: AlertWaySettings; clock: Clock; readTemplate: ReadTemplate },
): Promise<AlertTestView['data']> {
  const carriers = await alertCarriers(settings, clock, readTemplate)
  const about = { accountId: to.id, accountEmail: to.email, createdAt: clock.now() }
  const trial: TrialAlert = { kind: 'trial', id: `test_${randomBytes(10).toString('hex')}`, ...about }
  return Promise.all(
    carriers.map(async (carrier) => {
      const askedAt = clock.elapsed()
      const outcome = await carrier.send(trial, new AbortController().signal)
      const failure = outcome.kind === 'delivered' ? null : outcome.failure
      const took_ms = Math.round(clock.elapsed() - askedAt)
      return { way: carrier.way, delivered: failure === null, failure, took_ms }
    }),
  )
}
