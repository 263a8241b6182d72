/** The answers that cost nothing: model lists and the counting of tokens. */
import type { JsonObject } from './json.ts'
import { objectOf, stringOf, writeWithUnknown } from './json.ts'
import type { ErrorWire, Failure } from './failures.ts'
import { callInvalid, failureOf, modelUnknown } from './failures.ts'
import { SENTINELS, readModelName } from './model-name.ts'
import { deriveUsage, promptTokens } from './usage.ts'
import { CREATED_AT_SECONDS } from './answer-writer.ts'

/** `GET /v1/models` in the shape of the family: each kind of answer by its bare name, and `more`. */
export function writeModelList(family: 'openai' | 'anthropic', more: readonly string[]): string {
  const ids = [...SENTINELS.map((sentinel) => `fake/${sentinel}`), ...more]
  const data = ids.map((id) => modelFields(id, family))
  const page = { data, has_more: false, first_id: ids[0], last_id: ids.at(-1) }
  return writeWithUnknown(family === 'openai' ? { object: 'list', data } : page)
}

/** `GET /v1/models/{id}`; null when there is no such model. */
export function writeModel(id: string, family: 'openai' | 'anthropic'): string | null {
  return 'sentinel' in readModelName(id) ? writeWithUnknown(modelFields(id, family)) : null
}

function modelFields(id: string, family: 'openai' | 'anthropic'): JsonObject {
  if (family === 'openai') return { id, object: 'model', created: CREATED_AT_SECONDS, owned_by: 'fake-upstream' }
  const created = new Date(CREATED_AT_SECONDS * 1_000).toISOString()
  return { type: 'model', id, display_name: id, created_at: created, max_input_tokens: 200_000, max_tokens: 64_000 }
}

/** `POST /v1/messages/count_tokens`: the number that the same body would be charged as input. */
export function countTokens(body: Buffer, credential: string): Failure | string {
  const request = parse(body)
  if (request === null) return callInvalid('messages', 'The body is not valid JSON.')
  const model = stringOf(request['model'])
  if (model === '') return callInvalid('messages', 'model: Field required')
  const counted = inputTokens({ wire: 'messages', model, body, credential })
  return typeof counted === 'number' ? writeWithUnknown({ input_tokens: counted }) : counted
}

/** `POST /v1beta/models/{model}:countTokens`. */
export function countGeminiTokens(model: string, body: Buffer, credential: string): Failure | string {
  const request = parse(body)
  if (request === null) return callInvalid('gemini', 'Invalid JSON payload received.')
  const asked = request['contents'] ?? objectOf(request['generateContentRequest'])['contents']
  if (!Array.isArray(asked))
    return callInvalid('gemini', '* GenerateContentRequest.contents: contents is not specified')
  const counted = inputTokens({ wire: 'gemini', model, body, credential })
  if (typeof counted !== 'number') return counted
  return writeWithUnknown({ totalTokens: counted, promptTokensDetails: [{ modality: 'TEXT', tokenCount: counted }] })
}

function inputTokens(call: { wire: ErrorWire; model: string; body: Buffer; credential: string }): number | Failure {
  const { wire, model, body, credential } = call
  const script = readModelName(model)
  if ('unknown' in script) return modelUnknown(wire, model)
  if ('problem' in script) return callInvalid(wire, `model: ${script.problem}`)
  return failureOf(script, wire, credential) ?? promptTokens({ ...deriveUsage(body, 0), ...script.usage })
}

function parse(body: Buffer): JsonObject | null {
  try {
    return objectOf(JSON.parse(body.toString()))
  } catch {
    return null
  }
}
