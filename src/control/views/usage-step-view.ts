import type { FirstSteps } from '../../contract/usage.ts'
import { formatUsd } from '../../core/money.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { faultView } from './fault-view.ts'

/** A request in short. */
export function stepView(record: UsageRecord): FirstSteps['data'][number] {
  return {
    id: record.id,
    created_at: timeOnWire(record.createdAt),
    key_id: record.keyId,
    key_name: record.keyName,
    model: record.model,
    protocol: record.wire,
    client: record.client,
    outcome: record.outcome,
    ...faultView(record),
    cost: formatUsd(record.cost),
    total_ms: record.totalMs,
  }
}
