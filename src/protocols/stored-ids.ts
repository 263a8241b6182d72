import { isObject, type JsonObject } from './hub/json-object.ts'
import { CLIENTS_OWN } from './outside-input.ts'
import { withoutCase } from './reading/outside-names.ts'

/**
 * What a request names that a provider keeps for the holder of its credential, and so for all accounts of this gateway
 * together. A client that sends such an id gets at what is behind it, so it has to be known whose it is.
 */
export interface StoredIds {
  /** Responses and items of them, which the gateway saw being made. '': something that can be none. */
  readonly answers: readonly string[]
  /** The name of the first field that names something else, which are not made through it: files, conversations, stores. */
  readonly other: string | null
  /** Ids of those, as far as they are texts. */
  readonly otherIds: readonly string[]
}

/** The `other` of a body that cannot be parsed, of which nothing can be said. */
export const UNREADABLE = 'body'

/**
 * Reads them from a JSON body. It parses the body, so it is for requests that hold such an id at all (`OutsideInput.kept`).
 * Names count in any case of their letters, as for upstreams written in Go; of a field that stands twice, the last, as nearly
 * all parsers have it.
 */
export function storedIdsIn(body: Buffer): StoredIds {
  let request: unknown
  try {
    request = JSON.parse(body.toString('utf8'))
  } catch {
    // It cannot be read whole, and so nothing can be said of what it names.
    return { answers: [], other: UNREADABLE, otherIds: [] }
  }
  const found: Found = { answers: [], other: null, otherIds: [] }
  if (isObject(request)) collectFrom(request, found)
  return { ...found, answers: [...new Set(found.answers)] }
}

interface Found {
  readonly answers: string[]
  other: string | null
  readonly otherIds: string[]
}

/** Fields at the top. */
const AT_TOP = new Set(['conversation', 'prompt', 'thread', 'preset'])
/** Fields anywhere but in what is the client's own. */
const ANYWHERE = new Set([
  'file_id',
  'file_ids',
  'vector_store_id',
  'vector_store_ids',
  'container_id',
  'cachedcontent',
  'cached_content',
  'filesearchstorenames',
  'file_search_store_names',
])
const MESSAGES_OR_INPUT = new Set(['messages', 'input'])

function collectFrom(request: JsonObject, found: Found): void {
  const open: { readonly object: JsonObject; readonly keys: readonly string[] }[] = [{ object: request, keys: [] }]
  // A list of what is still to be read and no recursion, since the client decides how deep it goes.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { keys } = next
    if (keys.length === 1 && keys[0] === 'input') collectItem(next.object, found)
    for (const [written, value] of Object.entries(next.object)) {
      const name = withoutCase(written)
      if (keys.length === 0 && name === 'metadata') continue
      // `input` is the whole input of a response, and the arguments of a call within a message.
      if (CLIENTS_OWN.has(name) || (name === 'input' && keys.length > 0)) continue
      if (keys.length === 0 && name === 'previous_response_id' && isSet(value)) {
        found.answers.push(typeof value === 'string' ? value : '')
      } else if (namesKept(name, value, keys)) {
        found.other ??= written
        found.otherIds.push(...idsIn(value))
      }
      // The names that matter stand near the top; how deep something is does not.
      const below = keys.length < KEYS_KEPT ? [...keys, name] : keys
      const children = (Array.isArray(value) ? flat(value) : [value]).filter(isObject)
      for (const object of children) open.push({ object, keys: below })
    }
  }
}

const KEYS_KEPT = 4

/** An item that stands for one of an earlier answer: of this type, or with an id and nothing that says what it is. */
function collectItem(item: JsonObject, found: Found): void {
  const fields = new Map(Object.entries(item).map(([name, value]) => [withoutCase(name), value]))
  const type = fields.get('type')
  const isLone = typeof type !== 'string' && fields.has('id') && !fields.has('content')
  if (type !== 'item_reference' && !isLone) return
  const id = fields.get('id')
  found.answers.push(typeof id === 'string' ? id : '')
}

function namesKept(name: string, value: unknown, keys: readonly string[]): boolean {
  if (!isSet(value)) return false
  if (keys.length === 0 && AT_TOP.has(name)) return true
  if (ANYWHERE.has(name)) return true
  // Skills that Anthropic offers to all have plain names; one's own have ids.
  if (name === 'skill_id') return typeof value === 'string' && value.startsWith('skill_')
  // As an object it may describe a new one.
  if (name === 'container') return typeof value === 'string' || (isObject(value) && isSet(value['id']))
  if (name === 'fileuri' || name === 'file_uri') return !isPublicAddress(value)
  return name === 'audio' && MESSAGES_OR_INPUT.has(keys[0] ?? '') && isObject(value) && isSet(value['id'])
}

/** A field has an id, a list of them, or an object with one. */
function idsIn(value: unknown): readonly string[] {
  const among: readonly unknown[] = Array.isArray(value) ? value : [isObject(value) ? value['id'] : value]
  return among.filter((id) => typeof id === 'string')
}

/** Not null, false, "", [] or {}. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== ''
}

/** It is public (a video of YouTube's), and not a file that was uploaded to Google with a credential. */
function isPublicAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (protocol === 'https:' || protocol === 'http:') && !/(?:^|\.)googleapis\.com\.?$/.test(hostname)
}

function flat(list: readonly unknown[]): readonly unknown[] {
  return list.some((each) => Array.isArray(each)) ? list.flat(DEEPEST_LIST) : list
}

/** Lists of lists say nothing in any of these APIs. */
const DEEPEST_LIST = 8
