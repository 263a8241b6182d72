import type { CacheMark } from '../../hub/neutral-request.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** The point behind something that is to be cached up to there, as a list to spread; empty where there is no mark. */
export function writeCachePoint({ cache }: { readonly cache?: CacheMark }): readonly JsonObject[] {
  if (cache === undefined) return []
  return [{ cachePoint: { type: 'default', ...(cache.ttl === null ? {} : { ttl: cache.ttl }) } }]
}

/** What `writeCachePoint` wrote; null: no point for a cache. */
export function readCachePoint(point: unknown): CacheMark | null {
  if (typeof point !== 'object' || point === null) return null
  const ttl: unknown = Reflect.get(point, 'ttl')
  return { ttl: ttl === '5m' || ttl === '1h' ? ttl : null }
}
