import { isObject, type JsonObject } from '../../json/json-object.ts'
import type { FreeFields } from '../../json/json-survey.ts'

/**
 * A request with the names of its fields in camel case: Google's JSON takes `generation_config` as well, and its older SDKs
 * write so. What belongs to clients and models keeps its names (arguments, results, JSON schemas). The same object where
 * nothing had to change.
 */
export function withCamelNames(request: JsonObject): JsonObject {
  return renamed(request) as JsonObject
}

/** Values whose fields do not belong to the wire. The maps of schemas are named by clients too. */
const FREE_VALUES: ReadonlySet<string> = new Set([
  'args',
  'response',
  'labels',
  'partMetadata',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'parameters',
  'parametersJsonSchema',
])

/** Fields that are carried, by their names in both ways of writing. */
export const FREE_FIELDS: FreeFields = new Map([
  ['args', 'data'],
  ['response', 'data'],
  ['parameters', 'schema'],
  ['parametersJsonSchema', 'schema'],
  ['parameters_json_schema', 'schema'],
  ['responseSchema', 'schema'],
  ['response_schema', 'schema'],
  ['responseJsonSchema', 'schema'],
  ['response_json_schema', 'schema'],
  ['_responseJsonSchema', 'schema'],
])

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(renamed)
    return list.some((each, i) => each !== value[i]) ? list : value
  }
  if (!isObject(value)) return value
  let hasChanged = false
  const fields: [string, unknown][] = Object.entries(value).map(([name, field]) => {
    const camel = camelName(name)
    const isTaken = camel !== name && Object.hasOwn(value, camel)
    const next = FREE_VALUES.has(camel) ? field : renamed(field)
    hasChanged ||= next !== field || (camel !== name && !isTaken)
    return [isTaken ? name : camel, next]
  })
  return hasChanged ? Object.fromEntries(fields) : value
}

/** `max_output_tokens` is `maxOutputTokens`. */
function camelName(name: string): string {
  return name.includes('_') ? name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name
}
