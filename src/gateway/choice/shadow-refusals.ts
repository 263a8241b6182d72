import { SHADOW_RULE_NAMES, type ShadowRule } from '../../core/shadow-rules.ts'
import type { CallableModel } from '../../entitlement/callable-models.ts'
import { isMarginShadowed } from '../../entitlement/usable-targets.ts'
import type { Candidate, ShadowRefusal } from '../../routing/candidate.ts'

/**
 * The rules in shadow that would keep a request from a candidate now, were they enforced. Nothing for one without such rules,
 * as nearly all are.
 */
export function shadowRefusals(
  candidate: Candidate,
  { model, group }: Pick<CallableModel, 'model' | 'group'>,
  now: number,
): readonly ShadowRefusal[] {
  if (!candidate.isShadowed) return NONE
  const refusals = candidate.refusingInShadow(now)
  if (!isMarginShadowed(candidate.target, model, group)) return refusals
  return [{ rule: 'min_margin', of: 'target' }, ...refusals]
}

const NONE: readonly ShadowRefusal[] = []

/** Each rule once, on whatever it is set, in one order. */
export function rulesOf(refusals: readonly ShadowRefusal[]): readonly ShadowRule[] {
  return SHADOW_RULE_NAMES.filter((name) => refusals.some(({ rule }) => rule === name))
}
