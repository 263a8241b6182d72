import type { KeyWithOwner } from '../../access/api-key.ts'
import { countedLimitFacts } from '../../core/counted-limits.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import type { UsageTotals } from '../../metering/usage/usage-store.ts'
import {
  leftOf,
  leftOfSubscription,
  remainingFor,
  type SubscriptionState,
  type WindowState,
} from '../../entitlement/key-funds.ts'
import { shownStatus } from '../../entitlement/key-status.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import { remainingOf } from '../../metering/limits/limits-left.ts'
import type { Snapshot } from '../snapshot.ts'
import { type KeyUsageSummary, readUsageSummary, type SummaryParts } from './key-usage-summary.ts'

/**
 * The body for `GET /v1/usage`: how this key stands. Every name stands there in camelCase as well, which is what existing
 * readers look for. Throws Fault `store_unavailable`.
 */
export async function answerUsage(caller: KeyWithOwner, parts: SummaryParts, nowMs: number): Promise<object> {
  const summary = await readUsageSummary(caller, parts, nowMs)
  return writeUsage({ caller, summary, snapshot: parts.snapshot(), nowMs })
}

interface UsageRequest {
  readonly caller: KeyWithOwner
  readonly summary: KeyUsageSummary
  readonly snapshot: Snapshot
  /** Epoch milliseconds. */
  readonly nowMs: number
}

function writeUsage(asked: UsageRequest): object {
  const { caller, summary, snapshot, nowMs } = asked
  const { key } = caller
  const stop = verdictOn(caller, summary, { catalogue: snapshot, nowMs })
  /** `scope`: whether a limit is the key's, or its account's for all keys together. */
  const limitsOf = (
    scope: 'key' | 'account',
    counted: readonly LimitState[],
    spend: readonly WindowState[],
  ): JsonValue[] => [
    ...counted.map((state) => ({ scope, ...countedLimit(state, nowMs) })),
    ...spend.map((each) => ({ scope, type: 'spend', ...windowOf(each), unit: 'USD' })),
  ]
  const paying = summary.subscriptions.find((each) => leftOfSubscription(each) !== 0n) ?? summary.subscriptions[0]
  return withCamelCase({
    is_valid: stop === null,
    reason: stop?.code ?? null,
    invalid_message: stop?.message ?? null,
    status: shownStatus(key, summary.quota, nowMs),
    name: key.name,
    remaining: money(remainingFor(summary)),
    unit: 'USD',
    plan_name: paying?.subscription.planName ?? null,
    balance: formatUsd(summary.balance),
    quota: quotaOf(asked),
    rate_limits: [
      ...limitsOf('key', summary.counted, summary.spend),
      ...limitsOf('account', summary.countedOfAccount, summary.accountSpend),
    ],
    subscription: paying === undefined ? null : subscriptionOf(paying),
    subscriptions: summary.subscriptions.map(subscriptionOf),
    expires_at: time(key.expiresAt),
    usage: { today: totalsOf(summary.today), total: totalsOf(summary.ever) },
  })
}

/** The quota of a key; without one, what it has used in all. */
function quotaOf({ caller, summary }: UsageRequest): JsonValue {
  const { quota } = summary
  return {
    limit: quota === null ? null : formatUsd(quota.limit),
    used: formatUsd(quota === null ? summary.ever.cost : quota.used),
    remaining: quota === null ? null : formatUsd(leftOf(quota)),
    reset: caller.key.quotaReset,
    reset_at: time(quota?.endsAt ?? null),
    unit: 'USD',
  }
}

function countedLimit(state: LimitState, nowMs: number) {
  const { field: type, window, unit } = countedLimitFacts(state.limit)
  const resets = state.used > 0 && window !== null && Number.isFinite(state.resetMs)
  return {
    type,
    window,
    limit: state.max,
    used: Math.ceil(state.used),
    remaining: remainingOf(state),
    reset_at: resets ? time(Math.ceil(nowMs + state.resetMs)) : null,
    unit,
  }
}

function windowOf({ window, state }: WindowState) {
  return {
    window,
    limit: formatUsd(state.limit),
    used: formatUsd(state.used),
    remaining: formatUsd(leftOf(state)),
    reset_at: time(state.endsAt),
  }
}

function subscriptionOf(each: SubscriptionState): JsonValue {
  const { id, planName, startsAt, endsAt } = each.subscription
  return {
    id,
    plan_name: planName,
    starts_at: time(startsAt),
    ends_at: time(endsAt),
    remaining: money(leftOfSubscription(each)),
    windows: each.windows.map(windowOf),
  }
}

function totalsOf(totals: UsageTotals): JsonValue {
  return {
    requests: totals.requests,
    failed: totals.failed,
    tokens: totals.inputTokens + totals.outputTokens,
    input_tokens: totals.inputTokens,
    cache_read_tokens: totals.cacheReadTokens,
    output_tokens: totals.outputTokens,
    cost: formatUsd(totals.cost),
  }
}

function money(amount: NanoUsd | null): string | null {
  return amount === null ? null : formatUsd(amount)
}

function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Adds to every `snake_case` name its twin. */
function withCamelCase(value: { readonly [name: string]: JsonValue }): object {
  const twins = (inner: JsonValue): unknown => {
    if (isList(inner)) return inner.map(twins)
    return typeof inner === 'object' && inner !== null ? withCamelCase(inner) : inner
  }
  const named = Object.entries(value).flatMap(([name, inner]) => {
    const written = twins(inner)
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return camel === name
      ? [[name, written]]
      : [
          [name, written],
          [camel, written],
        ]
  })
  return Object.fromEntries(named) as object
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
