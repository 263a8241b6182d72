import { writeJson } from '../json/exact-json.ts'
import { isObject, type JsonObject } from '../json/json-object.ts'
import { mapped, same } from './tool-schema.ts'

/** Deeper schemas are sent as they are. */
const DEPTH_LIMIT = 64

/** What a provider's structured outputs take of a schema. */
export interface OutputSchemaRules {
  /** Whether values may be bounded. */
  readonly bounds: boolean
  /** Whether objects may have more than their properties. */
  readonly openObjects: boolean
}

/** Keywords that bound a value, of JSON Schema 2020-12. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
])

/** Least numbers of items that are taken where lists are not bounded otherwise. */
const TAKEN_LEAST_ITEMS: ReadonlySet<unknown> = new Set([0, 1])

/**
 * A schema as a provider takes it that has no bounds or no open objects. Bounds go into the description, as the vendors' own
 * SDKs do it: the model reads them and is not held to them. `onClosed`: an object that was open by its own words is closed.
 */
export function outputSchema(schema: JsonObject, rules: OutputSchemaRules, onClosed: () => void): JsonObject {
  if (rules.bounds && rules.openObjects) return schema
  return adapted(schema, { rules, onClosed, depth: 0 })
}

interface OutputSchemaPlace {
  readonly rules: OutputSchemaRules
  readonly onClosed: () => void
  readonly depth: number
}

/** What is not changed stays the same object, and with it the order of its keys. */
function adapted(schema: JsonObject, place: OutputSchemaPlace): JsonObject {
  if (place.depth === DEPTH_LIMIT) return schema
  const below = { ...place, depth: place.depth + 1 }
  const noted: string[] = []
  const written: [string, unknown][] = []
  let hasChanged = false
  for (const [key, value] of Object.entries(schema)) {
    const isTaken = place.rules.bounds || !BOUNDS.has(key) || (key === 'minItems' && TAKEN_LEAST_ITEMS.has(value))
    const kept = isTaken ? within(key, value, below) : undefined
    hasChanged ||= !isTaken || kept !== value
    if (isTaken) written.push([key, kept])
    else noted.push(`${key}: ${writeJson(() => value)}`)
  }
  const own = hasChanged ? withDescription(Object.fromEntries(written), noted) : schema
  return place.rules.openObjects ? own : closed(own, place)
}

function withDescription(schema: JsonObject, noted: readonly string[]): JsonObject {
  if (noted.length === 0) return schema
  const { description } = schema
  const before = typeof description === 'string' ? `${description} ` : ''
  return { ...schema, description: `${before}(${noted.join(', ')})` }
}

function within(key: string, value: unknown, place: OutputSchemaPlace): unknown {
  const change = (each: unknown): unknown => (isObject(each) ? adapted(each, place) : each)
  if (Array.isArray(value) && (key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems')) {
    return same(value, change)
  }
  if (key === 'items' || key === 'not') return change(value)
  const isMap = isObject(value) && (key === 'properties' || key === '$defs' || key === 'definitions')
  return isMap ? mapped(value, change) : value
}

function closed(schema: JsonObject, { onClosed }: OutputSchemaPlace): JsonObject {
  const { type, additionalProperties } = schema
  const isObjectSchema =
    type === 'object' || isObject(schema['properties']) || (Array.isArray(type) && type.includes('object'))
  if (!isObjectSchema || additionalProperties === false) return schema
  if (additionalProperties !== undefined) onClosed()
  return { ...schema, additionalProperties: false }
}
