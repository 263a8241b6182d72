import { z } from '@hono/zod-openapi'
import { time, usd } from './wire-values.ts'

const name = z.string().max(200).optional()
const by = z.enum(['account', 'key', 'group', 'model', 'upstream', 'credential', 'protocol', 'client', 'tag', 'fault'])

/** `GET /api/usage/explore` */
export const exploreQuery = z.object({
  from: time.optional(),
  to: time.optional(),
  by: by.default('model'),
  /** Within the first; not the same as it. */
  and: by.optional(),
  /** The account's id. */
  account: name,
  /** The key's id. */
  key: name,
  /** The group's name or id. */
  group: name,
  model: name,
  upstream: name,
  credential: name.describe('what the credential is called that was used last'),
  protocol: name.describe('that the client spoke'),
  client: name.describe('the calling program, as records have it'),
  tag: name.describe('that the key has now'),
  /** A fault code. */
  fault: name,
  newest: z.coerce
    .number()
    .int()
    .min(1)
    .max(200_000)
    .default(20_000)
    .describe(
      'so many of the newest requests are summed one by one where no sums are kept, and half as many are timed',
    ),
})

/** `GET /api/usage/explore.csv`. `bom`: begins with the mark by which Excel knows UTF-8. */
export const exploreCsvQuery = exploreQuery.extend({ bom: z.enum(['true', 'false']).default('false') })

const percentiles = z.object({ p50: z.number().int(), p95: z.number().int() }).nullable()

const figures = z.object({
  requests: z.number().int(),
  failed: z.number().int(),
  charged: usd,
  /** Input of all kinds; null beside upstreams and faults. */
  input_tokens: z.number().int().nullable(),
  cache_read_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  /** The cost of the requests of which it is known; null where it is of none, and beside accounts. */
  provider_cost: usd.nullable(),
  /** What is left of what those were charged; null likewise. */
  margin: usd.nullable(),
  before: z
    .object({ requests: z.number().int(), failed: z.number().int(), charged: usd })
    .nullable()
    .describe('in the time before; null: it has too many requests or sums to be added up'),
  first_byte_ms: percentiles.describe('of the newest requests that ended well; null: none is among them'),
  total_ms: percentiles.describe('likewise'),
})

export const explored = z
  .object({
    from: time,
    to: time,
    before_from: time.describe('since when the time before is summed, which is as long and ends with `from`'),
    since: time
      .nullable()
      .describe(
        'where requests are summed one by one, and the span has more than `newest` (of the account or key), or older ones were deleted, or by account, and all accounts have more sums of days than ten for each of `newest`: since when; null: all are summed',
      ),
    kept_since: time
      .nullable()
      .describe(
        'where requests are summed one by one, and those of the span before then were deleted; null: none were',
      ),
    refusals_since: time
      .nullable()
      .describe(
        'likewise of refused requests that cost nothing: they are missing from `requests` and `failed`, of the time before as well',
      ),
    timed_since: time.nullable().describe('likewise for `first_byte_ms` and `total_ms`, and half of `newest`'),
    totals: figures,
    /** The dearest first, at most 500. */
    rows: z.array(
      figures.extend({
        /** Names in the order of `by` and `and`. `id` empty: there was none. `name` null: it is gone, or there was none. */
        parts: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
      }),
    ),
  })
  .openapi('UsageExplored')

export type ExploredView = z.output<typeof explored>
export type ExploreQueryView = z.input<typeof exploreQuery>
