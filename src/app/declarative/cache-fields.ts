import { z } from 'zod'
import { BOUNDS } from '../../core/bounds.ts'
import { RESPONSE_CACHE_PRICE, readResponseCache } from '../../core/response-cache-rule.ts'
import { field, wholeNumber, yesOrNo } from './fields.ts'

/** The fields of a group's response cache, as the contract writes them. */
export const cacheFields = {
  ttl_seconds: wholeNumber(BOUNDS.group.cache_ttl_seconds),
  price: field('a factor in quotes from "0" to "1" with up to six places, such as "0.1"', (value) =>
    typeof value === 'string' && RESPONSE_CACHE_PRICE.test(value) ? value : undefined,
  ).nullish(),
  shared: yesOrNo().nullish(),
}

/** The rule by which a group keeps answers. */
export function responseCache() {
  return z
    .strictObject(cacheFields, `a map with ${Object.keys(cacheFields).join(', ')}`)
    .transform(({ ttl_seconds, price, shared }) =>
      readResponseCache({ ttl_seconds, price: price ?? '1', shared: shared ?? false }, 0),
    )
}
