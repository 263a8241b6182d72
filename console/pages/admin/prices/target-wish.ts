import type { ModelView } from '../../../../src/contract/models.ts'
import { amountOf, amountOrNone, countOf, factorOf, isEmptyOr } from '../../../forms/typed-numbers.ts'

type Target = NonNullable<ModelView['targets']>[number]
type Cost = NonNullable<Target['cost']>

/** A target as it is written in the form; empty: not set. */
export interface TargetWish {
  readonly upstream: string
  readonly model: string
  readonly priority: string
  readonly weight: string
  readonly groups: readonly string[]
  /** Of the model's price; what a target costs by prices of its own stays as it is. */
  readonly factor: string
  readonly min_margin: string
  readonly spend_per_day: string
  /** The model whose fields it takes. */
  readonly fields_like: string
  /** What the form does not show. */
  readonly kept: Partial<Target>
}

export type TargetField = 'upstream' | 'model' | 'priority' | 'weight' | 'factor' | 'min_margin' | 'spend_per_day'
export type TargetObjection = 'required' | 'whole' | 'number' | 'marginNeedsCost'

const SHARE = { least: 0, most: 1_000_000 } as const

export function newTarget(upstream: string, model: string): TargetWish {
  const unset = { factor: '', min_margin: '', spend_per_day: '', fields_like: '' }
  return { upstream, model, priority: '0', weight: '1', groups: [], ...unset, kept: {} }
}

export function targetWish(target: Target): TargetWish {
  return {
    upstream: target.upstream,
    model: target.model,
    priority: String(target.priority),
    weight: String(target.weight),
    groups: target.groups,
    factor: target.cost?.factor ?? '',
    min_margin: target.min_margin ?? '',
    spend_per_day: target.spend_per_day ?? '',
    fields_like: target.fields_like ?? '',
    kept: target,
  }
}

/** Whether it costs by prices of its own, which the form keeps. */
export function hasOwnPrices({ kept }: TargetWish): boolean {
  return kept.cost != null && kept.cost.factor === null
}

/** What is wrong with each field. */
export function objectionsToTarget(wish: TargetWish): { readonly [Field in TargetField]?: TargetObjection } {
  const isWhole = (text: string): boolean => countOf(text, SHARE) !== null
  const hasCost = wish.factor.trim() !== '' || hasOwnPrices(wish)
  return {
    ...(wish.upstream === '' ? { upstream: 'required' as const } : {}),
    ...(wish.model.trim() === '' ? { model: 'required' as const } : {}),
    ...(isWhole(wish.priority) ? {} : { priority: 'whole' as const }),
    ...(isWhole(wish.weight) ? {} : { weight: 'whole' as const }),
    ...(isEmptyOr(factorOf, wish.factor) ? {} : { factor: 'number' as const }),
    ...(!isEmptyOr(factorOf, wish.min_margin)
      ? { min_margin: 'number' as const }
      : wish.min_margin.trim() !== '' && !hasCost
        ? { min_margin: 'marginNeedsCost' as const }
        : {}),
    ...(isEmptyOr(amountOf, wish.spend_per_day) ? {} : { spend_per_day: 'number' as const }),
  }
}

/** As the API takes it, of a wish without objections. A rule in shadow goes with the rule. */
export function targetOf(wish: TargetWish): object {
  const { kept } = wish
  const factor = factorOf(wish.factor)
  const ofFactor = factor === null ? null : { factor }
  const cost: Partial<Cost> | null = hasOwnPrices(wish) ? withoutNull(kept.cost) : ofFactor
  const rules = { min_margin: factorOf(wish.min_margin), spend_per_day: amountOrNone(wish.spend_per_day) }
  return {
    upstream: wish.upstream,
    model: wish.model.trim(),
    priority: countOf(wish.priority, SHARE) ?? 0,
    weight: countOf(wish.weight, SHARE) ?? 0,
    groups: wish.groups,
    cost,
    ...rules,
    shadow: (kept.shadow ?? []).filter((rule) => rules[rule] !== null),
    drop_fields: kept.drop_fields ?? [],
    fields_like: wish.fields_like.trim() || null,
    rules: kept.rules ?? {},
  }
}

function withoutNull(cost: Cost | null | undefined): Partial<Cost> | null {
  if (cost == null) return null
  return Object.fromEntries(Object.entries(cost).filter(([, value]) => value !== null))
}
