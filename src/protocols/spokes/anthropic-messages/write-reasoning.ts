import type { ModelFacts } from '../../../models/facts.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { effortOf, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { Reasoning } from '../../hub/request-settings.ts'
import { takeOutputLimit } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { asksToThink, budgetWithin } from '../../hub/thinking-budget.ts'

/** Thinking as it is asked for, and the limit of the output, of which it is a part. */
export interface WrittenReasoning {
  readonly thinks: boolean
  /** The field `thinking`, where there is something to say. */
  readonly thinking: JsonObject
  /** A field of `output_config`. */
  readonly effort: JsonObject
  readonly maxTokens: number
}

interface ReasoningContext {
  readonly plan: ReasoningPlan
  /** See `lacksThinking`. Models that decide by themselves don't mind. */
  readonly lacksThinking: boolean
}

/** The limit for a model whose output limit is unknown: every model of this wire writes as much. */
const ANSWER_TOKENS = 8_192
/** The limit with thinking: the least of the models that think (Claude Opus 4). */
const THINKING_ANSWER_TOKENS = 32_000

export function writeReasoning(call: UpstreamCall, { plan, lacksThinking }: ReasoningContext): WrittenReasoning {
  const { settings, facts, modelMaxOutputTokens: known } = call
  const { wish } = plan
  const limit = takeOutputLimit(call)
  const maxTokens = limit ?? known ?? Math.min(ANSWER_TOKENS, facts.most_output)
  const silent: WrittenReasoning = { thinks: false, thinking: {}, effort: {}, maxTokens }
  if (plan.isOff) return { ...silent, ...turnedOff(wish, facts) }
  if (wish === null) return silent
  if (facts.reasoning === 'adaptive') return adaptive(wish, { call, silent, limit })
  const ceiling = limit ?? known ?? Math.min(THINKING_ANSWER_TOKENS, facts.most_output)
  const budgetTokens = budgetWithin(wish, ceiling, facts)
  if (lacksThinking || budgetTokens === null) {
    if (asksToThink(wish)) settings.drop('reasoning')
    return silent
  }
  const display = facts.hidden_reasoning && wish.isShown === false ? { display: 'omitted' } : {}
  const thinking = { type: 'enabled', budget_tokens: budgetTokens, ...display }
  return { thinks: true, thinking: { thinking }, effort: {}, maxTokens: ceiling }
}

interface AdaptiveOptions {
  readonly call: UpstreamCall
  readonly silent: WrittenReasoning
  readonly limit: number | null
}

function adaptive(wish: Reasoning, { call, silent, limit }: AdaptiveOptions): WrittenReasoning {
  const { facts, modelMaxOutputTokens: known } = call
  const display = wish.isShown === null ? {} : { display: wish.isShown ? 'summarized' : 'omitted' }
  const maxTokens = limit ?? known ?? THINKING_ANSWER_TOKENS
  const thinking = { thinking: { type: 'adaptive', ...display } }
  return { ...silent, thinks: true, thinking, ...effortFor(wish, facts), maxTokens }
}

/** The effort says how much is written in all, so it stays where the model is not to think. */
function effortFor(wish: Reasoning, { reasoning, efforts }: ModelFacts): Pick<WrittenReasoning, 'effort'> {
  const effort = reasoning === 'adaptive' ? effortOf(wish, efforts) : null
  return { effort: effort === null ? {} : { effort } }
}

/** `wish`: what had to give way; for a model that does not think unasked nothing is said. */
function turnedOff(wish: Reasoning | null, facts: ModelFacts): Pick<WrittenReasoning, 'thinking' | 'effort'> {
  const effort = wish === null ? {} : effortFor(wish, facts).effort
  if (wish !== null && !facts.reasons_unasked) return { thinking: {}, effort }
  const type = facts.reasoning_off === 'between_tools' ? 'between_tools' : 'disabled'
  return { thinking: facts.reasoning_off === 'omit' ? {} : { thinking: { type } }, effort }
}
