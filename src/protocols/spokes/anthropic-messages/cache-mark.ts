import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import { isObject, type JsonObject } from '../../json/json-object.ts'
import type { CacheMark } from '../../hub/neutral-request.ts'

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
