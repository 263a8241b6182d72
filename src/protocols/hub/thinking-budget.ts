import type { ModelFacts } from '../../models/facts.ts'
import type { AssistantTurn, UserTurn } from './neutral-request.ts'
import { budgetOf } from './reasoning-plan.ts'
import type { Reasoning } from './request-settings.ts'

/** Whether more is wished for than what a model does by itself that thinks by a budget. */
export function asksToThink({ effort, budgetTokens, isShown }: Reasoning): boolean {
  return effort !== null || budgetTokens !== null || isShown === true
}

/**
 * Tokens to think, within an answer of at most `ceiling`, of which half is for the rest unless the client named the budget
 * itself. Null: nothing was said, or no room is left.
 */
export function budgetWithin(
  wish: Reasoning,
  ceiling: number,
  { budget_least: least, budget_most: most }: ModelFacts,
): number | null {
  if (!asksToThink(wish) || least > most) return null
  const wanted = Math.max(least, budgetOf(wish) ?? least * 8)
  const fits = wish.budgetTokens !== null && wanted < ceiling
  const budget = fits ? wanted : Math.min(wanted, Math.max(least, Math.floor(ceiling / 2)))
  return budget < ceiling ? Math.min(budget, most) : null
}

/**
 * Whether the model is in the midst of calling tools (or of an answer that it is to go on with) and the thought before that
 * did not come back. Anthropic refuses to think then, and wants it at the start of the first answer behind the user's words.
 */
export function lacksThinking(turns: readonly (UserTurn | AssistantTurn)[]): boolean {
  let i = turns.length - 1
  const last = turns[i]
  if (last?.role === 'user') {
    if (!last.parts.some((part) => part.kind === 'tool_result')) return false
    i--
  }
  let first: AssistantTurn | null = null
  for (let turn = turns[i]; turn?.role === 'assistant'; turn = turns[i]) {
    first = turn
    const asked = turns[i - 1]
    if (asked?.role !== 'user' || !asked.parts.every((part) => part.kind === 'tool_result')) break
    i -= 2
  }
  return first !== null && first.parts[0]?.kind !== 'reasoning'
}
