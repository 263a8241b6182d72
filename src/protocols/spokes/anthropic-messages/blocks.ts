import { type FieldReader, missing, readersOf, wrongKind } from '../../hub/field-reader.ts'
import type { CacheMark, TextPart } from '../../hub/neutral-request.ts'
import { isObject, type JsonObject } from '../../json/json-object.ts'

/** A field that is a string or a list of blocks, which are read one by one. */
export function blocksOf<Part>(
  of: FieldReader,
  name: string,
  read: (block: FieldReader, type: string) => Part[],
): (Part | TextPart)[] {
  const [value, at] = [of.raw(name), of.path(name)]
  if (value === null) throw missing(at, 'a string or a list of blocks')
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value, at }]
  if (!Array.isArray(value)) throw wrongKind(at, 'a string or a list of blocks')
  return readersOf(value, at, of.notes).flatMap((block) => read(block, block.requiredString('type')))
}

/** A block of text, whole. */
export function textPart(block: FieldReader): TextPart {
  return block.ended({ kind: 'text', text: block.requiredString('text'), at: block.at, ...readCacheMark(block) })
}

/** `cache_control` of a block or tool, as a field to spread; nothing where there is none. */
export function readCacheMark(block: FieldReader): { readonly cache?: CacheMark } {
  const value = block.raw('cache_control')
  if (value === null) return {}
  const at = block.path('cache_control')
  if (!isObject(value)) throw wrongKind(at, 'an object')
  const ttl = value['ttl'] ?? null
  if (ttl !== null && ttl !== '5m' && ttl !== '1h') throw wrongKind(`${at}.ttl`, '"5m" or "1h"')
  for (const name of Object.keys(value)) if (name !== 'type' && name !== 'ttl') block.notes.drop(`${at}.${name}`)
  return { cache: { ttl } }
}

/** Writes what `readCacheMark` reads. */
export function writeCacheMark({ cache }: { readonly cache?: CacheMark }): JsonObject {
  if (cache === undefined) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === null ? {} : { ttl: cache.ttl }) } }
}
