import type { ModelFacts } from '../../../models/facts.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import { effortOf, planRequest, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { writeMessages } from './write-messages.ts'
import { portableFormatName, takeFormat } from '../../hub/output-format.ts'
import type { OutputFormat, SettingsToWrite } from '../../hub/request-settings.ts'
import { SamplingToWrite, takeOutputLimit } from '../../hub/sampling.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>([
  'effort_none',
  'thinking_disabled',
  'between_tools',
  'enable_thinking_false',
])

/** A request for a chat completion, of fields that OpenAI and those who speak its wire have in common. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { notes, facts } = call
  const hasTools = request.tools.length > 0
  if (hasTools && facts.chat_tools === 'refused') {
    notes.refuse('tools', 'the model takes tools by responses only, and its upstream is asked by chat completions')
  }
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: facts.chat_tools === 'taken',
    waysOff: WAYS_OFF,
  })
  return {
    model: call.model,
    messages: writeMessages(request.turns, { facts, notes, hasTools }),
    ...writeTools({ ...request, toolChoice }, call),
    ...writeSettings(call, plan, hasTools),
    // The usage comes last in a stream, and only when it is asked for.
    ...(call.isStream ? { stream: true } : {}),
    ...(call.isStream && facts.stream_options ? { stream_options: { include_usage: true } } : {}),
  }
}

/** Everything of a chat request beside its messages and tools. */
function writeSettings(call: UpstreamCall, plan: ReasoningPlan, hasTools: boolean): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(call, plan.reasons)
  const [limit, stop] = [takeOutputLimit(call), settings.take('stop')]
  const sampled = samplingFields(sampling, settings)
  const format = takeFormat(call, hasTools)
  return {
    ...withoutNull({ [facts.limit_field]: limit, stop, ...sampled }),
    ...(format === null ? {} : { response_format: writeFormat(format) }),
    ...writeReasoningWish(plan, facts, settings),
    ...hints(settings, facts),
  }
}

/** Fields of sampling on a wire that has no `top_k`. */
function samplingFields(sampling: SamplingToWrite, settings: SettingsToWrite): JsonObject {
  settings.takeWhere('topK', () => false)
  const sampled = {
    temperature: sampling.take('temperature'),
    top_p: sampling.take('topP'),
    frequency_penalty: sampling.take('frequencyPenalty'),
    presence_penalty: sampling.take('presencePenalty'),
    seed: sampling.take('seed'),
    logit_bias: sampling.takeLogitBias(),
  }
  const logprobs = sampling.takeLogprobs()
  return {
    ...sampled,
    n: sampling.takeChoices(),
    logprobs: logprobs === null ? null : true,
    top_logprobs: logprobs === 0 ? null : logprobs,
  }
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = format
  return {
    type: 'json_schema',
    json_schema: withoutNull({ name: portableFormatName(name), description, schema, strict: isStrict }),
  }
}

/** OpenAI refuses longer ones. Claude Code’s is a JSON text with three ids in it. */
const USER_CHARACTERS_LIMIT = 64

const SERVICE_CLASSES: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])
const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])

/**
 * Hints that many providers refuse as unknown fields; whatever is not taken is left out and named. `metadata` is never
 * taken: OpenAI refuses it unless the answer is stored.
 */
function hints(settings: SettingsToWrite, facts: ModelFacts): JsonObject {
  return withoutNull({
    user: settings.takeWhere('user', ({ length }) => facts.user && length <= USER_CHARACTERS_LIMIT),
    service_tier: settings.takeWhere('serviceClass', (value) => facts.service_tier && SERVICE_CLASSES.has(value)),
    verbosity: settings.takeWhere('verbosity', (value) => facts.verbosity && VERBOSITIES.has(value)),
    prompt_cache_key: settings.takeWhere(
      'cacheKey',
      ({ length }) => facts.cache_key && length <= USER_CHARACTERS_LIMIT,
    ),
  })
}

/**
 * The wish for reasoning, in the fields of the model's provider: an effort, or a switch. Where the model has no words for how
 * much, the wish is left out and named.
 */
function writeReasoningWish(plan: ReasoningPlan, facts: ModelFacts, settings: SettingsToWrite): JsonObject {
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

/**
 * `tools`, `tool_choice` and `parallel_tool_calls`; nothing at all without tools, since OpenAI refuses the other two then.
 * A choice among some tools is written as these tools alone: few providers know `allowed_tools`.
 */
function writeTools({ tools, toolChoice }: NeutralRequest, { settings, notes, facts }: UpstreamCall): JsonObject {
  const parallel = settings.take('parallelToolCalls')
  const allowed = toolChoice?.kind === 'some' ? new Set(toolChoice.names) : null
  const functions = tools.filter((tool) => tool.kind === 'function')
  const written = functions.filter(({ name }) => allowed?.has(name) ?? true)
  for (const tool of functions) notes.dropCache(tool)
  if (written.length === 0) return {}
  if (parallel === false && !facts.parallel_tool_calls) settings.drop('parallelToolCalls')
  const choice = writeChoice(toolChoice)
  return {
    tools: written.map(writeFunction),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(parallel === false && facts.parallel_tool_calls ? { parallel_tool_calls: false } : {}),
  }
}

/** `strict` is off where nothing is said, and not every provider knows it. */
function writeFunction({ name, description, schema, isStrict }: FunctionTool): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description === null ? {} : { description }),
      parameters: schema ?? { type: 'object', properties: {} },
      ...(isStrict === true ? { strict: true } : {}),
    },
  }
}

function writeChoice(choice: ToolChoice | null): unknown {
  switch (choice?.kind) {
    case undefined:
    case 'auto':
      return null
    case 'none':
    case 'required':
      return choice.kind
    case 'one':
      return { type: 'function', function: { name: choice.name } }
    case 'some':
      return choice.isRequired ? 'required' : null
  }
}
