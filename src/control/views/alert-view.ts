import type { AlertView } from '../../contract/administration.ts'
import { formatUsd } from '../../core/money.ts'
import type { RecordedAlert } from '../../alerts/alert.ts'
import { timesOnWire } from '../../alerts/alert-on-wire.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** An alert of an account. How a delivery failed is for admins: it may name their mail server. */
export function alertView({ alert, deliveries }: RecordedAlert): AlertView {
  return {
    id: alert.id,
    created_at: timeOnWire(alert.createdAt),
    kind: alert.kind,
    subject_id: alert.subjectId,
    subject_name: alert.subjectName,
    percent: alert.percent,
    limit: formatUsd(alert.limit),
    used: formatUsd(alert.used),
    ...timesOnWire(alert),
    deliveries: deliveries.map(({ way, deliveredAt, nextTryAt }) => ({
      way,
      delivered_at: timeOrNull(deliveredAt),
      failed: deliveredAt === null && nextTryAt === null,
    })),
  }
}
