/** The answers that cost nothing: model lists and the counting of tokens. */
import type { JsonObject } from './json.ts'
import { objectOf, stringOf, writeWithUnknown } from './json.ts'
import type { Failure } from './failures.ts'
import { callInvalid, failureOf, modelUnknown } from './failures.ts'
import { SENTINELS, readModelName } from './model-name.ts'
import { deriveUsage, promptTokens } from './usage.ts'
import { CREATED_AT_SECONDS } from './wire.ts'

/** `GET /v1/models` in the shape of the family. */
export function writeModelList(family: 'openai' | 'anthropic'): string {
  const ids = SENTINELS.map((sentinel) => `fake/${sentinel}`)
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
  let request: JsonObject
  try {
    request = objectOf(JSON.parse(body.toString()))
  } catch {
    return callInvalid('messages', 'The body is not valid JSON.')
  }
  const model = stringOf(request['model'])
  if (model === '') return callInvalid('messages', 'model: Field required')
  const script = readModelName(model)
  if ('unknown' in script) return modelUnknown('messages', model)
  if ('problem' in script) return callInvalid('messages', `model: ${script.problem}`)
  const usage = { ...deriveUsage(body, 0), ...script.usage }
  return failureOf(script, 'messages', credential) ?? writeWithUnknown({ input_tokens: promptTokens(usage) })
}
