import { formatMultiplier, partsPerMillion } from '../../core/money.ts'
import type { ImportNotes, PlannedGroup } from '../import-plan.ts'
import { dividedBy, nearest, type Rational, rational, times, wholeOf, NOTHING, ONE, isSame } from '../rational.ts'
import type { ExactAmounts, CallAmounts } from '../written-amounts.ts'
import type { Sub2apiGroups } from './groups.ts'
import type { SourcePrice } from './prices.ts'

/** Charges by group of the source, for each model that it is served. null: that is not known. */
export type PricesByGroup = ReadonlyMap<string, ReadonlyMap<string, SourcePrice | null>>

export interface SharedPrices {
  /** The price that a model has here. */
  readonly prices: ReadonlyMap<string, SourcePrice>
  /** The factors by which a group there is dearer than these, where it is; part of its multiplier here. */
  readonly factors: ReadonlyMap<string, Rational>
  /** Models that a group is charged for in no such proportion. */
  isOther(groupId: string, model: string): boolean
}

/**
 * Prices of models and factors of groups that make what each group is charged there: a price here is the same in all groups, times
 * their multiplier. Of the groups in the order that is given, each takes the factor that is right for most of its models.
 */
export function sharedPrices(byGroup: PricesByGroup): SharedPrices {
  const prices = new Map<string, SourcePrice>()
  const factors = new Map<string, Rational>()
  const others = new Map<string, Set<string>>()
  for (const [groupId, models] of byGroup) {
    const multiples = new Map<string, Rational | 'any' | null>()
    for (const [model, price] of models) {
      const here = prices.get(model)
      if (price !== null && here !== undefined) multiples.set(model, multipleOf(price, here))
    }
    const factor = mostCommon([...multiples.values()])
    if (!isSame(factor, ONE)) factors.set(groupId, factor)
    const other = new Set<string>()
    for (const [model, price] of models) {
      const multiple = multiples.get(model)
      if (price !== null && multiple === undefined) prices.set(model, scaled(price, dividedBy(ONE, factor)))
      else if (multiple === null || (typeof multiple === 'object' && !isSame(multiple, factor))) other.add(model)
      else if (price !== null) prices.set(model, withServices(prices.get(model), scaled(price, dividedBy(ONE, factor))))
    }
    others.set(groupId, other)
  }
  return {
    prices,
    factors,
    // A group that is charged nothing that is known is not served what has a price for others.
    isOther: (groupId, model) =>
      others.get(groupId)?.has(model) === true || (prices.has(model) && byGroup.get(groupId)?.get(model) === null),
  }
}

/** Whether two prices charge the same for everything. */
export function isSamePrice(a: SourcePrice | null, b: SourcePrice | null): boolean {
  if (a === null || b === null) return a === b
  const multiple = multipleOf(a, b)
  return multiple === 'any' || (multiple !== null && isSame(multiple, ONE))
}

function mostCommon(multiples: readonly (Rational | 'any' | null)[]): Rational {
  const counted: { readonly factor: Rational; readonly models: number }[] = []
  for (const multiple of multiples) {
    if (multiple === null || multiple === 'any') continue
    const place = counted.findIndex(({ factor }) => isSame(factor, multiple))
    if (place === -1) counted.push({ factor: multiple, models: 1 })
    else counted[place] = { factor: multiple, models: (counted[place]?.models ?? 0) + 1 }
  }
  const isPlain = ({ factor }: { factor: Rational }) => Number(isSame(factor, ONE))
  const [best] = counted.toSorted((a, b) => b.models - a.models || isPlain(b) - isPlain(a))
  return best?.factor ?? ONE
}

/** The groups of a plan, each with its factor in its multiplier. */
export function withFactors(
  groups: Sub2apiGroups,
  { factors, notes }: { readonly factors: ReadonlyMap<string, Rational>; readonly notes: ImportNotes },
): readonly PlannedGroup[] {
  const byName = new Map<string, Rational>()
  for (const [id, factor] of factors) {
    const factorSaid = formatMultiplier(partsPerMillion(nearest(inMillionths(factor))))
    const what = `have prices that are ${factorSaid} times those of their models here: that is part of their multiplier`
    notes.note('groups', id, what)
    for (const name of groups.allOf(id)) byName.set(name, factor)
  }
  return groups.groups.map((group) => {
    const factor = byName.get(group.name)
    return factor === undefined ? group : multiplied(group, factor, notes)
  })
}

