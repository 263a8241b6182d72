import { ONE_PPM } from '../../core/money.ts'
import { dividedBy, type Rational, rational, times } from '../rational.ts'
import { decimalIn, type Row } from '../source.ts'
import type { ExactAmounts, WrittenTierAmounts } from '../written-amounts.ts'
import { platformOf } from './platforms.ts'
import type { ListedCost } from './price-list.ts'

/** A factor on all prices of tokens, or own ones. */
export type ServiceAmounts =
  | { readonly factor: Rational }
  | { readonly amounts: ExactAmounts; readonly tiers: readonly WrittenTierAmounts[] }

interface Plain {
  readonly amounts: ExactAmounts
  readonly tiers: readonly WrittenTierAmounts[]
}

/** What classes of service cost. `row`: of the card; empty: the list's price alone. */
export function servicesOf(
  plain: Plain,
  { platform, listed, row }: { platform: string; listed: ListedCost | null; row: Row },
): Readonly<Record<string, ServiceAmounts>> {
  const { classes } = platformOf(platform)
  return Object.fromEntries(
    classes.map(({ name, builtIn, column, isDear }) => {
      const own = decimalIn(row, column)
      const listedPrices = isDear && own === null ? multiplesOf(listed) : null
      return [name, listedPrices === null ? byFactor(plain, own ?? builtIn) : byKinds(plain, listedPrices)]
    }),
  )
}

/** Says by kind how many times its plain price a list asks for the dear class; null: it asks nothing of its own. */
function multiplesOf(listed: ListedCost | null): ReadonlyMap<string, Rational> | null {
  const plain = new Map(Object.entries(listed?.amounts ?? {}))
  const multiples = Object.entries(listed?.priority ?? {}).flatMap(([kind, dear]): (readonly [string, Rational])[] => {
    const usual = plain.get(kind)
    return usual === undefined || usual.over === 0n ? [] : [[kind, dividedBy(dear, usual)]]
  })
  return multiples.length === 0 ? null : new Map(multiples)
}

/** Factors here have three places; what is finer is written out. */
function byFactor(plain: Plain, factor: Rational): ServiceAmounts {
  const places = times(factor, rational(ONE_PPM / 1_000n))
  return places.over % places.under === 0n ? { factor } : byKinds(plain, new Map(), factor)
}

function byKinds(
  { amounts, tiers }: Plain,
  multiples: ReadonlyMap<string, Rational>,
  usual: Rational = rational(1n),
): ServiceAmounts {
  const dearer = (all: ExactAmounts): ExactAmounts =>
    Object.fromEntries(Object.entries(all).map(([kind, amount]) => [kind, times(amount, multiples.get(kind) ?? usual)]))
  return { amounts: dearer(amounts), tiers: tiers.map((tier) => ({ ...tier, amounts: dearer(tier.amounts) })) }
}
