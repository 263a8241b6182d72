import { formatMultiplier, ONE_PPM, parseMultiplier, type PartsPerMillion } from './money.ts'

/** How answers to equal requests are kept and sold again. */
export interface ResponseCacheRule {
  readonly ttlSeconds: number
  /** What a kept answer costs of what it would cost anew, in parts per million; at most all of it. */
  readonly price: PartsPerMillion
  /** Accounts get each other's answers. */
  readonly isShared: boolean
  /** When it was written, in epoch milliseconds: what was kept before is not given any more. */
  readonly since: number
}

/**
 * The part of the answers kept by its group that a key is given, and adds to: those of its account or of all (`group`, as the rule
 * says), its own alone (`key`), or none (`off`).
 */
export const KEY_RESPONSE_CACHES = ['group', 'key', 'off'] as const
export type KeyResponseCache = (typeof KEY_RESPONSE_CACHES)[number]

/** The rule as the API and the declarative file write it. */
export interface ResponseCacheOnWire {
  readonly ttl_seconds: number
  readonly price: string
  readonly shared: boolean
}

/** Reads what is written. Its values are checked: see `RESPONSE_CACHE_PRICE`. */
export function readResponseCache(written: ResponseCacheOnWire, since: number): ResponseCacheRule {
  return { ttlSeconds: written.ttl_seconds, price: parseMultiplier(written.price), isShared: written.shared, since }
}

/** The rule as it is applied again and again: it clears the cache only where it is another than before. */
export function appliedResponseCache(
  rule: ResponseCacheRule,
  before: ResponseCacheRule | undefined,
  nowMs: number,
): ResponseCacheRule {
  const isSame =
    before?.ttlSeconds === rule.ttlSeconds && before.price === rule.price && before.isShared === rule.isShared
  return { ...rule, since: isSame ? before.since : nowMs }
}

export function writtenResponseCache({ ttlSeconds, price, isShared }: ResponseCacheRule): ResponseCacheOnWire {
  return { ttl_seconds: ttlSeconds, price: formatMultiplier(price), shared: isShared }
}

/** A factor from 0 to 1 with up to six places. */
export const RESPONSE_CACHE_PRICE = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/

/** The factor on a price that the group's multiplier and the rule make together, rounded up. */
export function multiplierOfKept(multiplier: PartsPerMillion, { price }: ResponseCacheRule): PartsPerMillion {
  return ((multiplier * price + ONE_PPM - 1n) / ONE_PPM) as PartsPerMillion
}
