import { mustBe } from '../../core/must-be.ts'
import { SHADOW_FORM, type ShadowRule, unsetShadow } from '../../core/shadow-rules.ts'
import { fieldProblem } from '../problem.ts'

/** The values of an object's fields: rules in shadow, and the rules themselves; null: it is not set. */
type HeldRules<Rule extends ShadowRule> = { readonly shadow: readonly Rule[] } & { readonly [Each in Rule]: unknown }

/**
 * Throws Problem `field_invalid` for a rule in shadow that is not set. `at`: the object of the request that they stand in; left
 * out: all of it.
 */
export function requireShadowed<Rule extends ShadowRule>(held: HeldRules<Rule>, at?: string): void {
  const index = unsetShadow<Rule>(held.shadow, held)
  if (index === -1) return
  const field = [...(at === undefined ? [] : [at]), 'shadow', index].join('.')
  throw fieldProblem(field, `${field} ${mustBe(SHADOW_FORM)}.`)
}
