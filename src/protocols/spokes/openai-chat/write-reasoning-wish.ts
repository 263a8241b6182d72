import type { ModelFacts } from '../../../models/facts.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { ReasoningPlan } from '../../hub/reasoning-plan.ts'
import { effortOf } from '../../hub/reasoning-scale.ts'
import type { SettingsToWrite } from '../../hub/request-settings.ts'

/**
 * The wish for reasoning, in the fields of the model's provider: an effort, or a switch. Where the model has no words for how
 * much, the wish is left out and named.
 */
export function writeReasoningWish(plan: ReasoningPlan, facts: ModelFacts, settings: SettingsToWrite): JsonObject {
  if (plan.isOff) return turnedOff(facts)
  if (plan.wish === null) return {}
  const effort = effortOf(plan.wish, facts.efforts)
  if (effort !== null) return { reasoning_effort: effort }
  if (plan.wish.effort !== null || plan.wish.budgetTokens !== null) settings.drop('reasoning')
  return {}
}

/** `thinking` is DeepSeek's, Kimi's and GLM's, `enable_thinking` Alibaba's. */
function turnedOff({ reasoning_off: way }: ModelFacts): JsonObject {
  switch (way) {
    case 'effort_none':
      return { reasoning_effort: 'none' }
    case 'thinking_disabled':
    case 'between_tools':
      return { thinking: { type: 'disabled' } }
    case 'enable_thinking_false':
      return { enable_thinking: false }
    case 'budget_zero':
    case 'omit':
    case 'never':
    case 'unknown':
      return {}
  }
}
