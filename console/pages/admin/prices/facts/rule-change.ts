import type { ModelFactsView } from '../../../../../src/contract/model-facts.ts'
import type { ModelView } from '../../../../../src/contract/models.ts'
import type { ModelChange } from '../../../../api/catalogue-changes.ts'
import { factorOf, countOf } from '../../../../forms/typed-numbers.ts'
import { UNLIMITED } from '../../../../format/unlimited.ts'
import { targetOf, toTargetForm } from '../target-form.ts'

export type Column = ModelFactsView['facts'][number]
export type FactOfTarget = ModelFactsView['targets'][number]['facts'][number]
export type FactValue = FactOfTarget['value']

/** Whom a rule is for: one of the targets, by its index, or all of the model. */
type Scope = number | 'model'

/** What is wrong with a number as it is written. */
export type NumberObjection = 'whole' | 'number'

/** A number of a fact as it is written; what is wrong with it: of counts only whole ones are taken. */
export function numberOf(text: string, column: Column): number | NumberObjection {
  const { least = 0, most = UNLIMITED } = column
  if (formOf(column) === 'count') return countOf(text, { least, most }) ?? 'whole'
  const number = Number(factorOf(text) ?? Number.NaN)
  return number >= least && number <= most ? number : 'number'
}

/** Facts without a bound of their own are counts. */
export function formOf({ most = UNLIMITED }: Column): 'count' | 'factor' {
  return most >= UNLIMITED ? 'count' : 'factor'
}

/** The change that sets a rule, or takes it back where `value` is undefined; all other rules stay. */
export function ruleChange(
  model: ModelView,
  { name, scope, value }: { readonly name: string; readonly scope: Scope; readonly value: FactValue | undefined },
): ModelChange {
  const changed = (rules: ModelView['rules']): ModelView['rules'] => {
    const others = Object.entries(rules).filter(([fact]) => fact !== name)
    return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
  }
  if (scope === 'model') return { rules: changed(model.rules) }
  const targets = (model.targets ?? []).map((target, index) =>
    targetOf(toTargetForm(index === scope ? { ...target, rules: changed(target.rules) } : target)),
  )
  return { targets }
}

/** Where the rule stands that is in force; null: the shipped value is. */
export function ruledAt(
  { rule_of_target: ofTarget, rule_of_model: ofModel }: FactOfTarget,
  target: number,
): Scope | null {
  if (ofTarget !== null) return target
  return ofModel === null ? null : 'model'
}
