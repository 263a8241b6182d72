/** Models whose price is far from what providers list. */
import type { ShippedPrice, ShippedPrices } from '../../contract/price-catalogue.ts'
import { formatUsd, type NanoUsd, parseUsd } from '../../core/money.ts'
import type { Model } from '../../routing/catalog.ts'
import type { Failures } from './attention-failures.ts'
import type { RawItem } from './attention-item.ts'

/** Percent by which a price may differ: some sell a little above or below the list. */
const DIFFERS_PERCENT = 10n
const MOST_MODELS = 20
const KINDS = ['input', 'output'] as const

type ComparedKind = (typeof KINDS)[number]
type ComparedAmounts = { readonly [Each in ComparedKind]: NanoUsd | null }

interface PriceDifference {
  readonly kind: ComparedKind
  readonly ours: NanoUsd
  readonly listed: NanoUsd
  readonly percent: bigint
  readonly provider: string
}

/**
 * Each model of which no provider in the shipped list has a price near ours, by what its provider charges where that is set,
 * else by its own price. A name is matched as a whole. A locked price was set on purpose, and is left alone.
 */
export function differingPrices(
  models: readonly Model[],
  shipped: ShippedPrices | null,
  failures: Pick<Failures, 'seen'>,
): readonly RawItem[] {
  if (shipped === null) return []
  return models
    .flatMap((model) => {
      const difference = model.isPriceLocked === true ? null : differenceOf(model, shipped)
      return difference === null ? [] : [{ model: model.name, difference }]
    })
    .toSorted((a, b) => Number(b.difference.percent - a.difference.percent))
    .slice(0, MOST_MODELS)
    .map(({ model, difference: { kind, ours, listed, provider } }) => ({
      kind: 'price_differs',
      model,
      price: { kind, ours: formatUsd(ours), listed: formatUsd(listed), provider, dated: shipped.dated },
      requests: failures.seen((record) => record.model === model),
      detail: `The ${kind} of the model "${model}" costs $${formatUsd(ours)} per million tokens here and $${formatUsd(listed)} in the price list of "${provider}" (${shipped.dated}): set the price, set the cost of its targets, or lock it.`,
    }))
}

/** The difference from the provider whose list is nearest; null: one is near, or none has the model. */
function differenceOf(model: Model, { providers }: ShippedPrices): PriceDifference | null {
  const ours = amountsOf(model)
  if (ours === null) return null
  const names = [model.name, targetName(model)]
  const name = names.find((each) => Object.values(providers).some((listed) => Object.hasOwn(listed, each)))
  if (name === undefined) return null
  const found = Object.entries(providers).flatMap(([provider, listed]) => {
    const entry = Object.hasOwn(listed, name) ? listed[name] : undefined
    return entry === undefined ? [] : [worstOf(ours, entry, provider)]
  })
  const nearest = found.toSorted((a, b) => Number((a?.percent ?? 0n) - (b?.percent ?? 0n)))[0] ?? null
  return nearest !== null && nearest.percent > DIFFERS_PERCENT ? nearest : null
}

/** null: neither the price nor the cost has amounts of tokens. */
function amountsOf({ prices, targets }: Model): ComparedAmounts | null {
  const cost = targets.map((target) => target.cost).find((each) => each?.kind === 'prices')
  const compared = cost?.kind === 'prices' ? cost.prices : prices
  return compared === null || compared.input === null ? null : compared
}

/** Empty: it has no target, or they differ. */
function targetName({ targets }: Model): string {
  const names = new Set(targets.map(({ model }) => model))
  return names.size === 1 ? ([...names][0] ?? '') : ''
}

/** The amount that is off most. */
function worstOf(ours: ComparedAmounts, { price }: ShippedPrice, provider: string): PriceDifference | null {
  const differences = KINDS.flatMap((kind): PriceDifference[] => {
    const [own, written] = [ours[kind], price[kind]]
    if (own === null || written == null) return []
    const listed = parseUsd(written)
    return [{ kind, ours: own, listed, percent: percentBetween(own, listed), provider }]
  })
  return differences.toSorted((a, b) => Number(b.percent - a.percent))[0] ?? null
}

/** Percent of the smaller of the two; to or from nothing: more than any other. */
function percentBetween(one: bigint, other: bigint): bigint {
  const [less, more] = one < other ? [one, other] : [other, one]
  if (less === more) return 0n
  return less === 0n ? 10n ** 9n : ((more - less) * 100n) / less
}
