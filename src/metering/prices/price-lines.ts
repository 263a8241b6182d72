import { CALL_KINDS, type CallKind } from '../../core/calls.ts'
import { formatUsd, type NanoUsd, nanoUsd, type PartsPerMillion } from '../../core/money.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import { type UnitCounts, type UnitPrices, UNITS_PER_PRICE } from '../../core/units.ts'
import { CHARGED_PRICES } from './charged-prices.ts'
import { pricedReasoning } from './cost.ts'

/** One kind of tokens, units or calls that was charged: `count × price × multiplier` of the sum that `costOf` rounds up once. */
export interface PriceLine {
  readonly kind: PricedKind
  readonly count: number
  /** How many the price is for: a million tokens or characters, one request, image, second or call. */
  readonly per: 1 | 1_000_000
  /** Nano-USD per million of them: the kind's own, or that of the input or output it is part of. */
  readonly price: NanoUsd
  /** Exact, in 1e-21 USD: a count, nine places of the price, six of the million, six of the multiplier. */
  readonly exact: bigint
}

export type PricedKind = (typeof KINDS)[number]['kind'] | CallKind

/**
 * A line for each kind that was counted and has a price, in the order in which they are explained. Together they make
 * `costOf`, rounded up.
 */
export function priceLines(
  tokens: TokenCounts,
  prices: TokenPrices,
  multiplier: PartsPerMillion,
): readonly PriceLine[] {
  const kinds = tokens.calls === undefined ? KINDS : [...KINDS, ...CALLS]
  return kinds.flatMap(({ kind, per, count, price }) => {
    const counted = count(tokens, prices)
    const unit = price(prices)
    if (!counted || unit === null) return []
    return [{ kind, count: counted, per, price: unit, exact: BigInt(counted) * unit * multiplier }]
  })
}

/** A line's price as people see it, in USD for `per` of them. Exact: prices of one are set with nine places at most. */
export function formatLinePrice({ price, per }: Pick<PriceLine, 'price' | 'per'>): string {
  return formatUsd(per === 1 ? nanoUsd(price / UNITS_PER_PRICE) : price)
}

/** Writes what `exact` counts as decimal USD, without trailing zeros. */
export function formatExactUsd(exact: bigint): string {
  const digits = exact.toString().padStart(EXACT_PLACES + 1, '0')
  const fraction = digits.slice(-EXACT_PLACES).replace(/0+$/, '')
  return digits.slice(0, -EXACT_PLACES) + (fraction === '' ? '' : '.' + fraction)
}

const EXACT_PLACES = 21

interface PriceKind {
  readonly kind: string
  readonly per: PriceLine['per']
  readonly count: (tokens: TokenCounts, prices: TokenPrices) => number | null
  readonly price: (prices: TokenPrices) => NanoUsd | null
}

const MILLION = 1_000_000

const KINDS = [
  { kind: 'input', per: MILLION, count: ({ input }) => input, price: CHARGED_PRICES.input },
  { kind: 'cache_read', per: MILLION, count: ({ cacheRead }) => cacheRead, price: CHARGED_PRICES.cache_read },
  { kind: 'cache_write', per: MILLION, count: ({ cacheWrite }) => cacheWrite, price: CHARGED_PRICES.cache_write },
  {
    kind: 'cache_write_1h',
    per: MILLION,
    count: ({ cacheWrite1h }) => cacheWrite1h,
    price: CHARGED_PRICES.cache_write_1h,
  },
  { kind: 'audio_input', per: MILLION, count: apart('audioInput'), price: CHARGED_PRICES.audio_input },
  { kind: 'image_input', per: MILLION, count: apart('imageInput'), price: CHARGED_PRICES.image_input },
  {
    kind: 'output',
    per: MILLION,
    count: (tokens, { other }) =>
      tokens.output === null || other?.reasoningOutput === undefined
        ? tokens.output
        : tokens.output - pricedReasoning(tokens),
    price: CHARGED_PRICES.output,
  },
  {
    kind: 'reasoning_output',
    per: MILLION,
    count: (tokens, { other }) => (other?.reasoningOutput === undefined ? null : pricedReasoning(tokens)),
    price: CHARGED_PRICES.reasoning_output,
  },
  { kind: 'audio_output', per: MILLION, count: apart('audioOutput'), price: CHARGED_PRICES.audio_output },
  { kind: 'requests', per: 1, count: units('requests'), price: priceOfUnits('request') },
  { kind: 'images', per: 1, count: units('images'), price: priceOfUnits('image') },
  { kind: 'seconds', per: 1, count: units('seconds'), price: priceOfUnits('second') },
  { kind: 'characters', per: MILLION, count: units('characters'), price: priceOfUnits('character') },
] as const satisfies readonly PriceKind[]

function apart(kind: 'audioInput' | 'imageInput' | 'audioOutput') {
  return ({ other }: TokenCounts) => other?.[kind] ?? null
}

function units(unit: keyof UnitCounts) {
  return (tokens: TokenCounts) => tokens.units?.[unit] ?? null
}

function priceOfUnits(unit: keyof UnitPrices) {
  return (prices: TokenPrices) => prices.units?.[unit] ?? null
}

const CALLS = CALL_KINDS.map((kind) => ({
  kind,
  per: 1 as const,
  count: ({ calls }: TokenCounts) => calls?.[kind] ?? null,
  price: ({ calls }: TokenPrices) => calls?.[kind] ?? null,
}))
