import { isDeepStrictEqual } from 'node:util'
import { isSealed } from '../../core/secret-box.ts'
import { SECRET_FIELDS } from './secret-fields.ts'

/** A field whose value differs, by its path in the file: `targets.main.weight`. */
export interface ValueChange {
  readonly path: string
  /** `1 → 2`, or `changed` where a value is a secret. */
  readonly change: string
}

/** So much of a value is shown. */
const SHOWN_CHARACTERS = 80
/** What names an entry of a list, the first that it has. */
const NAMES = ['name', 'window', 'above_input_tokens', 'upstream'] as const

/** What the file writes of an object, by its fields. */
export type WrittenFields = Readonly<Record<string, unknown>>

/** What differs between two objects as the file writes them, in the order of the alphabet. No secret is shown. */
export function valueChanges(before: WrittenFields, after: WrittenFields): readonly ValueChange[] {
  return [...changesOf(before, after)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function* changesOf(before: WrittenFields, after: WrittenFields, above = ''): Iterable<ValueChange> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    const path = `${above}${name}`
    if (isDeepStrictEqual(was, is)) continue
    if (SECRET_FIELDS.has(name) || isSecret(was) || isSecret(is)) yield { path, change: 'changed' }
    else yield* changesOfValue(was, is, path)
  }
}

function* changesOfValue(was: unknown, is: unknown, path: string): Iterable<ValueChange> {
  const [fieldsWas, fieldsIs] = [fieldsOf(was), fieldsOf(is)]
  const [entriesWas, entriesIs] = [entriesOf(was), entriesOf(is)]
  if (fieldsWas !== null && fieldsIs !== null) yield* changesOf(fieldsWas, fieldsIs, `${path}.`)
  else if (entriesWas !== null && entriesIs !== null) yield* changesOfEntries(entriesWas, entriesIs, `${path}.`)
  else yield { path, change: `${shown(was)} → ${shown(is)}` }
}

/** An entry that is there on one side alone is one change, not one for each of its fields. */
function* changesOfEntries(
  before: readonly WrittenFields[],
  after: readonly WrittenFields[],
  above: string,
): Iterable<ValueChange> {
  const [was, is] = [byName(before), byName(after)]
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [entryWas, entryIs] = [was.get(name), is.get(name)]
    if (entryWas === undefined) yield { path: `${above}${name}`, change: 'added' }
    else if (entryIs === undefined) yield { path: `${above}${name}`, change: 'removed' }
    else yield* changesOf(entryWas, entryIs, `${above}${name}.`)
  }
  const kept = [...was.keys()].filter((name) => is.has(name))
  const isSameOrder = isDeepStrictEqual(
    kept,
    [...is.keys()].filter((name) => was.has(name)),
  )
  if (!isSameOrder) yield { path: above.slice(0, -1), change: 'in another order' }
}

function byName(entries: readonly WrittenFields[]): ReadonlyMap<string, WrittenFields> {
  const names = entries.map((each) => plainText(NAMES.map((name) => each[name]).find((name) => name !== undefined)))
  const isNamed = new Set(names).size === names.length && !names.includes('')
  return new Map(entries.map((each, index) => [isNamed ? (names[index] ?? '') : String(index + 1), each]))
}

/** What is not set has no fields, so that each is shown where it is set. null: not an object. */
function fieldsOf(value: unknown): WrittenFields | null {
  if (value === null) return {}
  return isFields(value) ? value : null
}

/** null: not a list of objects. */
function entriesOf(value: unknown): readonly WrittenFields[] | null {
  if (value === null) return []
  return Array.isArray(value) && value.every(isFields) ? value : null
}

function isFields(value: unknown): value is WrittenFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && isSealed(value)
}

function shown(value: unknown): string {
  if (value === null) return 'none'
  if (isFields(value)) return 'set'
  const text = Array.isArray(value) ? `[${value.map(shown).join(', ')}]` : plainText(value)
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS - 1)}…` : line
}

/** Empty for what is neither text, number nor yes or no. */
function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
