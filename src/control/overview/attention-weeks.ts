import type { AttentionView } from '../../contract/attention.ts'
import { FAULTS, isFaultCode } from '../../core/faults.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Margins } from '../../metering/usage/margins.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'

const WEEK_MS = 7 * 86_400_000

/**
 * The seven days until `nowMs` (epoch milliseconds), from the roll-ups, so widened to whole hours; and as many hours that
 * end with their first one, so that no request is in both.
 */
export async function readWeeks(nowMs: number, usage: Pick<UsageStore, 'margins'>): Promise<AttentionView['week']> {
  const now = await usage.margins({ fromMs: nowMs - WEEK_MS, toMs: nowMs, split: 'fault' })
  const lengthMs = now.toMs - now.fromMs
  const before = await usage.margins({ fromMs: now.fromMs - lengthMs, toMs: now.fromMs, split: 'fault' })
  return { now: weekOf(now), before: weekOf(before) }
}

function weekOf({ total, rows }: Margins): AttentionView['week']['now'] {
  const failed = { client: 0, gateway: 0, upstream: 0 }
  for (const row of rows) if (isFaultCode(row.id)) failed[FAULTS[row.id].blame] += row.failed
  return {
    requests: total.requests,
    failed,
    charged: formatUsd(total.charged),
    margin:
      total.costed === 0n && total.providerCost === 0n ? null : formatUsd(nanoUsd(total.costed - total.providerCost)),
  }
}
