import { isObject, type JsonFields, listOf, objectOf, stringOf } from './json.ts'

/**
 * A value that satisfies a JSON schema in a simple way: only what is required, the smallest numbers and lists, the first
 * of several choices. `pattern`, `not` and conditions are not looked at, and `$ref` only inside the schema (`#/…`).
 */
export function sampleValue(schema: JsonFields): unknown {
  return sample(schema, { root: schema, depth: 0, left: { values: VALUES_LIMIT } })
}

interface SampleScope {
  readonly root: JsonFields
  readonly depth: number
  /** How many values may still be made: a few fields that refer to the whole schema multiply with every level. */
  readonly left: { values: number }
}

/** A schema that refers to itself without end stops here. */
const DEPTH_LIMIT = 12
const VALUES_LIMIT = 1000
/** A schema may ask for any length; more than this shows nothing new. */
const LENGTH_LIMIT = 100

function sample(schema: JsonFields, scope: SampleScope): unknown {
  if (scope.depth === DEPTH_LIMIT || scope.left.values === 0) return null
  scope.left.values--
  const deeper = { ...scope, depth: scope.depth + 1 }
  if ('const' in schema) return schema['const']
  const given = listOf(schema['enum'])[0] ?? schema['default'] ?? listOf(schema['examples'])[0]
  if (given !== undefined) return given
  if (typeof schema['$ref'] === 'string') return sample(referred(schema['$ref'], scope.root), deeper)
  const choice = listOf(schema['anyOf'])[0] ?? listOf(schema['oneOf'])[0]
  if (isObject(choice)) return sample({ ...without(schema, ['anyOf', 'oneOf']), ...choice }, deeper)
  const all = listOf(schema['allOf']).filter(isObject)
  if (all.length > 0) return sample(merged([without(schema, ['allOf']), ...all], scope.root), deeper)
  return ofType(schema, deeper)
}

function ofType(schema: JsonFields, scope: SampleScope): unknown {
  const type = typeOf(schema)
  if (type === 'object') return sampleObject(schema, scope)
  if (type === 'array') return sampleList(schema, scope)
  if (type === 'integer' || type === 'number') return sampleNumber(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  return sampleString(schema)
}

function typeOf(schema: JsonFields): string {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (typeof type === 'string') return type
  if ('properties' in schema || 'required' in schema) return 'object'
  return 'items' in schema ? 'array' : 'string'
}

function sampleObject(schema: JsonFields, scope: SampleScope): JsonFields {
  const properties = objectOf(schema['properties'])
  const names = listOf(schema['required']).filter((name) => typeof name === 'string')
  return Object.fromEntries(names.map((name) => [name, sample(objectOf(properties[name]), scope)]))
}

function sampleList(schema: JsonFields, scope: SampleScope): unknown[] {
  const length = Math.min(LENGTH_LIMIT, numberOf(schema['minItems']) ?? 0)
  return Array.from({ length }, () => sample(objectOf(schema['items']), scope))
}

function sampleNumber(schema: JsonFields, isWhole: boolean): number {
  const above = numberOf(schema['exclusiveMinimum'])
  const below = numberOf(schema['exclusiveMaximum'])
  const step = numberOf(schema['multipleOf']) ?? (isWhole ? 1 : 0)
  const gap = step === 0 ? 0.5 : step
  const least = numberOf(schema['minimum']) ?? (above === null ? null : above + gap)
  const most = numberOf(schema['maximum']) ?? (below === null ? null : below - gap)
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Infinity)
  if (step === 0) return wanted
  const up = Math.ceil(wanted / step) * step
  return most !== null && up > most ? Math.floor(wanted / step) * step : up
}

const FORMATS: JsonFields = {
  date: '2026-01-01',
  time: '12:00:00Z',
  'date-time': '2026-01-01T12:00:00Z',
  email: 'demo@example.test',
  uri: 'https://example.test/',
  url: 'https://example.test/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
}

function sampleString(schema: JsonFields): string {
  const format = stringOf(schema['format'])
  if (Object.hasOwn(FORMATS, format)) return stringOf(FORMATS[format])
  const least = Math.min(LENGTH_LIMIT, numberOf(schema['minLength']) ?? 0)
  return 'demo'.padEnd(least, '-demo').slice(0, numberOf(schema['maxLength']) ?? undefined)
}

/** All parts of an `allOf` as one schema: their properties and required names together. */
function merged(parts: readonly JsonFields[], root: JsonFields): JsonFields {
  const schemas = parts.map((part) => (typeof part['$ref'] === 'string' ? referred(part['$ref'], root) : part))
  const properties = schemas.map((schema) => objectOf(schema['properties']))
  const required = schemas.flatMap((schema) => listOf(schema['required']))
  const together: JsonFields = Object.assign({}, ...schemas)
  if (properties.every((own) => Object.keys(own).length === 0) && required.length === 0) return together
  return { ...together, properties: Object.assign({}, ...properties), required }
}

/** What `#/$defs/name` points at; an empty schema when it points nowhere. */
function referred(pointer: string, root: JsonFields): JsonFields {
  if (!pointer.startsWith('#')) return {}
  const names = pointer.split('/').slice(1)
  const readable = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return objectOf(readable.reduce<unknown>((value, name) => objectOf(value)[name], root))
}

function without(schema: JsonFields, names: readonly string[]): JsonFields {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
