/** Ways of alerts that do not work. */
import type { AlertWay, RecordedAlert } from '../../alerts/alert.ts'
import type { RawItem } from './attention-item.ts'

const WAYS: readonly AlertWay[] = ['webhook', 'mail']
const NAMES: Readonly<Record<AlertWay, string>> = { webhook: 'the webhook', mail: 'mail' }
/** So many of the newest alerts are looked at. */
export const ALERTS_LOOKED_AT = 100

/** A way on which the newest alert that was tried was not delivered, since the first of those in a row. */
export function failingWays(recorded: readonly RecordedAlert[]): readonly RawItem[] {
  return WAYS.flatMap((way): RawItem[] => {
    const tried = recorded.flatMap(({ alert, deliveries }) => {
      const delivery = deliveries.find(
        (each) => each.way === way && (each.deliveredAt !== null || each.failure !== null),
      )
      return delivery === undefined ? [] : [{ at: alert.createdAt, delivery }]
    })
    const good = tried.findIndex(({ delivery }) => delivery.deliveredAt !== null)
    const failed = good < 0 ? tried : tried.slice(0, good)
    const [newest] = failed
    if (newest === undefined) return []
    return [
      {
        kind: 'alerts_failing',
        way,
        since: new Date(failed.at(-1)?.at ?? newest.at).toISOString(),
        detail: `Alerts by ${NAMES[way]} are not delivered (${newest.delivery.failure}): send a test and look at what it says.`,
      },
    ]
  })
}
