import type { OpenApiDocument } from './openapi.ts'

/** A line of a table of fields. */
export interface SchemaField {
  readonly name: string
  /** How deep it lies in the object. */
  readonly depth: number
  /** What it takes, in words. */
  readonly type: string
  readonly isRequired: boolean
  readonly note: string
}

/** The parts of JSON Schema that our own schemas use. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly default?: unknown
  readonly description?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** The fields of a body, an answer or a plain `{ schema }`, from the outermost in. Nothing where the body is not JSON. */
export function fieldsOf(part: unknown, document: OpenApiDocument | null): readonly SchemaField[] {
  const schema = schemaOf(part)
  return schema === null ? [] : fieldsIn(schema, { document, depth: 0 })
}

/** The name of this schema among the components of the document; null: it is none. */
export function schemaName(schema: unknown, document: OpenApiDocument): string | null {
  const shape = isRecord(schema) && isRecord(schema['shape']) ? Object.keys(schema['shape']).sort().join() : null
  if (shape === null) return null
  const components = document.components?.schemas ?? {}
  const found = Object.entries(components).find(
    ([, each]) =>
      isRecord(each) && isRecord(each['properties']) && Object.keys(each['properties']).sort().join() === shape,
  )
  return found?.[0] ?? null
}

const DEEPEST = 3

interface FieldPosition {
  readonly document: OpenApiDocument | null
  readonly depth: number
}

function fieldsIn(schema: Schema, where: FieldPosition): readonly SchemaField[] {
  const whole = objectIn(resolved(schema, where), where)
  const required = whole.required ?? []
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]) => {
    const meant = resolved(field, where)
    const line = {
      name,
      depth: where.depth,
      type: typeOf(meant, where),
      isRequired: required.includes(name) && meant.default === undefined,
      note: meant.description ?? '',
    }
    return where.depth >= DEEPEST ? [line] : [line, ...fieldsIn(meant, { ...where, depth: where.depth + 1 })]
  })
}

/** The object in a list, or in a choice between an object and nothing. */
function objectIn(schema: Schema, where: FieldPosition): Schema {
  if (schema.items !== undefined) return objectIn(resolved(schema.items, where), where)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const inner = choices.map((each) => resolved(each, where)).find((each) => each.properties !== undefined)
  return schema.properties === undefined && inner !== undefined ? inner : schema
}

function resolved(schema: Schema, { document }: FieldPosition): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const component = name === undefined ? undefined : document?.components?.schemas?.[name]
  return isRecord(component) ? { ...component, ...schema } : schema
}

function typeOf(schema: Schema, where: FieldPosition): string {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (choices.length > 0) return unique(choices.map((each) => typeOf(resolved(each, where), where))).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const names = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const orNull = names.includes('null') ? ' or null' : ''
  if (schema.enum !== undefined) {
    const words = schema.enum
      .filter((each) => each !== null)
      .map((each) => (each === '' ? 'empty' : JSON.stringify(each).replaceAll('"', '')))
    return `${words.join(' | ')}${orNull}${bounds({ default: schema.default })}`
  }
  const kinds = names.filter((each) => each !== 'null').map((each) => kindOf(each, schema, where))
  return `${kinds.join(' or ') || 'anything'}${orNull}${bounds(schema)}`
}

function kindOf(name: string, schema: Schema, where: FieldPosition): string {
  if (name === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeOf(resolved(schema.items, where), where)}`
  if (name === 'string') return TEXTS[schema.format ?? ''] ?? 'text'
  return { integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object' }[name] ?? name
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  usd: 'USD as text',
  email: 'email address',
  uri: 'URL',
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems, default: standard }: Schema): string {
  const [from, to] = [minimum ?? minLength, maximum ?? maxLength ?? maxItems]
  // JSON Schema of a plain integer names the largest one there is.
  const isBounded = to !== undefined && Math.abs(to) < Number.MAX_SAFE_INTEGER
  const range = isBounded
    ? from === undefined
      ? `up to ${to}`
      : `${from}–${to}`
    : from !== undefined && from > 0
      ? `from ${from}`
      : ''
  const parts = [range, standard === undefined ? '' : `default ${JSON.stringify(standard)}`].filter(
    (each) => each !== '',
  )
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)]
}

function schemaOf(part: unknown): Schema | null {
  if (!isRecord(part)) return null
  if (isRecord(part['schema'])) return part['schema']
  const content = part['content']
  const json = isRecord(content) ? content['application/json'] : null
  return isRecord(json) && isRecord(json['schema']) ? json['schema'] : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
