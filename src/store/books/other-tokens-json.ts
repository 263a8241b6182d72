import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { OtherPrices, TokenPrices } from '../../core/prices.ts'
import type { OtherTokens } from '../../core/tokens.ts'

/**
 * Counts of the kinds of tokens that few requests have, and their prices as text: in this order audio input, image input,
 * audio output. One column for all of them, null in nearly every record.
 */
interface OtherTokensJson {
  readonly tokens: readonly [number, number, number]
  readonly prices: readonly [string | null, string | null, string | null] | null
}

export function otherTokensJson(tokens: OtherTokens | null, prices: TokenPrices | null): string | null {
  if (tokens === null) return null
  const other = prices?.other ?? null
  const json: OtherTokensJson = {
    tokens: [whole(tokens.audioInput), whole(tokens.imageInput), whole(tokens.audioOutput)],
    prices: other && [asText(other.audioInput), asText(other.imageInput), asText(other.audioOutput)],
  }
  return JSON.stringify(json)
}

/** Reads the column, parsed. */
export function otherTokensOf(json: unknown): {
  readonly tokens: OtherTokens | null
  readonly prices: OtherPrices | null
} {
  if (json === null) return { tokens: null, prices: null }
  const { tokens, prices } = json as OtherTokensJson
  return {
    tokens: { audioInput: tokens[0], imageInput: tokens[1], audioOutput: tokens[2] },
    prices: prices && { audioInput: amount(prices[0]), imageInput: amount(prices[1]), audioOutput: amount(prices[2]) },
  }
}

function asText(price: NanoUsd | null): string | null {
  return price === null ? null : String(price)
}

function amount(text: string | null): NanoUsd | null {
  return text === null ? null : nanoUsd(BigInt(text))
}

/** No count is a fraction or below nothing; one that is must not keep its request out of the books. */
function whole(count: number): number {
  return Number.isSafeInteger(count) && count >= 0 ? count : Math.max(0, Math.round(count)) || 0
}
