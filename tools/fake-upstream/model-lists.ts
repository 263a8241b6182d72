/** The lists of models, which cost nothing. */
import type { JsonFields } from '../../src/upstreams/demo/json.ts'
import { CREATED_AT_SECONDS, writeWithUnknown } from './answer-writer.ts'
import { SENTINELS, readModelName } from './model-name.ts'

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

function modelFields(id: string, family: 'openai' | 'anthropic'): JsonFields {
  if (family === 'openai') return { id, object: 'model', created: CREATED_AT_SECONDS, owned_by: 'fake-upstream' }
  const created = new Date(CREATED_AT_SECONDS * 1_000).toISOString()
  return { type: 'model', id, display_name: id, created_at: created, max_input_tokens: 200_000, max_tokens: 64_000 }
}
