import type { ModelFacts } from '../../models/facts.ts'
import type { OutputFormat } from './request-settings.ts'
import type { UpstreamCall } from './spoke.ts'
import { writeJson } from '../json/exact-json.ts'
import { isObject, type JsonObject } from '../json/json-object.ts'
import { mapped, same } from './tool-schema.ts'

/**
 * Takes the format of the answer as the model's facts allow it; null: none is asked for. Throws the fault `request_invalid`
 * where the model cannot keep to it: an answer in another form would look like what was asked for.
 */
export function takeFormat({ settings, facts }: UpstreamCall, hasTools: boolean): OutputFormat | null {
  const format = settings.take('format')
  if (format === null) return null
  if (hasTools && !facts.tools_with_format) {
    return settings.refuse('format', 'the model takes no tools beside a format of the answer')
  }
  const flaw = flawOf(format, facts)
  if (flaw !== null) return settings.refuse('format', flaw)
  if (format.kind === 'json') return format
  const rules = { bounds: facts.schema_bounds, openObjects: facts.open_objects }
  const schema = outputSchema(format.schema, rules, () => settings.drop('format', '.additionalProperties'))
  return schema === format.schema ? format : { ...format, schema }
}

/** The name that OpenAI's wires require: of letters, digits, `_` and `-`, 64 at most. */
export function portableFormatName(name: string | null): string {
  return (name ?? '').replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer'
}

function flawOf({ kind }: OutputFormat, { format }: ModelFacts): string | null {
  if (format === 'none') return 'the model can be held to no format; ask for it in words'
  if (format === 'json' && kind === 'schema') {
    return 'the model writes JSON without a schema only; ask for `json_object`, and for its form in words'
  }
  return null
}

/** Deeper schemas are sent as they are. */
const DEPTH_LIMIT = 64

/** What a provider's structured outputs take of a schema. */
interface OutputSchemaRules {
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
