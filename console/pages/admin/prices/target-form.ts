import type { ModelView } from '../../../../src/contract/models.ts'
import { amountOf, amountOrNone, countOf, factorOf, isEmptyOr } from '../../../forms/typed-numbers.ts'

type Target = NonNullable<ModelView['targets']>[number]
type Cost = NonNullable<Target['cost']>

/** A target as it is written in the form; empty: not set. */
export interface TargetForm {
  readonly upstream: string
  readonly model: string
  readonly priority: string
  readonly weight: string
  readonly groups: readonly string[]
  /** The factor on the model's price; what a target costs by prices of its own stays as it is. */
  readonly factor: string
  readonly min_margin: string
  readonly spend_per_day: string
  /** The model whose fields it takes. */
  readonly fields_like: string
  /** What the form does not show. */
  readonly kept: Partial<Target>
}

export type TargetField = 'upstream' | 'model' | 'priority' | 'weight' | 'factor' | 'min_margin' | 'spend_per_day'
export type TargetProblem = 'required' | 'whole' | 'number' | 'marginNeedsCost'

const SHARE = { least: 0, most: 1_000_000 } as const

export function newTarget(upstream: string, model: string): TargetForm {
  const unset = { factor: '', min_margin: '', spend_per_day: '', fields_like: '' }
  return { upstream, model, priority: '0', weight: '1', groups: [], ...unset, kept: {} }
}

export function toTargetForm(target: Target): TargetForm {
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
export function hasOwnPrices({ kept }: TargetForm): boolean {
  return kept.cost != null && kept.cost.factor === null
}

/** What is wrong with each field. */
export function validateTarget(form: TargetForm): { readonly [Field in TargetField]?: TargetProblem } {
  const isWhole = (text: string): boolean => countOf(text, SHARE) !== null
  const hasCost = form.factor.trim() !== '' || hasOwnPrices(form)
  return {
    ...(form.upstream === '' ? { upstream: 'required' as const } : {}),
    ...(form.model.trim() === '' ? { model: 'required' as const } : {}),
    ...(isWhole(form.priority) ? {} : { priority: 'whole' as const }),
    ...(isWhole(form.weight) ? {} : { weight: 'whole' as const }),
    ...(isEmptyOr(factorOf, form.factor) ? {} : { factor: 'number' as const }),
    ...(!isEmptyOr(factorOf, form.min_margin)
      ? { min_margin: 'number' as const }
      : form.min_margin.trim() !== '' && !hasCost
        ? { min_margin: 'marginNeedsCost' as const }
        : {}),
    ...(isEmptyOr(amountOf, form.spend_per_day) ? {} : { spend_per_day: 'number' as const }),
  }
}

/** The target of a valid form as the API takes it. A rule in shadow goes with the rule. */
export function targetOf(form: TargetForm): object {
  const { kept } = form
  const factor = factorOf(form.factor)
  const ofFactor = factor === null ? null : { factor }
  const cost: Partial<Cost> | null = hasOwnPrices(form) ? withoutNull(kept.cost) : ofFactor
  const rules = { min_margin: factorOf(form.min_margin), spend_per_day: amountOrNone(form.spend_per_day) }
  return {
    upstream: form.upstream,
    model: form.model.trim(),
    priority: countOf(form.priority, SHARE) ?? 0,
    weight: countOf(form.weight, SHARE) ?? 0,
    groups: form.groups,
    cost,
    ...rules,
    shadow: (kept.shadow ?? []).filter((rule) => rules[rule] !== null),
    drop_fields: kept.drop_fields ?? [],
    fields_like: form.fields_like.trim() || null,
    rules: kept.rules ?? {},
  }
}

function withoutNull(cost: Cost | null | undefined): Partial<Cost> | null {
  if (cost == null) return null
  return Object.fromEntries(Object.entries(cost).filter(([, value]) => value !== null))
}
