import { isObject, type JsonObject } from '../json/json-object.ts'

/** Strings that are sent whole each time, and not piece by piece. */
const WHOLE_STRINGS = new Set(['role', 'id', 'type', 'name', 'format', 'signature', 'call_id'])
/** How far back in a list an entry is looked for that goes on. */
const ENTRIES_LIMIT = 256

/** Adds the next piece of a streamed message: text is put behind text, lists behind lists, entries with an index to their own. */
export function mergeDelta(into: Record<string, unknown>, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    if (key === '__proto__') continue
    const before = into[key]
    if (value === null) into[key] ??= null
    else if (typeof value === 'string') into[key] = withText(before, value, WHOLE_STRINGS.has(key))
    else if (Array.isArray(value)) into[key] = withEntries(before, value as readonly unknown[])
    else if (isObject(value)) {
      const object: Record<string, unknown> = isObject(before) ? before : {}
      mergeDelta(object, value)
      into[key] = object
    } else into[key] = value
  }
}

function withText(before: unknown, text: string, isWhole: boolean): unknown {
  if (Array.isArray(before)) {
    if (text !== '') before.push({ type: 'text', text })
    return before
  }
  if (typeof before !== 'string') return text
  if (isWhole) return text === '' ? before : text
  return before + text
}

function withEntries(before: unknown, entries: readonly unknown[]): unknown[] {
  const list: unknown[] = Array.isArray(before) ? before : []
  if (typeof before === 'string' && before !== '') list.push({ type: 'text', text: before })
  for (const entry of entries) {
    const going = isObject(entry) ? entryOf(list, entry) : undefined
    if (going !== undefined && isObject(entry)) mergeDelta(going, entry)
    else list.push(isObject(entry) ? copyOf(entry) : entry)
  }
  return list
}

/** The entry of the list that this one goes on with. Without an index a call goes on as long as no other id comes. */
function entryOf(list: readonly unknown[], entry: JsonObject): Record<string, unknown> | undefined {
  const { index, type, id } = entry
  if (typeof index !== 'number') {
    const last = list.at(-1)
    const goesOn = isObject(entry['function']) && isObject(last) && (typeof id !== 'string' || id === last['id'])
    return goesOn ? last : undefined
  }
  const last = list.slice(-ENTRIES_LIMIT)
  return last.findLast(
    (each): each is Record<string, unknown> =>
      isObject(each) &&
      each['index'] === index &&
      (type === undefined || each['type'] === undefined || each['type'] === type),
  )
}

function copyOf(entry: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  mergeDelta(copy, entry)
  return copy
}
