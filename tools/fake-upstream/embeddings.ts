/** OpenAI embeddings: `POST /v1/embeddings`, as numbers or as base64 of little-endian 32-bit floats. */
import { crc32 } from 'node:zlib'
import type { JsonObject } from './json.ts'
import { listOf, writeWithUnknown } from './json.ts'
import type { Script } from './model-name.ts'
import type { Usage } from './usage.ts'
import { NO_TOKENS, deriveUsage, promptTokens } from './usage.ts'

const USUAL_DIMENSIONS = 256
const MOST_DIMENSIONS = 4_096
/** Bound on inputs × dimensions, above which an answer would take tens of megabytes. */
const MOST_NUMBERS = 1_000_000

/** An embedding consumes input only. */
export function embeddingsUsage(script: Script, body: Buffer): Usage {
  const { input = promptTokens(deriveUsage(body, 0)) } = script.usage
  return { ...NO_TOKENS, input }
}

/** The answer as JSON; the same text gets the same vector of length 1. Null: more numbers than the bound. */
export function writeEmbeddings(model: string, request: JsonObject, usage: Usage): string | null {
  const asked = Number(request['dimensions'] ?? USUAL_DIMENSIONS)
  const dimensions = Number.isInteger(asked) && asked > 0 && asked <= MOST_DIMENSIONS ? asked : USUAL_DIMENSIONS
  const inputs = inputsOf(request['input'])
  if (inputs.length * dimensions > MOST_NUMBERS) return null
  const data = inputs.map((input, index) => {
    const vector = vectorOf(input, dimensions)
    const embedding = request['encoding_format'] === 'base64' ? base64Of(vector) : [...vector]
    return { object: 'embedding', index, embedding }
  })
  const counts = { prompt_tokens: usage.input, total_tokens: usage.input }
  return writeWithUnknown({ object: 'list', data, model, usage: counts })
}

/** One text, several, one list of tokens, or several. */
function inputsOf(input: unknown): string[] {
  const several = listOf(input)
  const isOneListOfTokens = typeof several[0] === 'number'
  return Array.isArray(input) && !isOneListOfTokens
    ? several.map((one) => JSON.stringify(one))
    : [JSON.stringify(input ?? '')]
}

/** Pseudo-random numbers (a linear congruence, seeded by the text), scaled to length 1. */
function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  let seed = crc32(text)
  let squares = 0
  for (let index = 0; index < dimensions; index++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    const value = seed / 2 ** 31 - 1
    vector[index] = value
    squares += value * value
  }
  return vector.map((value) => value / Math.sqrt(squares))
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}
