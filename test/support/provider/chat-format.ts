/** OpenAI's chat completions, legacy completions and embeddings at the provider. */
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import type { Asked } from './asked.ts'
import { type Generation, outputOf, wordsOf } from './generation.ts'
import { roundsOf } from './hosted-tools.ts'
import {
  askedOf,
  CREATED_AT,
  dataEvent,
  numberIn,
  openAiTier,
  pieces,
  type ProviderWireFormat,
  type Step,
} from './provider-wire.ts'

export const chatFormat: ProviderWireFormat = {
  read: ({ body }) => openAiAsked('chat', body, { choices: numberIn(body, 'n') ?? 1, mayReport: wantsUsage(body) }),
  whole: (generation, isReported) => ({
    ...head(generation, 'chat.completion'),
    choices: eachChoice(generation, (index) => ({
      index,
      message: { role: 'assistant', content: wordsOf(generation.visible), ...audioOf(generation) },
      finish_reason: reasonOf(generation),
    })),
    ...(isReported ? { usage: usageOf(generation) } : {}),
  }),
  stream: (generation, isReported) =>
    openAiStream(generation, {
      isReported,
      object: 'chat.completion.chunk',
      delta: (text) => ({ delta: text === '' ? {} : { content: text } }),
      first: { delta: { role: 'assistant', content: '' } },
    }),
}

export const completionsFormat: ProviderWireFormat = {
  read: ({ body }) => {
    const prompts = listOf(body['prompt']).filter((one) => typeof one === 'string' || Array.isArray(one)).length
    const each = Math.max(numberIn(body, 'n') ?? 1, numberIn(body, 'best_of') ?? 1)
    return openAiAsked('completions', body, {
      // The reference of legacy completions: 16 unless said.
      outputLimit: numberIn(body, 'max_tokens') ?? 16,
      choices: Math.max(prompts, 1) * each,
      mayReport: wantsUsage(body),
    })
  },
  whole: (generation, isReported) => ({
    ...head(generation, 'text_completion'),
    choices: eachChoice(generation, (index) => ({
      index,
      text: wordsOf(generation.visible),
      finish_reason: reasonOf(generation),
    })),
    ...(isReported ? { usage: usageOf(generation) } : {}),
  }),
  stream: (generation, isReported) =>
    openAiStream(generation, {
      isReported,
      object: 'text_completion',
      delta: (text) => ({ text }),
      first: { text: '' },
    }),
}

export const embeddingsFormat: ProviderWireFormat = {
  read: ({ body }) => openAiAsked('embeddings', body),
  whole: ({ asked, input }, isReported) => ({
    object: 'list',
    model: asked.model,
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }],
    ...(isReported ? { usage: { prompt_tokens: input.tokens, total_tokens: input.tokens } } : {}),
  }),
  stream: () => [],
}

function openAiAsked(wire: Asked['wire'], body: JsonFields, said: Partial<Asked> = {}): Asked {
  return askedOf(wire, body, {
    // Makers that follow OpenAI differ in which of the two they read: the larger one is the dearer reading.
    outputLimit: numberIn(body, 'max_tokens', 'max_completion_tokens'),
    tier: openAiTier(stringOf(body['model']), body['service_tier']),
    ...said,
  })
}

/** Whether a whole answer, or the end of a stream, is to say what was used. */
function wantsUsage(body: JsonFields): boolean {
  return body['stream'] !== true || objectOf(body['stream_options'])['include_usage'] === true
}

function head({ asked }: Generation, object: string): JsonFields {
  return { id: 'chatcmpl-1', object, created: CREATED_AT, model: asked.model, service_tier: asked.tier }
}

function reasonOf({ isCut }: Generation): string {
  return isCut ? 'length' : 'stop'
}

function eachChoice<Choice>({ asked }: Generation, choice: (index: number) => Choice): Choice[] {
  return Array.from({ length: asked.choices }, (_, index) => choice(index))
}

function audioOf({ extra }: Generation): JsonFields {
  return extra?.kind === 'audio' ? { audio: { id: 'audio_1', data: 'AAAA', transcript: '' } } : {}
}

function usageOf(generation: Generation): JsonFields {
  const { asked, input, hidden, extra } = generation
  const output = outputOf(generation)
  return {
    prompt_tokens: input.tokens,
    completion_tokens: output,
    total_tokens: input.tokens + output,
    prompt_tokens_details: { cached_tokens: input.cached },
    completion_tokens_details: {
      reasoning_tokens: hidden * asked.choices,
      audio_tokens: extra?.kind === 'audio' ? extra.tokens : 0,
      rejected_prediction_tokens: extra?.kind === 'prediction' ? extra.tokens : 0,
    },
    ...(roundsOf(input.calls) === 0 ? {} : { server_side_tool_usage_details: detailsOf(input) }),
  }
}

/** Calls of tools, as xAI reports them. */
function detailsOf({ calls }: Generation['input']): JsonFields {
  return {
    web_search_calls: calls.webSearch,
    x_search_calls: calls.xSearch,
    code_interpreter_calls: calls.codeInterpreter,
    file_search_calls: calls.fileSearch,
    mcp_calls: calls.others,
  }
}

function* openAiStream(
  generation: Generation,
  shape: {
    readonly isReported: boolean
    readonly object: string
    readonly first: JsonFields
    delta(text: string): JsonFields
  },
): Iterable<Step> {
  const { asked, hidden, visible, extra } = generation
  const chunk = (choices: readonly JsonFields[], more: JsonFields = {}): string =>
    dataEvent({ ...head(generation, shape.object), choices, ...more })
  for (let index = 0; index < asked.choices; index++) {
    yield { text: chunk([{ index, ...shape.first, finish_reason: null }]), hidden }
    for (const words of pieces(visible)) {
      yield { text: chunk([{ index, ...shape.delta(wordsOf(words)), finish_reason: null }]), visible: words }
    }
  }
  if (extra !== null) yield { text: ': extra\n\n', extra: extra.tokens }
  for (let index = 0; index < asked.choices; index++) {
    yield { text: chunk([{ index, ...shape.delta(''), finish_reason: reasonOf(generation) }]) }
  }
  if (shape.isReported) yield { text: chunk([], { usage: usageOf(generation) }), isReport: true }
  yield { text: 'data: [DONE]\n\n' }
}
