import type { KeyWithOwner } from '../../access/api-key.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { storeIsAway } from '../../core/plain-fault.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import type { SummaryParts } from './key-usage-summary.ts'
import {
  fullestCap,
  isUsedUp,
  passedThreshold,
  type SpendCap,
  spendCaps,
  usedShare,
} from '../../entitlement/spend-caps.ts'

/**
 * The body for `GET /api/oauth/usage`, by which a signed-in Claude Code shows dollars in `/usage` and its status line: the
 * fullest cap, and all of them; without one what was spent this day, week and month (UTC, weeks from Monday). Amounts are whole
 * cents. The form is that of Claude Code’s own gateway (2.1.332, `GET /protocol`). Rejects with Fault `store_unavailable`.
 */
export async function answerClaudeUsage(caller: KeyWithOwner, parts: SummaryParts, nowMs: number): Promise<object> {
  const from = { catalogue: parts.snapshot(), budgets: parts.budgets }
  const caps = spendCaps(caller, await readFunds(caller, from, nowMs).catch(storeIsAway), nowMs)
  const shown = fullestCap(caps)
  if (shown === null) return uncapped(caller, parts, nowMs)
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: cents(shown.limit),
      used_credits: cents(shown.used),
      utilization: Math.round(usedShare(shown) * 100),
      currency: 'USD',
    },
    limits: caps.map((each) => limitOf(each, each === shown)),
  }
}

function limitOf(cap: SpendCap, isActive: boolean): object {
  const passed = isUsedUp(cap) ? 1 : passedThreshold(cap)
  return {
    kind: 'spend',
    group: cap.period,
    percent: Math.round(usedShare(cap) * 100),
    resets_at: new Date(cap.resetsAt).toISOString(),
    severity: passed === null ? 'normal' : passed === 0.75 ? 'warning' : 'critical',
    is_active: isActive,
  }
}

async function uncapped({ key }: KeyWithOwner, { usage }: SummaryParts, nowMs: number): Promise<object> {
  const spentIn = async (reset: 'daily' | 'weekly' | 'monthly') =>
    cents((await usage.totalsOfKey(key.id, quotaPeriod(reset, nowMs).startsAt)).since.cost)
  const spent = Promise.all([spentIn('daily'), spentIn('weekly'), spentIn('monthly')])
  const [daily, weekly, monthly] = await spent.catch(storeIsAway)
  const none = { limit: null, utilization: null }
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: null,
      used_credits: monthly,
      utilization: null,
      currency: 'USD',
      daily: { ...none, used_credits: daily },
      weekly: { ...none, used_credits: weekly },
    },
    limits: [],
  }
}

const NANO_USD_OF_CENT = 10_000_000n

/** Rounded to the nearest cent. */
function cents(amount: NanoUsd): number {
  const least = amount < ZERO_NANO_USD ? ZERO_NANO_USD : amount
  const hundredths = (least + NANO_USD_OF_CENT / 2n) / NANO_USD_OF_CENT
  return Number(hundredths)
}
