import { z } from '@hono/zod-openapi'
import { TEXTS_OF_FORMS } from '../../contract/wire-values.ts'
import { FIELD_FORMS, type FieldForm } from '../../core/field-forms.ts'
import { fieldProblem, type FieldRequirement, type Problem } from '../problem.ts'

/** What a schema makes of a body. Throws Problem `field_invalid`, which names the first field that is wrong and what it takes. */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw problemOf(parsed.error, value)
}

/**
 * Checks a query string as `checkedBody` does a body. Unknown names are refused, since a filter without effect misleads, unless the schema
 * is a loose one: there another server chooses the names.
 */
export function checkedQuery(schema: z.ZodType | null, query: URLSearchParams): unknown {
  if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown) {
    return checkedBody(schema, Object.fromEntries(query))
  }
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const values: Record<string, string> = {}
  for (const [name, value] of query) {
    if (!known.includes(name)) {
      throw fieldProblem(shown(name), unknownName(shown(name), known), { form: 'known_field', values: known })
    }
    if (name in values) throw fieldProblem(name, `${name} appears more than once in the query: give it one value.`)
    values[name] = value
  }
  return schema === null ? null : checkedBody(schema, values)
}

/** A parameter of the path. */
export function checkedParameter(name: string, value: string): string {
  if (value.length >= 1 && value.length <= LONGEST_PARAMETER) return value
  throw fieldProblem(name, `${name} must be 1 to ${LONGEST_PARAMETER} characters.`)
}

const LONGEST_PARAMETER = 200
const LONGEST_SHOWN = 60

function problemOf(error: z.ZodError, value: unknown): Problem {
  // A misspelt field is named first: it is why the right one is missing.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]
  if (issue === undefined) return fieldProblem('', 'The request body does not match the schema.')
  return problemOfIssue(issue, [], value)
}

function problemOfIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[], value: unknown): Problem {
  const path = [...above, ...issue.path]
  const [inner] = innerIssues(issue)
  if (inner !== undefined) return problemOfIssue(inner, path, value)
  if (issue.code === 'unrecognized_keys') {
    const field = pathText([...path, issue.keys[0] ?? ''])
    const sentence = `"${field}" is not a field of this request: see /api/docs for its fields.`
    return fieldProblem(field, sentence, { form: 'known_field' })
  }
  const field = pathText(path)
  const what = field === '' ? 'The request body' : field
  const isMissing = path.length > 0 && valueAt(value, path) === undefined
  const takes = formOf(issue)
  return fieldProblem(
    field,
    isMissing ? `${what} is missing: it ${endingOf(issue)}.` : `${what} ${endingOf(issue)}.`,
    takes === null ? undefined : { ...takes, isMissing },
  )
}

/** What is wrong with the first form of a union, or with the name of an entry. */
function innerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code === 'invalid_union') return issue.errors[0] ?? []
  return issue.code === 'invalid_key' ? issue.issues : []
}

/** The word for what the field takes; null: there is only the sentence. */
function formOf(issue: z.core.$ZodIssue): FieldRequirement | null {
  if (issue.code === 'invalid_type') return form(formSaid(issue) ?? TYPES[issue.expected]?.[0])
  if (issue.code === 'invalid_value') return form('one_of', issue.values.map(String))
  if (issue.code === 'too_small') return form(sized('at_least', issue.origin), [String(issue.minimum)])
  if (issue.code === 'too_big') return form(sized('at_most', issue.origin), [String(issue.maximum)])
  if (issue.code === 'not_multiple_of') return form('multiple_of', [String(issue.divisor)])
  const ofFormat = issue.code === 'invalid_format' ? FORMATS[issue.format]?.[0] : undefined
  return form(ofFormat ?? formSaid(issue))
}

/** The word for what a schema says in a sentence of its own. */
function formSaid({ message }: z.core.$ZodIssue): FieldForm | undefined {
  return FIELD_FORMS.find((each) => textOf(each) === message)
}

function form(name: FieldForm | undefined, values: readonly string[] = []): FieldRequirement | null {
  return name === undefined ? null : { form: name, values }
}

function textOf(name: FieldForm): string | undefined {
  const texts: Partial<Record<FieldForm, string>> = TEXTS_OF_FORMS
  return texts[name]
}

function sized(bound: 'at_least' | 'at_most', origin: string): FieldForm {
  return origin === 'string' ? `characters_${bound}` : origin === 'array' ? `entries_${bound}` : bound
}

/** What the field must be, as the end of a sentence that begins with its name. */
function endingOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.message.startsWith('must ') ? issue.message : `must be ${TYPES[issue.expected]?.[1] ?? issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') return `must ${verb(issue.origin)} at least ${amount(issue.minimum, issue.origin)}`
  if (issue.code === 'too_big') return `must ${verb(issue.origin)} at most ${amount(issue.maximum, issue.origin)}`
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${String(issue.divisor)}`
  return issue.code === 'invalid_format' ? (FORMATS[issue.format]?.[1] ?? issue.message) : issue.message
}

/** Types of a schema, as a word and as what such a field must be. */
const TYPES: Readonly<Record<string, readonly [FieldForm, string]>> = {
  string: ['text', 'text'],
  number: ['number', 'a number'],
  int: ['whole_number', 'a whole number'],
  boolean: ['boolean', 'true or false'],
  array: ['list', 'a list'],
  object: ['object', 'an object'],
  record: ['object', 'an object'],
  null: ['null', 'null'],
}

/** Formats of a schema, likewise. */
const FORMATS: Readonly<Record<string, readonly [FieldForm, string]>> = {
  datetime: ['time', 'must be a time such as 2027-01-31T00:00:00Z'],
  email: ['email', 'must be an email address'],
  url: ['url', 'must be a URL that begins with http:// or https://'],
}

const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

/** A list has entries; anything else is so long or so large. */
function verb(origin: string): 'be' | 'have' {
  return origin === 'array' ? 'have' : 'be'
}

function amount(size: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  if (unit === undefined) return String(size)
  return `${size} ${Number(size) === 1 ? unit[0] : unit[1]}`
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map((part) => shown(String(part))).join('.')
}

/** Names are the sender's own text and come back in messages. */
function shown(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, LONGEST_SHOWN)
}

function unknownName(name: string, known: readonly string[]): string {
  return known.length === 0
    ? `"${name}" is not a parameter of this path, which has none.`
    : `"${name}" is not a parameter of this path: it has ${known.join(', ')}.`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  )
}
