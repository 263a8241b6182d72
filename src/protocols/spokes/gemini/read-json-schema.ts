import { isObject, type JsonObject } from '../../json/json-object.ts'

/**
 * Google's `Schema`, a part of OpenAPI 3.0 with types in capitals and 64-bit numbers as strings, as JSON Schema. What it
 * does not know it takes over as it is, since clients send JSON Schema in its place.
 */
export function readJsonSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([field, value]): [string, unknown] => {
    const name = Object.hasOwn(NAMES, field) ? (NAMES[field] ?? field) : field
    if (name === 'example') return ['examples', [value]]
    return [name, name === 'type' ? typeOf(value) : readField(name, value)]
  })
  const read: JsonObject = Object.fromEntries(entries.filter(([name, value]) => value !== null && !DROPPED.has(name)))
  return schema['nullable'] === true ? withNull(read) : read
}

const NAMES: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  one_of: 'oneOf',
  all_of: 'allOf',
  additional_properties: 'additionalProperties',
  property_ordering: 'propertyOrdering',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_length: 'maxLength',
  min_length: 'minLength',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
}

/** `nullable` is read apart; JSON keeps its order by itself. */
const DROPPED = new Set(['nullable', 'propertyOrdering'])
const COUNTS = new Set(['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const MAPS = new Set(['properties', '$defs', 'defs', 'definitions'])
const SCHEMAS = new Set(['items', 'additionalProperties', 'not'])

function readField(name: string, value: unknown): unknown {
  if (COUNTS.has(name)) return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (LISTS.has(name) && Array.isArray(value)) return value.map(readValue)
  if (SCHEMAS.has(name)) return readValue(value)
  if (!MAPS.has(name) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readValue(each)]))
}

function readValue(value: unknown): unknown {
  return isObject(value) ? readJsonSchema(value) : value
}

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeOf)
  if (typeof value !== 'string') return value
  return value === 'TYPE_UNSPECIFIED' ? null : value.toLowerCase()
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  const nullable = Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}
  if (typeof type === 'string') return { ...schema, type: [type, 'null'], ...nullable }
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] }
  return { ...schema, ...nullable }
}
