import type { ModelFacts } from '../../models/facts.ts'
import type { NeutralRequest, ToolChoice } from './neutral-request.ts'
import type { Effort, Reasoning, SettingsToWrite } from './request-settings.ts'
import type { UpstreamCall } from './spoke.ts'

/** What is said to a model about reasoning in one request. */
export interface ReasoningPlan {
  /** What is asked for; null: nothing is said. Where reasoning is turned off for another's sake it is what was left out. */
  readonly wish: Reasoning | null
  /** Reasoning is turned off in the way that the facts name. */
  readonly isOff: boolean
  /** Whether the model reasons before it answers, as far as its facts tell. */
  readonly reasons: boolean
}

interface PlanContext {
  readonly toolsBesideReasoning: boolean
  /** What this wire can say to turn reasoning off. */
  readonly waysOff: ReadonlySet<ModelFacts['reasoning_off']>
}

interface PlannedRequest {
  readonly plan: ReasoningPlan
  /** The choice among the tools, as free as the model wants it. */
  readonly toolChoice: ToolChoice | null
}

/**
 * Settles what cannot stand side by side in one request to the model: reasoning, a call that is required, a format of the answer,
 * and on chat completions tools. Reasoning gives way; where it cannot be turned off the choice of the tool does. Both are named.
 */
export function planRequest(
  { tools, toolChoice, settings: asked }: NeutralRequest,
  { settings, facts, notes }: UpstreamCall,
  { toolsBesideReasoning, waysOff }: PlanContext,
): PlannedRequest {
  const hasFormat = asked.get('format') !== null
  const isForced = tools.length > 0 && forcesCall(toolChoice)
  const mustNotReason =
    (isForced && facts.forced_call === 'not_while_reasoning') ||
    (tools.length > 0 && !toolsBesideReasoning) ||
    (hasFormat && !facts.format_while_reasoning)
  const plan = planReasoning(settings, facts, { mustNotReason, canBeOff: canBeOff(facts, waysOff) })
  if (hasFormat && plan.reasons && !facts.format_while_reasoning) {
    settings.refuse('format', 'the model keeps to no format while it reasons, and this one always does')
  }
  const isTaken = facts.forced_call === 'taken' || (facts.forced_call === 'not_while_reasoning' && !plan.reasons)
  if (!isForced || isTaken || toolChoice === null) return { plan, toolChoice }
  notes.drop(toolChoice.at)
  return { plan, toolChoice: freed(toolChoice) }
}

function canBeOff({ reasoning_off: way, efforts }: ModelFacts, ways: PlanContext['waysOff']): boolean {
  return ways.has(way) && (way !== 'effort_none' || efforts.includes('none'))
}

/** Whether the model has to call a tool. */
export function forcesCall(choice: ToolChoice | null): boolean {
  return choice?.kind === 'required' || choice?.kind === 'one' || (choice?.kind === 'some' && choice.isRequired)
}

function freed(choice: ToolChoice): ToolChoice {
  return choice.kind === 'some' ? { ...choice, isRequired: false } : { kind: 'auto', at: choice.at }
}

/**
 * Takes the wish for reasoning as the model's facts allow it. `mustNotReason`: something else in the request is refused while it
 * reasons. What cannot be had is left out and named: agents send the wish with every request.
 */
function planReasoning(
  settings: SettingsToWrite,
  facts: ModelFacts,
  { mustNotReason, canBeOff: isSwitch }: { readonly mustNotReason: boolean; readonly canBeOff: boolean },
): ReasoningPlan {
  const wish = settings.take('reasoning')
  if (facts.reasoning === 'none') {
    if (wish !== null && asksForMore(wish)) settings.drop('reasoning')
    return { wish: null, isOff: false, reasons: false }
  }
  const wantsNone = wish !== null && isNone(wish)
  const reasons = wish === null ? facts.reasons_unasked : !wantsNone
  if (isSwitch && (wantsNone || (reasons && mustNotReason))) {
    if (wish !== null && !wantsNone) settings.drop('reasoning')
    return { wish: wantsNone ? null : wish, isOff: true, reasons: false }
  }
  if (!wantsNone) return { wish, isOff: false, reasons }
  settings.drop('reasoning')
  return {
    wish: facts.reasoning_off === 'never' ? leastOf(facts, wish) : null,
    isOff: false,
    reasons: facts.reasons_unasked || facts.reasoning_off === 'never',
  }
}

/** Whether no reasoning at all is asked for. */
function isNone({ effort, budgetTokens }: Reasoning): boolean {
  return effort === 'none' || (effort === null && budgetTokens === 0)
}

function asksForMore(wish: Reasoning): boolean {
  return !isNone(wish) && (wish.effort !== null || wish.budgetTokens !== null || wish.isShown === true)
}

/** The least that a model can reason which cannot do without. */
function leastOf({ reasoning, efforts, budget_least: least }: ModelFacts, { isShown }: Reasoning): Reasoning | null {
  if (reasoning === 'budget') return { effort: null, budgetTokens: least, isShown }
  const effort = efforts.find((each) => each !== 'none')
  return effort === undefined ? null : { effort, budgetTokens: null, isShown }
}

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
