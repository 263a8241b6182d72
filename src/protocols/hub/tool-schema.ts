import type { ToolSchemaRule } from '../../models/facts.ts'
import { writeJson } from '../json/exact-json.ts'
import { isObject, type JsonObject } from '../json/json-object.ts'

/** Deeper schemas are sent as they are. */
const DEPTH_LIMIT = 64

/** Keywords under which a schema holds other schemas: one, a list of them, or one for each name. */
const SINGLE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * The schema of a tool's arguments as a model takes it that keeps to these rules. What it allows stays allowed: a rule makes it
 * wider where the model takes nothing as precise.
 */
export function toolSchema(schema: JsonObject, rules: readonly ToolSchemaRule[]): JsonObject {
  if (rules.length === 0) return schema
  const has = new Set(rules)
  const root = has.has('no_top_level_choice') ? withoutChoice(schema) : schema
  return adapted(root, { has, depth: 0 })
}

interface ToolSchemaPlace {
  readonly has: ReadonlySet<ToolSchemaRule>
  readonly depth: number
}

/** What is not changed stays the same object, and with it the order of its keys. */
function adapted(schema: JsonObject, place: ToolSchemaPlace): JsonObject {
  if (place.depth === DEPTH_LIMIT) return schema
  const own = withOwnRules(schema, place)
  const below = { ...place, depth: place.depth + 1 }
  const changes: Record<string, unknown> = {}
  for (const key of SINGLE) note(changes, key, { before: own[key], after: schemaOf(own[key], below) })
  for (const key of LISTS) {
    const list = own[key]
    if (Array.isArray(list)) note(changes, key, { before: list, after: same(list, (each) => schemaOf(each, below)) })
  }
  for (const key of NAMED) {
    const map = own[key]
    if (isObject(map)) note(changes, key, { before: map, after: mapped(map, (each) => schemaOf(each, below)) })
  }
  return Object.keys(changes).length === 0 ? own : { ...own, ...changes }
}

function schemaOf(value: unknown, place: ToolSchemaPlace): unknown {
  return isObject(value) ? adapted(value, place) : value
}

function note(
  changes: Record<string, unknown>,
  key: string,
  { before, after }: { before: unknown; after: unknown },
): void {
  if (before !== after) changes[key] = after
}

/** The list with each entry changed; the same one where nothing is. */
export function same(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change)
  return changed.every((each, index) => each === list[index]) ? list : changed
}

/** The map with each value changed; the same one where nothing is. */
export function mapped(map: JsonObject, change: (each: unknown) => unknown): JsonObject {
  const entries = Object.entries(map)
  const changed = entries.map(([name, each]): [string, unknown] => [name, change(each)])
  return changed.every(([, each], index) => each === entries[index]?.[1]) ? map : Object.fromEntries(changed)
}

function withOwnRules(schema: JsonObject, { has, depth }: ToolSchemaPlace): JsonObject {
  let own = schema
  if (has.has('no_ref_siblings') && typeof own['$ref'] === 'string' && depth > 0) return { $ref: own['$ref'] }
  if (has.has('no_type_beside_any_of')) own = typeInBranches(own)
  if (has.has('no_tuples')) own = withoutTuple(own)
  if (has.has('items') && own['type'] === 'array' && !('items' in own)) own = { ...own, items: {} }
  const isObjectSchema = own['type'] === 'object' || (depth === 0 && !('$ref' in own))
  if (has.has('properties') && isObjectSchema && !isObject(own['properties'])) {
    own = { type: 'object', ...own, properties: {} }
  }
  return own
}

/** A type beside a choice goes into those branches that have none of their own. */
function typeInBranches(schema: JsonObject): JsonObject {
  const { type, anyOf, ...rest } = schema
  if (type === undefined || !Array.isArray(anyOf)) return schema
  const branches = anyOf.map((branch: unknown) => {
    if (!isObject(branch) || 'type' in branch || '$ref' in branch || 'anyOf' in branch) return branch
    return { type, ...branch }
  })
  return { ...rest, anyOf: branches }
}

/** A tuple becomes a list whose members are any of its members, as long as it was. */
function withoutTuple(schema: JsonObject): JsonObject {
  const { items, prefixItems, additionalItems: _further, ...rest } = schema
  const members = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : null
  if (members === null) return schema
  const others = isObject(items) ? [items] : []
  const distinct = distinctSchemas([...members, ...others])
  const [only] = distinct
  return { ...rest, items: distinct.length === 1 && only !== undefined ? only : { anyOf: distinct } }
}

function distinctSchemas(schemas: readonly unknown[]): readonly unknown[] {
  const seen = new Map(schemas.map((schema) => [writeJson(() => schema), schema]))
  return [...seen.values()]
}

/** A choice at the top becomes one object that has the properties of all branches; only what all require is required. */
function withoutChoice(schema: JsonObject): JsonObject {
  const keys = CHOICES.filter((key) => Array.isArray(schema[key]))
  if (keys.length === 0) return schema
  const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = schema
  const properties = new Map<string, unknown>()
  let required = namesIn(rest['required'])
  for (const key of keys) {
    const branches = branchesOf(schema[key], schema)
    for (const branch of branches) {
      for (const [name, each] of Object.entries(isObject(branch['properties']) ? branch['properties'] : {})) {
        properties.set(name, properties.has(name) ? either(properties.get(name), each) : each)
      }
    }
    required = [...required, ...requiredBy(branches, key)]
  }
  const own = isObject(rest['properties']) ? rest['properties'] : {}
  const names = [...new Set(required)]
  return {
    ...rest,
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...own },
    ...(names.length === 0 ? {} : { required: names }),
  }
}

function requiredBy(branches: readonly JsonObject[], key: (typeof CHOICES)[number]): readonly string[] {
  const lists = branches.map((branch) => namesIn(branch['required']))
  if (key === 'allOf') return lists.flat()
  const [first = [], ...others] = lists
  return first.filter((name) => others.every((list) => list.includes(name)))
}

/** Branches that are named elsewhere in the same schema are read from there. */
function branchesOf(list: unknown, root: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(list)) return []
  return list.filter(isObject).map((branch) => {
    const name = typeof branch['$ref'] === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec(branch['$ref']) : null
    const home = name === null ? null : root[name[1] ?? '']
    const found = isObject(home) ? home[name?.[2] ?? ''] : null
    return isObject(found) ? found : branch
  })
}

function either(one: unknown, other: unknown): unknown {
  const schemas = distinctSchemas([one, other])
  return schemas.length === 1 ? one : { anyOf: schemas }
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
