import { isObject, type JsonObject } from '../../json/json-object.ts'

/** Deeper schemas are taken for what they say. */
const DEPTH_LIMIT = 32
const NESTED = ['items', 'anyOf', 'allOf', 'oneOf', 'properties', '$defs', 'definitions'] as const

/**
 * Whether a schema may be strict at other providers as well: OpenAI's wants every object closed and every property
 * required, which Anthropic's does not (each one's page on structured outputs).
 */
export function keepsToStrictRules(schema: JsonObject, depth = 0): boolean {
  const { properties, required } = schema
  if (isObject(properties)) {
    if (schema['additionalProperties'] !== false) return false
    const names = new Set<unknown>(Array.isArray(required) ? required : [])
    if (!Object.keys(properties).every((name) => names.has(name))) return false
  }
  if (depth === DEPTH_LIMIT) return true
  return NESTED.every((key) => schemasOf(schema[key], key).every((each) => keepsToStrictRules(each, depth + 1)))
}

function schemasOf(value: unknown, key: (typeof NESTED)[number]): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  return key === 'items' ? [value] : Object.values(value).filter(isObject)
}
