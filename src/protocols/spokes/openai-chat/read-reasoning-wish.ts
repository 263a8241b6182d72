import { wrongKind, type FieldReader } from '../../hub/field-reader.ts'
import type { Effort, Reasoning, RequestSettings } from '../../hub/request-settings.ts'

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies Effort[]

/** What OpenRouter takes for a reasoning that is only switched on. */
const SWITCHED_ON: Effort = 'medium'

/**
 * How much a chat request wants to be thought. OpenAI has `reasoning_effort`, OpenRouter `reasoning: {effort, max_tokens,
 * enabled, exclude}` and `include_reasoning`, DeepSeek, Kimi and GLM `thinking: {type}`, Qwen `enable_thinking` and
 * `thinking_budget`, Google's compatible endpoint `extra_body.google.thinking_config`. Clients send several at once.
 */
export function readReasoningWish(fields: FieldReader, settings: RequestSettings): void {
  // The most precise field wins, and is the one that a refusal names.
  const wishes: readonly (readonly [string, Partial<Reasoning> | null])[] = [
    ['chat_template_kwargs', templateWish(fields)],
    ['enable_thinking', switchWish(fields)],
    ['thinking', thinkingWish(fields)],
    ['extra_body', googleWish(fields)],
    ['reasoning', openrouterWish(fields)],
    ['reasoning_effort', effortWish(fields.string('reasoning_effort'), 'reasoning_effort')],
  ]
  const include = fields.boolean('include_reasoning')
  let wish: Reasoning | null = include === null ? null : { effort: null, budgetTokens: null, isShown: include }
  let field = 'include_reasoning'
  for (const [name, said] of wishes) {
    if (said === null) continue
    wish = merged(wish, said)
    field = name
  }
  if (wish === null) return
  if (wish.effort === 'none' || wish.budgetTokens === 0) wish = { ...wish, effort: 'none', budgetTokens: null }
  settings.say('reasoning', wish, field)
}

function merged(past: Reasoning | null, said: Partial<Reasoning>): Reasoning {
  return {
    // Reasoning that is switched off stays off, whatever else is set.
    effort: past?.effort === 'none' ? 'none' : (said.effort ?? past?.effort ?? null),
    budgetTokens: said.budgetTokens ?? past?.budgetTokens ?? null,
    isShown: said.isShown ?? past?.isShown ?? null,
  }
}

/** `auto` and `default` leave it to the model. */
function effortWish(effort: string | null, at: string): Partial<Reasoning> | null {
  if (effort === null || effort === 'auto' || effort === 'default') return null
  return { effort: oneOf(at, effort, EFFORTS) }
}

function openrouterWish(fields: FieldReader): Partial<Reasoning> | null {
  const reasoning = fields.object('reasoning')
  if (reasoning === null) return null
  const effort = effortWish(reasoning.string('effort'), reasoning.path('effort'))?.effort ?? null
  const budgetTokens = reasoning.number('max_tokens')
  const enabled = reasoning.boolean('enabled')
  const exclude = reasoning.boolean('exclude')
  reasoning.end()
  return {
    effort: effort ?? switched(enabled, budgetTokens),
    budgetTokens,
    isShown: exclude === null ? null : !exclude,
  }
}

function thinkingWish(fields: FieldReader): Partial<Reasoning> | null {
  const thinking = fields.object('thinking')
  if (thinking === null) return null
  const type = oneOf(thinking.path('type'), thinking.requiredString('type'), [
    'enabled',
    'disabled',
    'adaptive',
    'auto',
  ])
  const budgetTokens = thinking.number('budget_tokens')
  thinking.end()
  const isOn = type === 'enabled' ? true : type === 'disabled' ? false : null
  return { effort: switched(isOn, budgetTokens), budgetTokens: isOn === false ? null : budgetTokens }
}

function switchWish(fields: FieldReader): Partial<Reasoning> | null {
  const enabled = fields.boolean('enable_thinking')
  const budgetTokens = fields.number('thinking_budget')
  if (enabled === null && budgetTokens === null) return null
  return { effort: switched(enabled, budgetTokens), budgetTokens: enabled === false ? null : budgetTokens }
}

function templateWish(fields: FieldReader): Partial<Reasoning> | null {
  const template = fields.object('chat_template_kwargs')
  if (template === null) return null
  const enabled = template.boolean('enable_thinking') ?? template.boolean('thinking')
  template.end()
  return enabled === null ? null : { effort: switched(enabled, null) }
}

function googleWish(fields: FieldReader): Partial<Reasoning> | null {
  const extra = fields.object('extra_body')
  const google = extra?.object('google') ?? null
  extra?.end()
  const config = google?.object('thinking_config') ?? null
  google?.end()
  if (config === null) return null
  const level = config.string('thinking_level')?.toLowerCase() ?? null
  const budgetTokens = config.number('thinking_budget')
  const isShown = config.boolean('include_thoughts')
  const effort = effortWish(level, config.path('thinking_level'))?.effort ?? null
  config.end()
  // -1 leaves the budget to the model.
  return { effort, budgetTokens: budgetTokens === -1 ? null : budgetTokens, isShown }
}

function switched(isOn: boolean | null, budgetTokens: number | null): Effort | null {
  if (isOn === false) return 'none'
  return isOn === true && budgetTokens === null ? SWITCHED_ON : null
}

/** The value if it is one of a list; throws the fault `request_invalid` otherwise. */
function oneOf<Value extends string>(at: string, value: string, known: readonly Value[]): Value {
  const found = known.find((each) => each === value)
  if (found === undefined) throw wrongKind(at, `one of ${known.join(', ')}`)
  return found
}
