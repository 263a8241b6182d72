import { writeJson } from '../../json/exact-json.ts'
import { fieldsOf, textOf } from '../../json/json-object.ts'

/** An entry of `tool_calls`, of a message or a delta. Empty where it says nothing of the kind. */
export interface CallFields {
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly input: string
  readonly isCustom: boolean
  /** Google's thought signature for this call. */
  readonly signature: string
}

export function readCallFields(entry: unknown): CallFields {
  const { index, id, type, function: called, custom, extra_content: extra } = fieldsOf(entry)
  const isCustom = type === 'custom' || (called === undefined && custom !== undefined)
  const { name, arguments: json, input } = fieldsOf(isCustom ? custom : called)
  const { thought_signature: signature } = fieldsOf(fieldsOf(extra)['google'])
  return {
    index: indexOf(index),
    id: textOf(id),
    name: textOf(name),
    input: asJson(isCustom ? input : json),
    isCustom,
    signature: textOf(signature),
  }
}

/** Some write the number as a text. */
function indexOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : null
}

/** Some upstreams send the object itself instead of its text. */
function asJson(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? writeJson(() => value) : ''
}
