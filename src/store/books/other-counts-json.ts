import { CALL_KINDS, type CallCounts, type CallPrices } from '../../core/calls.ts'
import { nanoUsd } from '../../core/money.ts'
import type { OtherPrices, TokenPrices } from '../../core/prices.ts'
import type { OtherTokens, TokenCounts } from '../../core/tokens.ts'
import type { UnitCounts, UnitPrices } from '../../core/units.ts'
import type { ChargedTerms } from '../../metering/prices/applied-prices.ts'
import { amountIn, callPricesJson, callPricesOf, textOrNull } from '../schema/price-rules-json.ts'

/**
 * What few records have, with its prices as text, in the one column `other_tokens_json`, which is null in nearly every
 * record. `tokens` and `prices`: audio input, image input, audio output. `units` and `unitPrices` (absent in records from
 * before there were units): requests, images, seconds, characters. `calls`, `callPrices` and `terms` are absent where there
 * are none; `reasoningPrice` where no reasoning was charged at a price of its own.
 */
interface OtherCountsJson {
  readonly tokens: readonly [number, number, number] | null
  readonly prices: readonly [string | null, string | null, string | null] | null
  readonly units?: Four<number> | null
  readonly unitPrices?: Four<string> | null
  readonly calls?: CallCounts
  readonly callPrices?: Readonly<Record<string, string>>
  readonly terms?: ChargedTerms
  readonly reasoningPrice?: string
}

type Four<Value> = readonly [Value | null, Value | null, Value | null, Value | null]

/** Null when there is nothing of the kind, counted or priced. */
export function otherCountsJson(
  counts: TokenCounts,
  prices: TokenPrices | null,
  terms: ChargedTerms | null = null,
): string | null {
  const { other: tokens, units, calls } = counts
  const unitPrices = prices?.units ?? null
  const hasCounts = tokens !== null || units !== null || calls !== undefined
  const other = prices?.other ?? null
  const reasoning = counts.reasoning ? other?.reasoningOutput : undefined
  if (!hasCounts && unitPrices === null && terms === null && reasoning === undefined) return null
  const json: OtherCountsJson = {
    tokens: tokens && [whole(tokens.audioInput), whole(tokens.imageInput), whole(tokens.audioOutput)],
    prices: other &&
      tokens && [textOrNull(other.audioInput), textOrNull(other.imageInput), textOrNull(other.audioOutput)],
    ...(units === null && unitPrices === null
      ? {}
      : { units: unitsJson(units), unitPrices: unitPricesJson(unitPrices) }),
    ...(calls === undefined ? {} : { calls: callsJson(calls) }),
    ...(calls === undefined || prices?.calls === undefined ? {} : { callPrices: callPricesJson(prices.calls) }),
    ...(terms === null ? {} : { terms }),
    ...(reasoning === undefined ? {} : { reasoningPrice: String(reasoning) }),
  }
  return JSON.stringify(json)
}

/** Reads the column, parsed. */
export function otherCountsOf(json: unknown): {
  readonly tokens: OtherTokens | null
  readonly prices: OtherPrices | null
  readonly units: UnitCounts | null
  readonly unitPrices: UnitPrices | null
  readonly calls?: CallCounts
  readonly callPrices?: CallPrices
  readonly terms: ChargedTerms | null
} {
  if (json === null) return NOTHING
  const { tokens, units = null, unitPrices = null, calls, callPrices, terms = null, ...kept } = json as OtherCountsJson
  return {
    tokens: tokens && { audioInput: tokens[0], imageInput: tokens[1], audioOutput: tokens[2] },
    prices: otherPricesOf(kept),
    units: units && { requests: units[0], images: units[1], seconds: units[2], characters: units[3] },
    unitPrices: unitPrices && {
      request: amountIn(unitPrices[0]),
      image: amountIn(unitPrices[1]),
      second: amountIn(unitPrices[2]),
      character: amountIn(unitPrices[3]),
    },
    ...(calls === undefined ? {} : { calls }),
    ...(callPrices === undefined ? {} : { callPrices: callPricesOf(callPrices) }),
    terms,
  }
}

function otherPricesOf({
  prices,
  reasoningPrice,
}: Pick<OtherCountsJson, 'prices' | 'reasoningPrice'>): OtherPrices | null {
  if (prices === null && reasoningPrice === undefined) return null
  const [audioInput, imageInput, audioOutput] = prices ?? [null, null, null]
  return {
    audioInput: amountIn(audioInput),
    imageInput: amountIn(imageInput),
    audioOutput: amountIn(audioOutput),
    ...(reasoningPrice === undefined ? {} : { reasoningOutput: nanoUsd(BigInt(reasoningPrice)) }),
  }
}

const NOTHING = { tokens: null, prices: null, units: null, unitPrices: null, terms: null }

function callsJson(calls: CallCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(CALL_KINDS.flatMap((kind) => (calls[kind] ? [[kind, whole(calls[kind])]] : [])))
}

function unitsJson(units: UnitCounts | null): Four<number> | null {
  if (units === null) return null
  return [
    wholeOrNull(units.requests),
    wholeOrNull(units.images),
    wholeOrNull(units.seconds),
    wholeOrNull(units.characters),
  ]
}

function unitPricesJson(prices: UnitPrices | null): Four<string> | null {
  if (prices === null) return null
  return [textOrNull(prices.request), textOrNull(prices.image), textOrNull(prices.second), textOrNull(prices.character)]
}

function wholeOrNull(count: number | null): number | null {
  return count === null ? null : whole(count)
}

/** No count is a fraction or below nothing; one that is must not keep its request out of the books. */
function whole(count: number): number {
  return Number.isSafeInteger(count) && count >= 0 ? count : Math.max(0, Math.round(count)) || 0
}
