import type { JsonFields } from './json.ts'
import { readWholeNumber } from './question.ts'
import { Refusal } from './refusal.ts'
import { countTokens } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer } from './wire-answer.ts'

/** `POST /embeddings`. */
export function answerEmbeddings({ body }: WireCall): WireAnswer {
  return jsonAnswer(embeddingsOf(body))
}

/**
 * The answer to a request, in floats or base64 (32-bit floats, little-endian). The vector of a text is the direction of its
 * words: each word, in lower case, adds one to or takes one from the place that its hash names. So texts that share
 * words are near one another, and nothing else is. Throws Refusal.
 */
export function embeddingsOf(body: JsonFields): JsonFields {
  const inputs = readInputs(body['input'])
  const limits = { usual: USUAL_DIMENSIONS, most: DIMENSIONS_LIMIT }
  const dimensions = readWholeNumber(body['dimensions'], 'dimensions', limits)
  const isBase64 = body['encoding_format'] === 'base64'
  const data = inputs.map((input, index) => {
    const vector = direction(wordsIn(input), dimensions)
    const embedding = isBase64 ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector)
    return { object: 'embedding', index, embedding }
  })
  const tokens = inputs.reduce((sum, input) => sum + tokensOf(input), 0)
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return { object: 'list', data, model: body['model'], usage }
}

/** A text, or tokens by their numbers. */
type EmbeddingInput = string | readonly number[]

/** A whole answer is held in memory. */
const INPUTS_LIMIT = 512
const DIMENSIONS_LIMIT = 1024
const USUAL_DIMENSIONS = 256

function readInputs(input: unknown): readonly EmbeddingInput[] {
  const isSingle = typeof input === 'string' || isTokenList(input)
  const inputs: unknown = isSingle ? [input] : input
  if (!Array.isArray(inputs) || inputs.length === 0 || !inputs.every(isInput)) {
    throw new Refusal('input takes a text, a list of texts, or tokens by their numbers; none may be empty.', {
      param: 'input',
    })
  }
  if (inputs.length > INPUTS_LIMIT) throw new Refusal(`input takes at most ${INPUTS_LIMIT} texts.`, { param: 'input' })
  return inputs
}

function isInput(value: unknown): value is EmbeddingInput {
  return (typeof value === 'string' && value !== '') || isTokenList(value)
}

function isTokenList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((token) => Number.isInteger(token))
}

function tokensOf(input: EmbeddingInput): number {
  return typeof input === 'string' ? countTokens(input) : input.length
}

function wordsIn(input: EmbeddingInput): readonly string[] {
  return typeof input === 'string' ? (input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [input]) : input.map(String)
}

function direction(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of words) {
    const hash = hashOf(word)
    const place = (hash >>> 1) % dimensions
    vector[place] = (vector[place] ?? 0) + (hash % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  // Words that cancel one another out leave no direction at all.
  if (length === 0) vector[0] = 1
  return length === 0 ? vector : vector.map((part) => part / length)
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
