import type { PartsPerMillion } from '../core/money.ts'
import type { NanoUsd } from '../core/money.ts'
import type { TokenPrices } from '../core/prices.ts'
import type { TokenCounts } from '../core/tokens.ts'

/** One kind of tokens that was charged: `tokens × price × multiplier` of the sum that `costOf` rounds up once. */
export interface PriceLine {
  readonly kind: TokenKind
  readonly tokens: number
  /** Nano-USD per million tokens: the kind's own, or that of the input or output it is part of. */
  readonly price: NanoUsd
  /** Exact, in 1e-21 USD: a count, nine places of the price, six of the million, six of the multiplier. */
  readonly exact: bigint
}

export type TokenKind = (typeof KINDS)[number]['kind']

/** A line for each kind that was counted, in the order in which they are explained. Together they make `costOf`, rounded up. */
export function priceLines(
  tokens: TokenCounts,
  prices: TokenPrices,
  multiplier: PartsPerMillion,
): readonly PriceLine[] {
  return KINDS.flatMap(({ kind, count, price }) => {
    const counted = count(tokens)
    if (!counted) return []
    const unit = price(prices)
    return [{ kind, tokens: counted, price: unit, exact: BigInt(counted) * unit * multiplier }]
  })
}

/** Writes what `exact` counts as decimal USD, without trailing zeros. */
export function formatExactUsd(exact: bigint): string {
  const digits = exact.toString().padStart(EXACT_PLACES + 1, '0')
  const fraction = digits.slice(-EXACT_PLACES).replace(/0+$/, '')
  return digits.slice(0, -EXACT_PLACES) + (fraction === '' ? '' : '.' + fraction)
}

const EXACT_PLACES = 21

interface KindOfToken {
  readonly kind: string
  readonly count: (tokens: TokenCounts) => number | null
  readonly price: (prices: TokenPrices) => NanoUsd
}

const KINDS = [
  { kind: 'input', count: ({ input }) => input, price: ({ input }) => input },
  { kind: 'cache_read', count: ({ cacheRead }) => cacheRead, price: ({ cacheRead, input }) => cacheRead ?? input },
  { kind: 'cache_write', count: ({ cacheWrite }) => cacheWrite, price: ({ cacheWrite, input }) => cacheWrite ?? input },
  {
    kind: 'cache_write_1h',
    count: ({ cacheWrite1h }) => cacheWrite1h,
    price: ({ cacheWrite1h, cacheWrite, input }) => cacheWrite1h ?? cacheWrite ?? input,
  },
  {
    kind: 'audio_input',
    count: ({ other }) => other?.audioInput ?? null,
    price: ({ other, input }) => other?.audioInput ?? input,
  },
  {
    kind: 'image_input',
    count: ({ other }) => other?.imageInput ?? null,
    price: ({ other, input }) => other?.imageInput ?? input,
  },
  { kind: 'output', count: ({ output }) => output, price: ({ output }) => output },
  {
    kind: 'audio_output',
    count: ({ other }) => other?.audioOutput ?? null,
    price: ({ other, output }) => other?.audioOutput ?? output,
  },
] as const satisfies readonly KindOfToken[]
