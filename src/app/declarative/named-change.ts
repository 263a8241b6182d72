import { isDeepStrictEqual } from 'node:util'
import { GROUP } from '../../contract/objects/group.ts'
import { MODEL } from '../../contract/objects/model.ts'
import type { ObjectField } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { TARGET } from '../../contract/objects/target.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'
import { valueChanges, type WrittenFields } from './value-changes.ts'

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
