import { STORED_IDS_LIMIT } from '../core/limits.ts'
import type { NamedPlace, OutsideInput } from './protocol.ts'
import { isValueSet, shortTextAt, shortTextIn, shortTextsOf } from './json/json-value.ts'
import { decoded, withoutCase } from './reading/outside-names.ts'

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

/**
 * Reads them where the scan of a JSON body has found them (`OutsideInput.named`): nothing is parsed but the ids, and there are few.
 * Names count in any case of their letters, as for upstreams written in Go; a field that stands twice counts twice, since parsers
 * differ in which of the two they read.
 */
export function storedIdsIn(body: Buffer, outside: OutsideInput): StoredIds {
  const known = READ.get(outside) ?? read(body, outside)
  READ.set(outside, known)
  return known
}

/** What was read of a request, which is asked for more than once. */
const READ = new WeakMap<OutsideInput, StoredIds>()

function read(body: Buffer, { named = [] }: OutsideInput): StoredIds {
  // It is refused for their number.
  if (named.length > STORED_IDS_LIMIT) return { answers: [], other: null, otherIds: [] }
  const answers = new Set<string>()
  const otherIds: string[] = []
  let other: string | null = null
  for (const place of named) {
    if (place.kind !== 'other') {
      answers.add(shortTextAt(body, place.at) ?? '')
      continue
    }
    const written = decoded(body.toString('utf8', place.name.start + 1, place.name.end - 1))
    const id = shortTextIn(body, place.at, 'id')
    if (!namesKept(withoutCase(written), body, { ...place, id })) continue
    other ??= written
    otherIds.push(...idsAt(body, place.at, id))
  }
  return { answers: [...answers], other, otherIds }
}

/** Whether a name stands for something that a provider keeps: by its value some of what is found by name is nothing of the kind. */
function namesKept(name: string, body: Buffer, { at, id }: NamedPlace & { id: string | null | undefined }): boolean {
  const text = body[at] === QUOTE ? (shortTextAt(body, at) ?? '') : null
  // Skills that Anthropic offers to all have plain names; one's own have ids.
  if (name === 'skill_id') return text?.startsWith('skill_') === true
  // As an object it may describe a new one.
  const hasId = body[at] === OPEN_BRACE && id !== null
  if (name === 'container') return text !== null || hasId
  // An object that is too long to look for one may have one.
  if (name === 'audio') return hasId
  if (name === 'fileuri' || name === 'file_uri') return text === null || !isPublicAddress(text)
  return body[at] !== OPEN_BRACE || isValueSet(body, at)
}

/** A field has an id, a list of them, or an object with one. */
function idsAt(body: Buffer, at: number, inObject: string | null | undefined): readonly string[] {
  if (body[at] === OPEN_BRACKET) return shortTextsOf(body, at)
  const id = body[at] === OPEN_BRACE ? inObject : shortTextAt(body, at)
  return typeof id === 'string' ? [id] : []
}

/** Whether an address is public (a video of YouTube's), and not a file that was uploaded to Google with a credential. */
function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && !/(?:^|\.)googleapis\.com\.?$/.test(hostname)
}

const QUOTE = 0x22
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
