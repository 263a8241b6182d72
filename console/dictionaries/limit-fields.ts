import type { RateLimitView } from '../../src/contract/keys.ts'

/** A limit of a key that is a count, as the API calls it. */
export type CountField = Exclude<keyof RateLimitView, 'spend'>

/** A time in which the spending of a key is limited. */
export type SpendWindow = RateLimitView['spend'][number]['window']
