/** What a call costs the admin, by the provider's price list: the same prices that the attacked models have. */
import type { BilledCall } from '../../support/provider/ledger.ts'

/**
 * Nano-USD for a token, and in the form that models take: USD for a million. A step of output is a tenth of a cent, so that
 * many requests run at once on a cent before it is gone.
 */
const PRICES = { input: 200n, output: 1_000n, cacheRead: 20n, cacheWrite: 250n, cacheWrite1h: 400n, audio: 2_000n }

/** Nano-USD for a token of input. */
export const INPUT_PRICE = PRICES.input

export const MODEL_PRICES = {
  input: '0.2',
  output: '1',
  cache_read: '0.02',
  cache_write: '0.25',
  cache_write_1h: '0.4',
  audio_output: '2',
} as const

/** In percent of the plain price. Of the kind that providers list: OpenAI's and Google's priority, Anthropic's fast mode. */
const DEAR_PERCENT: Readonly<Record<string, bigint>> = { priority: 200n, fast: 600n, us: 110n }

/** Nano-USD. */
export function billOf(call: BilledCall): bigint {
  const plain =
    BigInt(call.input) * PRICES.input +
    BigInt(call.cacheRead) * PRICES.cacheRead +
    BigInt(call.cacheWrite) * PRICES.cacheWrite +
    BigInt(call.cacheWrite1h) * PRICES.cacheWrite1h +
    BigInt(call.output - call.audio) * PRICES.output +
    BigInt(call.audio) * PRICES.audio
  const factors = [call.tier, call.speed, call.region].map((name) => DEAR_PERCENT[name ?? ''] ?? 100n)
  return factors.reduce((sum, percent) => (sum * percent) / 100n, plain)
}

/** One step of output at these prices: what a request may pass a limit by. */
export const STEP = 1_024n * PRICES.output

/** USD in decimals, to six places. */
export function usd(nano: bigint): string {
  return `$${(Number(nano) / 1e9).toFixed(6)}`
}
