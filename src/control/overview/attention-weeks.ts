import type { AttentionView } from '../../contract/attention.ts'
import { HOUR_MS, WEEK_MS } from '../../core/durations.ts'
import { FAULTS, isFaultCode } from '../../core/faults.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Margins } from '../../metering/usage/margins.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'

/**
 * The seven days until `nowMs` (epoch milliseconds), widened to whole hours, which are what is summed; and as many hours that
 * end where those begin, so that no request is in both.
 */
export async function readWeeks(nowMs: number, usage: Pick<UsageStore, 'margins'>): Promise<AttentionView['week']> {
  const fromMs = Math.floor((nowMs - WEEK_MS) / HOUR_MS) * HOUR_MS
  const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  const [now, before] = await Promise.all([
    usage.margins({ fromMs, toMs, split: 'fault' }),
    usage.margins({ fromMs: 2 * fromMs - toMs, toMs: fromMs, split: 'fault' }),
  ])
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
