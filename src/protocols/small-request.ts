import type { Wire } from '../core/wire.ts'
import { type AskedModel, factsOf } from '../models/table.ts'

/** A request as a client would send it. */
export interface SmallRequest {
  /** The path at the gateway, with its query. */
  readonly path: string
  readonly body: object
}

/** What is asked for. */
export interface SmallQuestion {
  /** The model's public name. */
  readonly model: string
  /** The model where it is served, as far as that is known: it tells which fields are taken there. */
  readonly takesLike: AskedModel
  readonly isStream: boolean
  readonly outputTokens: number
  /** What is said; left out: a greeting. */
  readonly text?: string
}

const GREETING = 'Say hello in one word.'

/** The wires that have no request which is small and costs next to nothing are missing. */
const REQUESTS: Partial<Record<Wire, (question: SmallQuestion) => SmallRequest>> = {
  'openai-chat': (question) => ({
    path: '/v1/chat/completions',
    // See `write-request.ts` of this wire's spoke.
    body: {
      ...streamed(question),
      messages: messages(question),
      [factsOf(question.takesLike, 'openai-chat').limit_field]: question.outputTokens,
    },
  }),
  'openai-responses': (question) => ({
    path: '/v1/responses',
    body: { ...streamed(question), input: textOf(question), store: false, max_output_tokens: question.outputTokens },
  }),
  'anthropic-messages': (question) => ({
    path: '/v1/messages',
    body: { ...streamed(question), messages: messages(question), max_tokens: question.outputTokens },
  }),
  gemini: ({ model, isStream, outputTokens, text = GREETING }) => ({
    // A slash in a name stays one, as Google's SDKs write it.
    path: `/v1beta/models/${model.split('/').map(encodeURIComponent).join('/')}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { maxOutputTokens: outputTokens },
    },
  }),
  'openai-embeddings': ({ model, text = GREETING }) => ({ path: '/v1/embeddings', body: { model, input: text } }),
  'openai-completions': (question) => ({
    path: '/v1/completions',
    body: { ...streamed(question), prompt: textOf(question), max_tokens: question.outputTokens },
  }),
  'openai-moderations': ({ model, text = GREETING }) => ({ path: '/v1/moderations', body: { model, input: text } }),
  rerank: ({ model, text = GREETING }) => ({
    path: '/v1/rerank',
    body: { model, query: text, documents: ['hello', 'goodbye'] },
  }),
}

/** The wires that have a small request. */
export const SMALL_REQUEST_WIRES = Object.keys(REQUESTS) as readonly Wire[] as readonly [Wire, ...Wire[]]

/** The shortest useful request on a wire; null: it has none that costs next to nothing. */
export function smallRequest(wire: Wire, question: SmallQuestion): SmallRequest | null {
  return REQUESTS[wire]?.(question) ?? null
}

function textOf({ text = GREETING }: SmallQuestion): string {
  return text
}

function messages(question: SmallQuestion): readonly object[] {
  return [{ role: 'user', content: textOf(question) }]
}

function streamed({ model, isStream }: SmallQuestion): object {
  return isStream ? { model, stream: true } : { model }
}
