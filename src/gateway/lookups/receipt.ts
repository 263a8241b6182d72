import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import { storeIsAway } from '../../core/plain-fault.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM } from '../../core/money.ts'
import { priceOfOne, type TokenPrices } from '../../core/prices.ts'
import { rulesOnWire } from '../../metering/prices/prices-on-wire.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { OpenRequest } from '../../metering/usage/open-request.ts'
import type { SettleQueue } from '../../metering/settle/settle-queue.ts'
import { deletedAt, type DeletedRecords } from '../../metering/usage/retention.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'
import type { RunningRequests } from '../running-requests.ts'

export interface ReceiptParts {
  readonly usage: Pick<UsageStore, 'record' | 'totalsOfKey' | 'keptSince'>
  readonly settleQueue: SettleQueue
  readonly running: RunningRequests
}

/** `pending`: it has not ended, and what is known of it is not all. */
export interface FoundReceipt {
  readonly kind: 'ended' | 'pending'
  readonly body: object
}

/** A refused request does not wait for its record, so its caller may ask before it is written: for so long the receipt waits. */
const WRITING_MS = 1_000

const REQUEST_ID = /^req_[0-9a-z]{26}$/

/**
 * The receipt of one request, for the key that sent it. Throws Fault `path_unknown` for any other id, in the same words
 * whether it is another key's, unknown or deleted, and `store_unavailable`.
 */
export async function findReceipt(requestId: string, caller: KeyWithOwner, parts: ReceiptParts): Promise<FoundReceipt> {
  if (!REQUEST_ID.test(requestId)) throw unknownRequest(null)
  for (const request of parts.running) {
    if (request.id !== requestId || request.caller.key.id !== caller.key.id) continue
    return { kind: 'pending', body: pendingReceipt(request.describe()) }
  }
  const { usage, settleQueue } = parts
  let record = await usage.record(requestId).catch(storeIsAway)
  if (record === null && settleQueue.length > 0) {
    await settleQueue.drain(WRITING_MS)
    record = await usage.record(requestId).catch(storeIsAway)
  }
  if (record !== null && record.keyId === caller.key.id) return { kind: 'ended', body: receiptOf(record, caller) }
  throw unknownRequest(deletedAt(requestId, await usage.keptSince().catch(storeIsAway)))
}

/** `deleted`: what went of the time of the request, which its ID says. */
function unknownRequest(deleted: DeletedRecords | null): Fault {
  if (deleted !== null) return new Fault('path_unknown', deletedText(deleted))
  return new Fault(
    'path_unknown',
    'This API key has no request with that ID. Use the x-request-id of a response to this key. The receipt is available once the request has ended; model lists and token counts have none.',
  )
}

function deletedText({ which, keptSinceMs }: DeletedRecords): string {
  const day = time(keptSinceMs).slice(0, 10)
  return which === 'all'
    ? `This request is older than what is kept: receipts are kept since ${day}. What it cost stays in the totals of GET /v1/usage.`
    : `This API key has no request with that ID. If the request was refused, its receipt was deleted: refusals that cost nothing are kept since ${day}.`
}

/** What is known of a request that still runs: `outcome` null says so. */
function pendingReceipt(request: OpenRequest): object {
  return {
    id: request.id,
    created_at: time(request.createdAt),
    outcome: null,
    model: request.model,
    group: request.groupName,
    protocol: request.wire,
    is_stream: request.isStream,
    client: request.client,
  }
}

/** A record as its key may see it: complete enough to compute the charge again, and without a word on upstreams. */
export function receiptOf(record: UsageRecord, caller: KeyWithOwner): object {
  const { prices, multiplier } = record
  return {
    id: record.id,
    created_at: time(record.createdAt),
    outcome: record.outcome,
    fault: record.fault,
    http_status: record.httpStatus,
    model: record.model,
    group: record.groupName,
    protocol: record.wire,
    is_stream: record.isStream,
    client: record.client,
    tokens: tokensOf(record.tokens),
    ...unitsOf(record.tokens),
    ...termsOf(record),
    usage_source: record.usageSource,
    is_capped: record.isCapped,
    usage_notes: record.usageNotes,
    prices: prices === null ? null : pricesOf(prices, record.tokens),
    multiplier: multiplier === null ? null : formatMultiplier(multiplier),
    cost: formatUsd(record.cost),
    funding: {
      balance: formatUsd(record.balancePaid),
      subscriptions: record.subscriptionsPaid.map(({ subscriptionId, paid }) => ({
        id: subscriptionId,
        plan_name: caller.subscriptions.find(({ id }) => id === subscriptionId)?.planName ?? null,
        paid: formatUsd(paid),
      })),
    },
    attempts: record.attempts.map(({ fault, status, totalMs, isHedgedAway }, index) => ({
      number: index + 1,
      status,
      fault,
      duration_ms: totalMs,
      ...(isHedgedAway === true ? { hedged_away: true } : {}),
    })),
    timings: { first_byte_ms: record.firstByteMs, total_ms: record.totalMs },
  }
}

/** Audio and images stand there only when there were any: few requests have them. */
function tokensOf(tokens: TokenCounts): object {
  const { other } = tokens
  return {
    input: tokens.input,
    cache_read: tokens.cacheRead,
    cache_write: tokens.cacheWrite,
    cache_write_1h: tokens.cacheWrite1h,
    output: tokens.output,
    reasoning: tokens.reasoning,
    ...(other === null
      ? {}
      : { audio_input: other.audioInput, image_input: other.imageInput, audio_output: other.audioOutput }),
  }
}

/** What was charged by another measure stands there only where there is any. */
function unitsOf({ units, calls }: TokenCounts): object {
  return { ...(units === null ? {} : { units }), ...(calls === undefined ? {} : { calls }) }
}

/** Why it was not charged at the plain prices stands there only where it was not. */
function termsOf({ terms }: UsageRecord): object {
  if (terms === null) return {}
  return {
    service_tier: terms.serviceTier,
    inference_geo: terms.inferenceGeo,
    above_input_tokens: terms.aboveInputTokens,
  }
}

/**
 * What each kind was charged at: USD per million tokens, where a kind without a price of its own is priced as another, and
 * USD for one unit (`per_…`).
 */
function pricesOf(prices: TokenPrices, { other, calls }: TokenCounts): object {
  const { input, output } = prices
  return {
    input: usd(input),
    cache_read: usd(prices.cacheRead ?? input),
    cache_write: usd(prices.cacheWrite ?? input),
    cache_write_1h: usd(prices.cacheWrite1h ?? prices.cacheWrite ?? input),
    output: usd(output),
    ...(prices.other?.reasoningOutput === undefined ? {} : { reasoning_output: usd(prices.other.reasoningOutput) }),
    ...(other === null
      ? {}
      : {
          audio_input: usd(prices.other?.audioInput ?? input),
          image_input: usd(prices.other?.imageInput ?? input),
          audio_output: usd(prices.other?.audioOutput ?? output),
        }),
    ...(prices.units === null
      ? {}
      : {
          per_request: usdOfOne(prices.units.request),
          per_image: usdOfOne(prices.units.image),
          per_second: usdOfOne(prices.units.second),
          per_million_characters: usd(prices.units.character),
        }),
    ...(calls === undefined ? {} : rulesOnWire(prices, ONE_PPM)),
  }
}

function usd(price: NanoUsd | null): string | null {
  return price === null ? null : formatUsd(price)
}

function usdOfOne(price: NanoUsd | null): string | null {
  return usd(price === null ? null : priceOfOne(price, ONE_PPM))
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
