import { isDeepStrictEqual } from 'node:util'
import { GROUP } from '../../contract/objects/group.ts'
import { MODEL } from '../../contract/objects/model.ts'
import type { ObjectField } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { TARGET } from '../../contract/objects/target.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'
import { isSealed } from '../../core/secret-box.ts'
import { CREDENTIAL } from '../../contract/objects/credential.ts'

const DESCRIBED = [GROUP, PLAN, MODEL, TARGET, UPSTREAM].flatMap((fields) => Object.entries<ObjectField>(fields))

/** What the file calls a property; any other has its own name in snake_case. */
const SPELLED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DESCRIBED.map(([name, { at }]) => [at.split('.').at(-1), name])),
  fallbackGroupIds: 'fallback_groups',
  groupId: 'group',
  openGroupIds: 'open_groups',
  ownMultipliers: 'multipliers',
  prices: 'price',
}

/** Properties that hold several fields of the file. */
const GATHERED: ReadonlySet<string> = new Set(DESCRIBED.flatMap(([, { at }]) => at.split('.').slice(0, -1)))

/** Properties that the file does not have. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'isManaged', 'statusChangedAt'])

/** So many fields are listed; of the rest there is a count. */
const LISTED = 20

/** An object before and after, and how the file writes it. */
export interface ObjectChange<Kind extends object> {
  readonly before: Kind | null | undefined
  readonly after: Kind
  readonly written: (object: Kind) => object
}

/**
 * What became of an object, for the one who applies the file: `model gpt: price.input 2.5 → 3`, with the file's names of fields,
 * or `model gpt (new)`. Of a secret it is said that it changed.
 */
export function namedChange<Kind extends object>(what: string, { before, after, written }: ObjectChange<Kind>): string {
  if (before == null) return `${what} (new)`
  const changes = valueChanges({ ...written(before) }, { ...written(after) })
  const valued = new Set(changes.map(({ path }) => path.split('.')[0]))
  const others = changedFields(before, after).filter((name) => !valued.has(name))
  const said = [...changes.map(({ path, change }) => `${path} ${change}`), ...others.map((name) => `${name} changed`)]
  if (said.length === 0) return `${what}: managed by the file`
  const more = said.length > LISTED ? [`and ${said.length - LISTED} more`] : []
  return `${what}: ${[...said.toSorted().slice(0, LISTED), ...more].join(', ')}`
}

/** The names of the fields that differ, as the file spells them, in the order of the alphabet. */
function changedFields(before: object, after: object): readonly string[] {
  const [was, is] = [flattened(before), flattened(after)]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names]
    .filter((name) => !OWN.has(name) && !isDeepStrictEqual(was[name], is[name]))
    .map((name) => SPELLED[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .toSorted()
}

function flattened(object: object): WrittenFields {
  const entries = Object.entries(object).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
    GATHERED.has(name) && isObject(value) ? Object.entries(value) : [[name, value]],
  )
  // A field that is there without a value is the same as one that is left out.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A field whose value differs, by its path in the file: `targets.main.weight`. */
interface ValueChange {
  readonly path: string
  /** `1 → 2`, or `changed` where a value is a secret. */
  readonly change: string
}

/** So much of a value is shown. */
const SHOWN_CHARACTERS = 80
/** What names an entry of a list, the first that it has. */
const NAMES = ['name', 'window', 'above_input_tokens', 'upstream'] as const

/** What the file writes of an object, by its fields. */
type WrittenFields = Readonly<Record<string, unknown>>

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

/** The fields of the file whose values, and all that is below them, stand in no message. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  ...[UPSTREAM, CREDENTIAL].flatMap((fields) =>
    Object.entries(fields).flatMap(([name, field]) => ('isSecret' in field ? [name] : [])),
  ),
  'credential',
  'custom_key',
  'password',
  'password_hash',
  'secret_hash',
])
