/** Google's generateContent at the provider. */
import { type JsonFields, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import type { Asked } from './asked.ts'
import { type Generation, outputOf, wordsOf } from './generation.ts'
import {
  type Arrived,
  askedOf,
  dataEvent,
  numberIn,
  pieces,
  type ProviderWireFormat,
  type Step,
} from './provider-wire.ts'

export const geminiFormat: ProviderWireFormat = {
  read,
  whole: (generation, isReported) => ({
    ...chunkOf(generation, { text: wordsOf(generation.visible), isLast: true }),
    ...(isReported ? { usageMetadata: usageOf(generation) } : {}),
  }),
  stream,
}

const PATH = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/

/** Names of fields come in either case, as the JSON mapping of protocol buffers allows. */
function read({ path, query, headers, body }: Arrived): Asked {
  const [, model = '', method] = PATH.exec(path) ?? []
  const config = objectOf(body['generationConfig'] ?? body['generation_config'])
  const tier = stringOf(body['serviceTier'] ?? body['service_tier']).toLowerCase()
  const name = tier.replace(/^service_tier_/, '')
  // Google's documentation of system parameters: what an answer shall have, by a header or in the query.
  const mask = [headers['x-goog-fieldmask'] ?? '', new URLSearchParams(query).get('fields') ?? ''].flat().join('')
  return askedOf('gemini', body, {
    model: decodeURIComponent(model),
    isStream: method === 'streamGenerateContent',
    choices: numberIn(config, 'candidateCount', 'candidate_count') ?? 1,
    outputLimit: numberIn(config, 'maxOutputTokens', 'max_output_tokens'),
    tier: ['', 'standard', 'unspecified'].includes(name) ? 'standard' : name,
    mayReport: mask === '' || mask === '*' || mask.includes('usage'),
  })
}

function* stream(generation: Generation, isReported: boolean): Iterable<Step> {
  const { asked, hidden, visible, extra } = generation
  yield { text: dataEvent(chunkOf(generation, { text: '', isLast: false })), hidden: hidden * asked.choices }
  for (const words of pieces(visible)) {
    const chunk = chunkOf(generation, { text: wordsOf(words), isLast: false })
    yield { text: dataEvent(chunk), visible: words * asked.choices }
  }
  const usage = isReported ? { usageMetadata: usageOf(generation) } : {}
  const last = { ...chunkOf(generation, { text: '', isLast: true }), ...usage }
  yield { text: dataEvent(last), isReport: true, ...(extra === null ? {} : { extra: extra.tokens }) }
}

function chunkOf(
  { asked, input: { calls }, isCut }: Generation,
  { text, isLast }: { text: string; isLast: boolean },
): JsonFields {
  const queries = Array.from({ length: calls.webSearch }, (_, index) => `news ${index}`)
  const chunks = [
    ...(calls.maps > 0 ? [{ maps: { uri: 'https://x.test/place' } }] : []),
    ...(calls.fileSearch > 0 ? [{ retrievedContext: { title: 'notes' } }] : []),
  ]
  const isGrounded = isLast && queries.length + chunks.length > 0
  const grounding = isGrounded ? { groundingMetadata: { webSearchQueries: queries, groundingChunks: chunks } } : {}
  const runs = Array.from({ length: calls.codeInterpreter }, (_, index) => ({
    executableCode: { language: 'PYTHON', code: `print(${index})` },
  }))
  const pages = Array.from({ length: calls.webFetch }, (_, index) => ({
    retrievedUrl: `https://x.test/${index}`,
    urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS',
  }))
  const candidates = Array.from({ length: asked.choices }, (_, index) => ({
    index,
    content: { role: 'model', parts: [...(isLast ? runs : []), { text }] },
    ...(isLast ? { finishReason: isCut ? 'MAX_TOKENS' : 'STOP' } : {}),
    ...grounding,
    ...(isLast && pages.length > 0 ? { urlContextMetadata: { urlMetadata: pages } } : {}),
  }))
  return { candidates, modelVersion: asked.model, responseId: 'response-1' }
}

function usageOf(generation: Generation): JsonFields {
  const { asked, input, hidden, extra } = generation
  const thoughts = hidden * asked.choices
  const answered = outputOf(generation) - thoughts
  const modality = extra?.kind === 'audio' ? 'AUDIO' : 'IMAGE'
  return {
    promptTokenCount: input.tokens - input.byTools,
    ...(input.cached > 0 ? { cachedContentTokenCount: input.cached } : {}),
    ...(input.byTools > 0 ? { toolUsePromptTokenCount: input.byTools } : {}),
    candidatesTokenCount: answered,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    ...(extra === null ? {} : { candidatesTokensDetails: [{ modality, tokenCount: extra.tokens }] }),
    totalTokenCount: input.tokens + answered + thoughts,
    ...(asked.tier === 'standard' ? {} : { serviceTier: asked.tier }),
  }
}
