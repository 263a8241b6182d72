import type { JsonObject } from '../../hub/json-object.ts'
import { budgetOf, effortOf } from '../../hub/reasoning-scale.ts'
import type { Reasoning } from '../../hub/request-settings.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import type { ClaudeModel } from './claude-model.ts'

/** Thinking as it is asked for, and the limit of the output, of which it is a part. */
export interface WrittenReasoning {
  readonly thinks: boolean
  /** The field `thinking`, where there is something to say. */
  readonly thinking: JsonObject
  /** A field of `output_config`. */
  readonly effort: JsonObject
  readonly maxTokens: number
}

export interface ReasoningFacts {
  readonly model: ClaudeModel
  /** The model has to call a tool. Anthropic refuses to think then. */
  readonly isCallForced: boolean
  /** See `lacksThinking`. Models that decide by themselves don't mind. */
  readonly lacksThinking: boolean
}

/** What Anthropic takes at least. */
const MIN_BUDGET_TOKENS = 1_024
/** For a model whose output limit is unknown: every model of this wire writes as much. */
const ANSWER_TOKENS = 8_192
/** With thinking, likewise: the least of those that think (Claude Opus 4). */
const THINKING_ANSWER_TOKENS = 32_000

export function writeReasoning(call: UpstreamCall, facts: ReasoningFacts): WrittenReasoning {
  const { settings, modelMaxOutputTokens: most } = call
  const wish = settings.take('reasoning')
  const asked = settings.take('maxOutputTokens')
  // Clients ask for more than a model can write; Anthropic would refuse that.
  const limit = asked === null || most === null ? asked : Math.min(asked, most)
  const maxTokens = limit ?? most ?? ANSWER_TOKENS
  const silent: WrittenReasoning = { thinks: false, thinking: {}, effort: {}, maxTokens }
  if (wish === null) return silent
  if (isOff(wish)) return { ...silent, ...switchedOff(call, facts.model) }
  if (facts.model.thinking === 'adaptive') return adaptive(wish, { call, facts, silent, limit })
  const ceiling = limit ?? most ?? THINKING_ANSWER_TOKENS
  const budgetTokens = budgetWithin(wish, ceiling)
  if (facts.model.thinking === 'none' || facts.isCallForced || facts.lacksThinking || budgetTokens === null) {
    if (says(wish)) settings.drop('reasoning')
    return silent
  }
  const display = facts.model.isClaude && wish.isShown === false ? { display: 'omitted' } : {}
  const thinking = { type: 'enabled', budget_tokens: budgetTokens, ...display }
  return { thinks: true, thinking: { thinking }, effort: {}, maxTokens: ceiling }
}

interface AdaptiveOptions {
  readonly call: UpstreamCall
  readonly facts: ReasoningFacts
  readonly silent: WrittenReasoning
  readonly limit: number | null
}

function adaptive(wish: Reasoning, { call, facts, silent, limit }: AdaptiveOptions): WrittenReasoning {
  const found = effortOf(wish, facts.model.efforts)
  const effort = found === null ? {} : { effort: found }
  if (facts.isCallForced) {
    call.settings.drop('reasoning')
    return { ...silent, effort }
  }
  const display = wish.isShown === null ? {} : { display: wish.isShown ? 'summarized' : 'omitted' }
  const maxTokens = limit ?? call.modelMaxOutputTokens ?? THINKING_ANSWER_TOKENS
  return { thinks: true, thinking: { thinking: { type: 'adaptive', ...display } }, effort, maxTokens }
}

function isOff(wish: Reasoning): boolean {
  return wish.effort === 'none' || (wish.effort === null && wish.budgetTokens === 0)
}

/** Whether more is wished for than what the model does by itself. */
function says({ effort, budgetTokens, isShown }: Reasoning): boolean {
  return effort !== null || budgetTokens !== null || isShown === true
}

function switchedOff({ settings }: UpstreamCall, model: ClaudeModel): Partial<WrittenReasoning> {
  switch (model.off) {
    case 'absent':
      return {}
    case 'disabled':
    case 'between_tools':
      return { thinking: { thinking: { type: model.off } } }
    case 'never':
      settings.drop('reasoning')
      return { effort: { effort: 'low' } }
  }
}

/**
 * Tokens to think, within an answer of at most `ceiling`, of which half is for the rest unless the client named the budget
 * itself. Null: nothing was said, or no room is left.
 */
function budgetWithin(wish: Reasoning, ceiling: number): number | null {
  if (!says(wish)) return null
  const wanted = Math.max(MIN_BUDGET_TOKENS, budgetOf(wish) ?? MIN_BUDGET_TOKENS * 8)
  const fits = wish.budgetTokens !== null && wanted < ceiling
  const budget = fits ? wanted : Math.min(wanted, Math.max(MIN_BUDGET_TOKENS, Math.floor(ceiling / 2)))
  return budget < ceiling ? budget : null
}
