import type { FieldReader } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { ContentPart, ToolResultPart } from '../../hub/neutral-request.ts'
import { writeJson } from '../../json/exact-json.ts'
import type { CallIds } from './call-ids.ts'
import { readMedia } from './read-media.ts'

/**
 * The result of a call: an object with `output`, or `error`, or of any other form, which goes as the JSON that it is. Files
 * that belong to it stand beside it.
 */
export function readFunctionResponse(response: FieldReader, ids: CallIds): ToolResultPart {
  const { at } = response
  const name = response.requiredString('name')
  const callId = ids.ofResult(response.string('id'), { name, at })
  const { text, isError } = readResult(response.rawObject('response') ?? {})
  const parts: ContentPart[] = text === '' ? [] : [{ kind: 'text', text, at: response.path('response') }]
  for (const part of response.objects('parts') ?? []) {
    const media = readMedia(part)
    part.end()
    if (media !== null) parts.push(media)
  }
  if (response.boolean('willContinue') === true) response.refuse('willContinue', 'it has no results in pieces')
  response.end()
  return { kind: 'tool_result', callId, parts, isError, at }
}

function readResult(result: JsonObject): { readonly text: string; readonly isError: boolean } {
  const names = Object.keys(result)
  if (names.length === 0) return { text: '', isError: false }
  const [only] = names
  if (names.length === 1 && (only === 'output' || only === 'error')) {
    return { text: textOf(result[only]), isError: only === 'error' }
  }
  const isError = (result['error'] ?? null) !== null && result['output'] === undefined
  return { text: writeJson(() => result), isError }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(() => value)
}
