import type { ModelView } from '../../../../src/contract/models.ts'

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

const WHOLE = /^\d{1,7}$/
const MOST = 1_000_000
const NUMBER = /^\d{1,9}(\.\d{1,9})?$/

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
  const isWhole = (text: string): boolean => WHOLE.test(text) && Number(text) <= MOST
  const isNumber = (text: string): boolean => text === '' || NUMBER.test(text)
  const hasCost = wish.factor !== '' || hasOwnPrices(wish)
  return {
    ...(wish.upstream === '' ? { upstream: 'required' as const } : {}),
    ...(wish.model.trim() === '' ? { model: 'required' as const } : {}),
    ...(isWhole(wish.priority) ? {} : { priority: 'whole' as const }),
    ...(isWhole(wish.weight) ? {} : { weight: 'whole' as const }),
    ...(isNumber(wish.factor) ? {} : { factor: 'number' as const }),
    ...(!isNumber(wish.min_margin)
      ? { min_margin: 'number' as const }
      : wish.min_margin !== '' && !hasCost
        ? { min_margin: 'marginNeedsCost' as const }
        : {}),
    ...(isNumber(wish.spend_per_day) ? {} : { spend_per_day: 'number' as const }),
  }
}

/** As the API takes it. A rule in shadow goes with the rule. */
export function targetOf(wish: TargetWish): object {
  const { kept } = wish
  const cost: Partial<Cost> | null = hasOwnPrices(wish)
    ? withoutNull(kept.cost)
    : wish.factor === ''
      ? null
      : { factor: wish.factor }
  const rules = { min_margin: wish.min_margin || null, spend_per_day: wish.spend_per_day || null }
  return {
    upstream: wish.upstream,
    model: wish.model.trim(),
    priority: Number(wish.priority),
    weight: Number(wish.weight),
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
