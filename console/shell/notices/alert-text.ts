import type { AlertView } from '../../../src/contract/administration.ts'
import type { BillingTexts } from '../../dictionaries/billing-en.ts'
import type { Format } from '../../format/use-format.ts'

/** What an alert says, in a sentence. */
export function alertText(alert: AlertView, t: BillingTexts, format: Format): string {
  if (alert.kind === 'low_balance') return t.alerts.low_balance
  if (alert.kind === 'key_ending' || alert.kind === 'subscription_ending' || alert.kind === 'renewal_failed') {
    return t.alerts[alert.kind](alert.subject_name, alert.ends_at === null ? '' : format.time(alert.ends_at))
  }
  if (alert.kind !== 'key_quota' && alert.kind !== 'subscription')
    return t.alerts.forAdmins[alert.kind](alert.subject_name)
  return t.alerts[alert.kind](alert.subject_name, format.percent((alert.percent ?? 100) / 100))
}
