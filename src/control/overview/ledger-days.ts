import type { LedgerDays, LedgerEntryView } from '../../contract/billing.ts'
import { DAY_MS } from '../../core/durations.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import type { UsageBucket } from '../../metering/usage/usage-summary.ts'
import type { ApiCall } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import { codeEndsOf, ledgerEntryView } from '../views/ledger-entry-view.ts'
import { startOfDays } from './overview-spans.ts'

const PAGE_DAYS = 31
/** The most that a page of the ledger may have. */
const ENTRIES_SHOWN = 200

/** The page lies before the moment that its position names. */
interface DaysCall extends Pick<ApiCall, 'nowMs' | 'position' | 'nextCursor'> {
  readonly query: { readonly offset_minutes: number }
  readonly isForStaff: boolean
}

type LedgerDayStores = Pick<ControlStores, 'ledger' | 'usage' | 'redeemCodes'>

/**
 * What became of a balance on each of the 31 days up to the newest on which anything did. A fixed number of statements: the
 * sums are those of the roll-ups, and of other entries no more than the newest 200 are read.
 */
export async function readLedgerDays(accountId: string, call: DaysCall, stores: LedgerDayStores): Promise<LedgerDays> {
  const { offset_minutes: offsetMinutes } = call.query
  const before = typeof call.position?.[0] === 'number' ? call.position[0] : call.nowMs + 1
  const newest = (await newestBefore(accountId, before, stores)) ?? call.nowMs
  const fromMs = startOfDays(newest, { offsetMinutes, days: PAGE_DAYS })
  const toMs = fromMs + PAGE_DAYS * DAY_MS
  const [summary, entries, older] = await Promise.all([
    stores.usage.summary({ accountId, fromMs, toMs, by: 'day', split: null, top: 1, offsetMinutes }),
    stores.ledger.page({ accountId, kind: 'not_usage', fromMs, toMs }, { after: null, limit: ENTRIES_SHOWN }),
    newestBefore(accountId, fromMs, stores),
  ])
  const codeEnds = await codeEndsOf(entries.entries, stores.redeemCodes)
  const dayOf = (ms: number): number => startOfDays(ms, { offsetMinutes, days: 1 })
  return {
    from: timeOnWire(fromMs),
    to: timeOnWire(toMs),
    data: daysOf(
      summary.buckets,
      Map.groupBy(entries.entries, ({ createdAt }) => dayOf(createdAt)),
      (entry) => ledgerEntryView(entry, { isStaff: call.isForStaff, codeEnd: codeEnds.get(entry.id) }),
    ),
    has_more_entries: entries.next !== null,
    next_cursor: older === null ? null : call.nextCursor([fromMs]),
  }
}

/** When the account last asked for something, or its balance changed otherwise; null: never before. */
async function newestBefore(
  accountId: string,
  beforeMs: number,
  { ledger, usage }: LedgerDayStores,
): Promise<number | null> {
  const [hourAt, { entries }] = await Promise.all([
    usage.lastHourOfUse(accountId, beforeMs),
    ledger.page({ accountId, kind: 'not_usage', toMs: beforeMs }, { after: null, limit: 1 }),
  ])
  const moments = [...(hourAt === null ? [] : [hourAt]), ...entries.map(({ createdAt }) => createdAt)]
  return moments.length === 0 ? null : Math.max(...moments)
}

function daysOf(
  buckets: readonly UsageBucket[],
  entries: ReadonlyMap<number, readonly LedgerEntry[]>,
  viewOf: (entry: LedgerEntry) => LedgerEntryView,
): LedgerDays['data'] {
  const sums = new Map(buckets.map(({ startsAt, totals }) => [startsAt, totals]))
  const days = [...new Set([...sums.keys(), ...entries.keys()])].sort((a, b) => b - a)
  return days.map((startsAt) => {
    const { requests = 0, cost = nanoUsd(0n), balancePaid = nanoUsd(0n) } = sums.get(startsAt) ?? {}
    return {
      at: timeOnWire(startsAt),
      requests,
      paid_by_balance: formatUsd(balancePaid),
      paid_by_subscriptions: formatUsd(nanoUsd(cost - balancePaid)),
      entries: (entries.get(startsAt) ?? []).map(viewOf),
    }
  })
}
