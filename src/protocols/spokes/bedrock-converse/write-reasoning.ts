import type { ModelFacts } from '../../../models/facts.ts'
import { effortOf, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { Effort, Reasoning } from '../../hub/request-settings.ts'
import { takeOutputLimit } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { budgetWithin } from '../../hub/thinking-budget.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** Reasoning as it is asked for, and the limit of the output, of which it is a part. */
interface AskedReasoning {
  readonly thinks: boolean
  /** Fields of `additionalModelRequestFields`: Converse has none of its own for reasoning. */
  readonly fields: JsonObject
  /** Null: the model's own limit holds. */
  readonly maxTokens: number | null
}

interface PlannedReasoning {
  readonly plan: ReasoningPlan
  readonly lacksThinking: boolean
}

/** The limit beside a budget for thinking where neither client nor model says one: as Anthropic's messages have it. */
const THINKING_ANSWER_TOKENS = 32_000

/**
 * What a model is asked of reasoning, in the words of its maker: Claude's `thinking` (AWS, "Extended thinking"), Nova's
 * `reasoningConfig` (Nova 2 User Guide, "Extended thinking"), `reasoning_effort` of gpt-oss (AWS, "OpenAI models"), and the
 * `reasoning.effort` of GPT (stdapi-ai/stdapi.ai #283). Nothing is said to models of other makers.
 */
export function writeReasoning(call: UpstreamCall, { plan, lacksThinking }: PlannedReasoning): AskedReasoning {
  const { settings, facts } = call
  const { wish } = plan
  const maxTokens = takeOutputLimit(call)
  const silent: AskedReasoning = { thinks: false, fields: {}, maxTokens }
  if (plan.isOff) return { ...silent, fields: turnedOff(facts) }
  if (wish === null) return silent
  const written =
    facts.extra_fields === 'anthropic'
      ? claudesThinking(wish, { call, silent, lacksThinking })
      : asEffort(wish, facts, silent)
  if (written === null && asks(wish)) settings.drop('reasoning')
  return written ?? silent
}

function asks({ effort, budgetTokens, isShown }: Reasoning): boolean {
  return effort !== null || budgetTokens !== null || isShown === true
}

/** A word that turns it off; nothing where the model does not reason unless it is asked to. */
function turnedOff({ extra_fields: maker, reasons_unasked: unasked }: ModelFacts): JsonObject {
  if (maker === 'reasoning') return { reasoning: { effort: 'none' } }
  if (maker === 'reasoning_effort') return { reasoning_effort: 'none' }
  return maker === 'anthropic' && unasked ? { thinking: { type: 'disabled' } } : {}
}

/** Null: nothing can be said. */
function asEffort(wish: Reasoning, facts: ModelFacts, silent: AskedReasoning): AskedReasoning | null {
  if (facts.reasoning !== 'effort' && facts.reasoning !== 'unknown') return null
  const effort = effortOf(wish, facts.efforts)
  const fields = effort === null ? null : effortFields(effort, facts, silent.maxTokens)
  return fields === null ? null : { ...silent, thinks: true, fields }
}

function effortFields(
  effort: Effort,
  { extra_fields: maker }: ModelFacts,
  maxTokens: number | null,
): JsonObject | null {
  switch (maker) {
    case 'nova':
      return { reasoningConfig: { type: 'enabled', maxReasoningEffort: novasEffort(effort, maxTokens) } }
    case 'reasoning':
      return { reasoning: { effort } }
    case 'reasoning_effort':
      return { reasoning_effort: effort }
    case 'anthropic':
    case 'mistral':
    case 'cohere':
    case 'none':
      return null
  }
}

/** Nova refuses an output limit beside the highest effort, and the limit is what the answer is paid by. */
function novasEffort(effort: Effort, maxTokens: number | null): Effort {
  return effort === 'high' && maxTokens !== null ? 'medium' : effort
}

interface ThinkingContext {
  readonly call: UpstreamCall
  readonly silent: AskedReasoning
  readonly lacksThinking: boolean
}

function claudesThinking(wish: Reasoning, { call, silent, lacksThinking }: ThinkingContext): AskedReasoning | null {
  const { facts, modelMaxOutputTokens: known } = call
  if (facts.reasoning === 'adaptive') {
    const effort = effortOf(wish, facts.efforts)
    const config = effort === null ? {} : { output_config: { effort } }
    return { ...silent, thinks: true, fields: { thinking: { type: 'adaptive' }, ...config } }
  }
  if (lacksThinking) return null
  const ceiling = silent.maxTokens ?? known ?? Math.min(THINKING_ANSWER_TOKENS, facts.most_output)
  const budget = budgetWithin(wish, ceiling, facts)
  if (budget === null) return null
  return { thinks: true, fields: { thinking: { type: 'enabled', budget_tokens: budget } }, maxTokens: ceiling }
}
