import type { FirstSteps } from '../../contract/usage.ts'
import { formatUsd } from '../../core/money.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** A request in short. */
export function stepView(record: UsageRecord): FirstSteps['data'][number] {
  const { fault } = record
  return {
    id: record.id,
    created_at: timeOnWire(record.createdAt),
    key_id: record.keyId,
    key_name: record.keyName,
    model: record.model,
    protocol: record.wire,
    client: record.client,
    outcome: record.outcome,
    fault,
    detail: fault === null ? null : plainMessage(fault),
    cost: formatUsd(record.cost),
    total_ms: record.totalMs,
  }
}
