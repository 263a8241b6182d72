import type { Effort, Reasoning } from './request-settings.ts'

/** Tokens of thought that an effort stands for, where a wire counts tokens and another has words for it. */
const BUDGET_TOKENS = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
} as const satisfies Record<Effort, number>

/** The budget that a wish for reasoning comes to, in tokens; null: the model decides. 0: no reasoning. */
export function budgetOf({ effort, budgetTokens }: Reasoning): number | null {
  return budgetTokens ?? (effort === null ? null : BUDGET_TOKENS[effort])
}

/** The effort that it comes to, of those that a wire has, from low to high; null: the model decides. */
export function effortOf(reasoning: Reasoning, known: readonly Effort[]): Effort | null {
  const { effort, budgetTokens } = reasoning
  if (effort !== null && known.includes(effort)) return effort
  const budget = budgetOf(reasoning)
  if (budget === null) return null
  if (budget === 0) return known[0] ?? null
  // The nearest by its logarithm: between low and medium lies their geometric mean.
  const thinking = known.filter((each) => each !== 'none')
  const distance = (each: Effort): number =>
    Math.abs(Math.log(BUDGET_TOKENS[each] / Math.max(1, budgetTokens ?? budget)))
  return thinking.reduce<Effort | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null,
  )
}
