import { Fault } from '../../../core/faults.ts'
import type { Wire } from '../../../core/wire.ts'
import type { RequestPurpose, UpstreamHandler, UpstreamRequest } from '../../upstream-client.ts'
import type { Dialect, DialectUpstream } from '../dialect.ts'
import { claudeBody, claudeHeaders } from './claude-request.ts'
import { geminiBody } from './gemini-body.ts'
import { asAnthropic, asGoogle, asOpenai, googleErrors } from './google-errors.ts'
import { listingOf } from './listing.ts'
import { openaiRequest } from './openai-request.ts'
import { projectOf, resourcePath } from './resource-path.ts'
import { CLAUDE_EVENTS, OPENAI_EVENTS, streamedAnswer } from './streamed-answer.ts'

/**
 * Google's Vertex AI: Gemini by its own requests, Claude by Anthropic's within `rawPredict`, and chat completions for Gemini
 * and for open models. Paths are those of googleapis/js-genai 3.3 and of @anthropic-ai/vertex-sdk 1.1; the base URL ends in the
 * location, or in the version for a key of express mode.
 */
export function vertex(of: DialectUpstream): Dialect {
  const project = projectOf(of.baseUrl)
  return {
    outbound: (request) => {
      const { asks } = request
      if (asks === undefined) return request
      const wire = SPOKEN[asks.wire]
      if (wire === undefined) {
        throw new Fault('request_invalid', 'The provider of this model has no endpoint for requests of this kind.')
      }
      return wire.outbound(request, { form: asks.form, model: asks.model ?? '', project })
    },
    inbound: ({ asks }, handler) =>
      asks === undefined ? handler : (SPOKEN[asks.wire]?.inbound(handler, asks.form) ?? handler),
    list: listingOf(of),
  }
}

interface ModelAtProject extends Pick<RequestPurpose, 'form'> {
  readonly model: string
  /** `projects/p/locations/l`; null: the base URL has none. */
  readonly project: string | null
}

/** How one wire is spoken there. */
interface SpokenWire {
  outbound(request: UpstreamRequest, asked: ModelAtProject): UpstreamRequest
  inbound(handler: UpstreamHandler, form: RequestPurpose['form']): UpstreamHandler
}

const GEMINI_METHODS = {
  whole: 'generateContent',
  stream: 'streamGenerateContent?alt=sse',
  count_tokens: 'countTokens',
} as const

const GEMINI: SpokenWire = {
  outbound: (request, asked) => ({
    ...request,
    path: `${resourcePath(asked.model, 'google', asked.project)}:${GEMINI_METHODS[asked.form]}`,
    body: geminiBody(Buffer.concat(request.body), asked),
  }),
  inbound: (handler) => googleErrors(handler, asGoogle),
}

const CLAUDE_METHODS = { whole: 'rawPredict', stream: 'streamRawPredict', count_tokens: 'rawPredict' } as const

/** A model by name, which counts the tokens of requests for the one in their body ("Count tokens for Claude models", Google Cloud). */
const COUNTER = 'count-tokens'

const CLAUDE: SpokenWire = {
  outbound: (request, asked) => {
    const { form } = asked
    const model = form === 'count_tokens' ? COUNTER : asked.model
    return {
      ...request,
      path: `${resourcePath(model, 'anthropic', asked.project)}:${CLAUDE_METHODS[form]}`,
      headers: claudeHeaders(request.headers, form),
      body: claudeBody(Buffer.concat(request.body), { ...asked, version: request.headers['anthropic-version'] }),
    }
  },
  inbound: (handler, form) =>
    googleErrors(streamedAnswer(form, handler, { ...CLAUDE_EVENTS, write: asAnthropic }), asAnthropic),
}

const OPENAI: SpokenWire = {
  outbound: (request, { model }) => openaiRequest(request, model),
  inbound: (handler, form) =>
    googleErrors(streamedAnswer(form, handler, { ...OPENAI_EVENTS, write: asOpenai }), asOpenai),
}

/** Left out: it has no endpoint for them. */
const SPOKEN: { readonly [W in Wire]?: SpokenWire } = {
  gemini: GEMINI,
  'anthropic-messages': CLAUDE,
  'openai-chat': OPENAI,
  'openai-completions': OPENAI,
  'openai-embeddings': OPENAI,
}
