import { writeJson } from '../reading/exact-json.ts'
import { isObject, type JsonObject } from './json-object.ts'

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

/** These two are taken where lists are not bounded otherwise. */
const TAKEN_LEAST_ITEMS: ReadonlySet<unknown> = new Set([0, 1])

/**
 * A schema as a provider takes it that has no bounds or no open objects. Bounds go into the description, as the vendors' own
 * SDKs do it: the model reads them and is not held to them. `onClosed`: an object that was open by its own words is closed.
 */
export function outputSchema(schema: JsonObject, rules: OutputSchemaRules, onClosed: () => void): JsonObject {
  if (rules.bounds && rules.openObjects) return schema
  return adapted(schema, { rules, onClosed, depth: 0 })
}

interface Place {
  readonly rules: OutputSchemaRules
  readonly onClosed: () => void
  readonly depth: number
}

function adapted(schema: JsonObject, place: Place): JsonObject {
  if (place.depth === DEPTH_LIMIT) return schema
  const below = { ...place, depth: place.depth + 1 }
  const noted: string[] = []
  const written: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    const isTaken = place.rules.bounds || !BOUNDS.has(key) || (key === 'minItems' && TAKEN_LEAST_ITEMS.has(value))
    if (isTaken) written[key] = within(key, value, below)
    else noted.push(`${key}: ${writeJson(() => value)}`)
  }
  if (noted.length > 0) {
    const before = typeof schema['description'] === 'string' ? `${schema['description']} ` : ''
    written['description'] = `${before}(${noted.join(', ')})`
  }
  return place.rules.openObjects ? written : closed(written, place)
}

function within(key: string, value: unknown, place: Place): unknown {
  if (Array.isArray(value) && (key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems')) {
    return value.map((each: unknown) => (isObject(each) ? adapted(each, place) : each))
  }
  if (!isObject(value)) return value
  if (key === 'items' || key === 'not') return adapted(value, place)
  if (key !== 'properties' && key !== '$defs' && key !== 'definitions') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isObject(each) ? adapted(each, place) : each]),
  )
}

function closed(schema: Record<string, unknown>, { onClosed }: Place): JsonObject {
  const { type, additionalProperties } = schema
  const isObjectSchema =
    type === 'object' || isObject(schema['properties']) || (Array.isArray(type) && type.includes('object'))
  if (!isObjectSchema || additionalProperties === false) return schema
  if (additionalProperties !== undefined) onClosed()
  return { ...schema, additionalProperties: false }
}
