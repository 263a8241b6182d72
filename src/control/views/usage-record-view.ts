import type { UsageRecordView } from '../../contract/usage.ts'
import { CALL_KINDS } from '../../core/calls.ts'
import { formatMultiplier, formatUsd } from '../../core/money.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import { readLimits } from '../../metering/limits/limits-left.ts'
import { formatExactUsd, formatLinePrice, priceLines } from '../../metering/prices/price-lines.ts'
import type { Attempt, UsageRecord } from '../../metering/usage/usage-record.ts'
import { cutName, readRoute } from '../../routing/route-trace.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { faultView } from './fault-view.ts'
import { routeStepView, shownNames } from './route-view.ts'

/** A record with how its cost came about. Upstreams, and what models are called there, are for admins alone. */
export function usageRecordView(
  record: UsageRecord,
  { isStaff, accountEmail }: { readonly isStaff: boolean; readonly accountEmail?: string | undefined },
): UsageRecordView {
  const { multiplier } = record
  return {
    id: record.id,
    created_at: timeOnWire(record.createdAt),
    account_id: record.accountId,
    account_email: accountEmail ?? null,
    key_id: record.keyId,
    key_name: record.keyName,
    group: record.groupName,
    model: record.model,
    protocol: record.wire,
    stream: record.isStream,
    outcome: record.outcome,
    ...faultView(record),
    http_status: record.httpStatus,
    tokens: tokensView(record.tokens),
    units: record.tokens.units,
    calls: record.tokens.calls ?? null,
    service_tier: record.terms?.serviceTier ?? null,
    inference_geo: record.terms?.inferenceGeo ?? null,
    above_input_tokens: record.terms?.aboveInputTokens ?? null,
    usage_source: record.usageSource,
    capped: record.isCapped,
    usage_notes: [...record.usageNotes],
    multiplier: multiplier === null ? null : formatMultiplier(multiplier),
    cost: formatUsd(record.cost),
    provider_cost: isStaff && record.providerCost !== null ? formatUsd(record.providerCost) : null,
    credential: isStaff ? record.credentialName : null,
    price_lines: priceLinesView(record),
    paid_by_balance: formatUsd(record.balancePaid),
    paid_by_subscriptions: record.subscriptionsPaid.map(({ subscriptionId, paid }) => ({
      subscription_id: subscriptionId,
      usd: formatUsd(paid),
    })),
    attempts: attemptsView(record.attempts, isStaff),
    ...routeView(record, isStaff),
    limits: readLimits(record.limitsLeft).map(({ limit, max, remaining, resetsAt }) => ({
      limit,
      max,
      remaining,
      resets_at: resetsAt === null ? null : timeOnWire(resetsAt),
    })),
    device: record.deviceSecret === null ? null : { secret_of: record.deviceSecret || null },
    client: record.client,
    first_byte_ms: record.firstByteMs,
    total_ms: record.totalMs,
  }
}

function tokensView({ other, ...counts }: TokenCounts): UsageRecordView['tokens'] {
  return {
    input: counts.input,
    cache_read: counts.cacheRead,
    cache_write: counts.cacheWrite,
    cache_write_1h: counts.cacheWrite1h,
    output: counts.output,
    reasoning: counts.reasoning,
    audio_input: other?.audioInput ?? null,
    audio_output: other?.audioOutput ?? null,
    image_input: other?.imageInput ?? null,
  }
}

/** None where nothing was charged for want of a price: such a request was never served. */
function priceLinesView({ tokens, prices, multiplier }: UsageRecord): UsageRecordView['price_lines'] {
  return prices === null || multiplier === null ? [] : priceLineViews(tokens, prices, multiplier)
}

/** Each kind that was counted and has a price, as a receipt says it. */
export function priceLineViews(...of: Parameters<typeof priceLines>): UsageRecordView['price_lines'] {
  const [, , multiplier] = of
  return priceLines(...of).map((line) => ({
    kind: line.kind,
    tokens: KINDS_OF_UNITS.has(line.kind) ? null : line.count,
    count: line.count,
    per: line.per,
    price: formatLinePrice(line),
    multiplier: formatMultiplier(multiplier),
    cost: formatExactUsd(line.exact),
  }))
}

const KINDS_OF_UNITS: ReadonlySet<string> = new Set(['requests', 'images', 'seconds', 'characters', ...CALL_KINDS])

function attemptsView(attempts: readonly Attempt[], isStaff: boolean): UsageRecordView['attempts'] {
  const shownName = shownNames(isStaff)
  return attempts.map((each) => ({
    upstream: shownName(each.upstreamName),
    model: isStaff ? each.model : null,
    fault: each.fault,
    status: each.status,
    at_ms: each.atMs ?? null,
    connect_ms: each.connectMs ?? null,
    head_ms: each.headMs ?? null,
    total_ms: each.totalMs,
    hedged_away: each.isHedgedAway === true,
    refused_settings: [...(each.refusedSettings ?? [])],
    left_out: [...(each.leftOut ?? [])],
    said: isStaff ? (each.said ?? null) : null,
    why: isStaff ? (each.why ?? null) : null,
    redirects_to: isStaff ? (each.redirectsTo ?? null) : null,
    upstream_request_id: isStaff ? (each.requestId ?? null) : null,
  }))
}

/** A record without a trace had one candidate, which was asked, or none. */
function routeView(
  { routeTrace, attempts }: UsageRecord,
  isStaff: boolean,
): Pick<UsageRecordView, 'route' | 'route_more'> {
  const shownName = shownNames(isStaff)
  // Those that were asked stand first in both, so that one upstream has one number in both.
  for (const { upstreamName } of attempts) shownName(cutName(upstreamName))
  const asked = attempts[0]?.upstreamName
  const alone = asked === undefined ? [] : [{ name: asked, reason: 'taken', restSeconds: null } as const]
  const { steps, more } = routeTrace === null ? { steps: alone, more: 0 } : readRoute(routeTrace)
  return {
    route: steps.map((step) => routeStepView(step, shownName)),
    route_more: more,
  }
}
