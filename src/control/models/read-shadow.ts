import { mustBe } from '../../core/must-be.ts'
import { SHADOW_FORM, shadowOf, type ShadowRule, unsetShadow } from '../../core/shadow-rules.ts'
import { fieldProblem } from '../problem.ts'

interface Sent<Rule extends ShadowRule> {
  readonly shadow: readonly Rule[]
  /** What is set beside it, by its field. */
  readonly rules: { readonly [Each in Rule]?: unknown }
  /** The object of the request that they stand in; left out: all of it. */
  readonly at?: string
}

/** The rules in shadow of a request. Throws Problem `field_invalid` for one that is not set. */
export function readShadow<Rule extends ShadowRule>(all: readonly Rule[], { shadow, rules, at }: Sent<Rule>) {
  const index = unsetShadow(shadow, rules)
  if (index === -1) return shadowOf(all, shadow)
  const field = [...(at === undefined ? [] : [at]), 'shadow', index].join('.')
  throw fieldProblem(field, `${field} ${mustBe(SHADOW_FORM)}.`)
}

/** The same of a change: what is left out stays, but for rules that are no longer set. */
export function patchedShadow<Rule extends ShadowRule>(
  all: readonly Rule[],
  sent: Omit<Sent<Rule>, 'shadow'> & {
    readonly shadow: readonly Rule[] | undefined
    readonly stood: readonly Rule[] | undefined
  },
) {
  const { shadow, stood = [], rules } = sent
  if (shadow !== undefined) return readShadow(all, { ...sent, shadow })
  return shadowOf(
    all,
    stood.filter((rule) => rules[rule] != null),
  )
}