function inMillionths(factor: Rational): Rational {
  return times(factor, rational(1_000_000n))
}

function multiplied(group: PlannedGroup, factor: Rational, notes: ImportNotes): PlannedGroup {
  const exact = times(rational(group.multiplier), factor)
  if (wholeOf(exact) === null) notes.approximate('multiplier', group.name)
  return { ...group, multiplier: partsPerMillion(nearest(exact)) }
}

function scaled(price: SourcePrice, factor: Rational): SourcePrice {
  if (isSame(factor, ONE)) return price
  const all = (amounts: ExactAmounts | CallAmounts) =>
    Object.fromEntries(Object.entries(amounts).map(([kind, amount]) => [kind, times(amount, factor)]))
  const tiers = (each: SourcePrice['tiers']) => each.map((tier) => ({ ...tier, amounts: all(tier.amounts) }))
  return {
    amounts: all(price.amounts),
    tiers: tiers(price.tiers),
    services: Object.fromEntries(
      Object.entries(price.services).map(([name, service]) => [
        name,
        'factor' in service ? service : { amounts: all(service.amounts), tiers: tiers(service.tiers) },
      ]),
    ),
    calls: all(price.calls),
  }
}

/** The classes of service of one platform do not exist on another, which may serve the model to another group. */
function withServices(price: SourcePrice | undefined, other: SourcePrice): SourcePrice {
  return price === undefined ? other : { ...price, services: { ...other.services, ...price.services } }
}

/** The factor by which one is dearer; `any`: both are free; null: some amounts are another multiple than others, or there on one side alone. */
function multipleOf(there: SourcePrice, here: SourcePrice): Rational | 'any' | null {
  const common = Object.keys(there.services).filter((name) => Object.hasOwn(here.services, name))
  const dear = partsOf(there, common)
  let multiple: Rational | null = null
  for (const [name, amount] of partsOf(here, common)) {
    const own = dear.get(name)
    dear.delete(name)
    const isFree = amount.over === 0n
    if (own === undefined || isFree !== (own.over === 0n)) return null
    if (isFree) continue
    const found = dividedBy(own, amount)
    if (multiple !== null && !isSame(multiple, found)) return null
    multiple = found
  }
  return dear.size === 0 ? (multiple ?? 'any') : null
}

/** Each amount of a price under a name of its own; what is not an amount is in the names, with the amount 0. `classes`: of service. */
function partsOf({ amounts, tiers, services, calls }: SourcePrice, classes: readonly string[]): Map<string, Rational> {
  const named = (prefix: string, all: ExactAmounts | CallAmounts) =>
    Object.entries(all).map(([kind, amount]) => [`${prefix}${kind}`, amount] as const)
  const lengths = (prefix: string, each: SourcePrice['tiers']) =>
    each.flatMap((tier) => named(`${prefix}${tier.above} `, charged(tier.amounts)))
  return new Map([
    ...named('', charged(amounts)),
    ...lengths('above ', tiers),
    ...named('call ', calls),
    ...Object.entries(services).flatMap(([name, service]) =>
      !classes.includes(name)
        ? []
        : 'factor' in service
          ? [[`${name} ×${nearest(inMillionths(service.factor))}`, NOTHING] as const]
          : [...named(`${name} `, charged(service.amounts)), ...lengths(`${name} above `, service.tiers)],
    ),
  ])
}

/** Adds what is charged for kinds that have no amount of their own. */
function charged(amounts: ExactAmounts): ExactAmounts {
  const { input } = amounts
  if (input === undefined) return amounts
  const { cache_read = input, cache_write = input } = amounts
  return { ...amounts, cache_read, cache_write, cache_write_1h: amounts.cache_write_1h ?? cache_write }
}
