import { isDeepStrictEqual } from 'node:util'

/** Fields that the file calls otherwise than by their own name in snake_case. */
const SPELLED: Readonly<Record<string, string>> = {
  droppedSettings: 'drop_fields',
  fallbackGroupIds: 'fallback_groups',
  groupId: 'group',
  groupIds: 'groups',
  isEnabled: 'enabled',
  isOpen: 'open',
  isPriceLocked: 'price_locked',
  isRecommended: 'recommended',
  keepsPrefixes: 'prefix_cache',
  openGroupIds: 'open_groups',
  prices: 'price',
  removedHeaders: 'remove_headers',
  renamedHeaders: 'rename_headers',
  sealedProxyUrl: 'proxy_url',
}

/** Fields that hold several of the file's. */
const GATHERED: ReadonlySet<string> = new Set(['passage', 'serving'])

/** Fields that the file does not have. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'isManaged', 'statusChangedAt'])

type Fields = Readonly<Record<string, unknown>>

/**
 * What became of an object, for the one who applies the file: `model gpt: price, targets`, with the file's names of fields, or
 * `model gpt (new)`. Values are left out, since some are secrets.
 */
export function namedChange(what: string, before: object | null | undefined, after: object): string {
  if (before == null) return `${what} (new)`
  const fields = changedFields(before, after)
  return fields.length === 0 ? `${what}: managed by the file` : `${what}: ${fields.join(', ')}`
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

function flattened(object: object): Fields {
  const entries = Object.entries(object).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
    GATHERED.has(name) && isObject(value) ? Object.entries(value) : [[name, value]],
  )
  // A field that is there without a value is the same as one that is left out.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
