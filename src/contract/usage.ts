import { z } from '@hono/zod-openapi'
import { COUNTED_LIMIT_NAMES } from '../core/counted-limits.ts'
import { USAGE_NOTES } from '../core/usage-notes.ts'
import { CALL_KINDS, type CallKind } from '../core/calls.ts'
import { DROPPABLE_SETTING_NAMES } from '../core/request-settings-names.ts'
import { SHADOW_RULE_NAMES } from '../core/shadow-rules.ts'
import { ROUTE_REASON_NAMES } from '../core/route-reasons.ts'
import { obstacle } from './attempt-obstacle.ts'
import { multiplier, offsetMinutes, pageQuery, time, usd } from './wire-values.ts'

/** The codes that `fault` has in these views. */
export type { FaultCode } from '../core/faults.ts'

const name = z.string().max(200).optional()

/** `secret_of`: the client whose stored secret it was; null: an access token. null: not a device’s key. */
const recordDevice = z.object({ secret_of: z.string().nullable() }).nullable()
const outcome = z.enum(['completed', 'refused', 'failed', 'aborted', 'interrupted'])

/** What every view of usage can be narrowed by. Times: from is included, to is not. */
const usageSpan = z.object({
  /** Admins only: another account's, or `*` for all. Absent: own; all for the admin token, which has none of its own. */
  account_id: z.string().max(64).optional(),
  /** The key's id. */
  key: name,
  /** The group's name or id. */
  group: name,
  model: name,
  from: time.optional(),
  to: time.optional(),
})

/** What records can be narrowed by, in lists and in the CSV. */
export const usageFilter = usageSpan.extend({
  /** Staff only: the name of the upstream that was asked last. */
  upstream: name,
  /** Staff only: what the credential is called that was used last. */
  credential: name,
  protocol: name.describe('that the client spoke'),
  client: name.describe('the calling program, as records have it'),
  tag: name.describe('that the key has now'),
  /** A fault code, or `any`. */
  fault: name,
  outcome: outcome.optional(),
  /** The request id, or how it begins. */
  request: name,
  said: z
    .string()
    .min(3)
    .max(200)
    .optional()
    .describe('staff only: a part of what a provider said of a failed attempt, or the ID that it gave one'),
})

/** `GET /api/usage`. A page may be short, or empty, and go on all the same: only a `next_cursor` of null is the end. */
export const usageQuery = usageFilter.extend(pageQuery.shape)

/** `GET /api/usage.csv` */
export const usageCsvQuery = usageFilter.extend({
  /** `true` begins the file with the mark by which spreadsheets recognise UTF-8. */
  bom: z.enum(['true', 'false']).default('false'),
})

const tokens = z.object({
  input: z.number().int().nullable(),
  cache_read: z.number().int().nullable(),
  cache_write: z.number().int().nullable(),
  cache_write_1h: z.number().int().nullable(),
  output: z.number().int().nullable(),
  /** Part of the output. */
  reasoning: z.number().int().nullable(),
  audio_input: z.number().int().nullable(),
  audio_output: z.number().int().nullable(),
  image_input: z.number().int().nullable(),
})

/** What was charged by another measure than tokens. */
const units = z.object({
  requests: z.number().int().nullable(),
  images: z.number().int().nullable(),
  seconds: z.number().int().nullable(),
  characters: z.number().int().nullable(),
})

/** How many calls of each kind. */
const calls = z.object(
  Object.fromEntries(CALL_KINDS.map((kind) => [kind, z.number().int().optional()])) as Record<
    CallKind,
    z.ZodOptional<z.ZodNumber>
  >,
)

/** One line of how the cost came about: count × price of `per` of them × multiplier. */
const priceLine = z.object({
  kind: z.enum([
    'input',
    'cache_read',
    'cache_write',
    'cache_write_1h',
    'output',
    'reasoning_output',
    'audio_input',
    'audio_output',
    'image_input',
    'requests',
    'images',
    'seconds',
    'characters',
    ...CALL_KINDS,
  ]),
  /** The count, where it is one of tokens; null for the others. */
  tokens: z.number().int().nullable(),
  count: z.number().int(),
  /** How many the price is for: a million tokens or characters; one request, image, second or call. */
  per: z.union([z.literal(1), z.literal(1_000_000)]),
  price: usd,
  multiplier,
  /** Exact, before the one rounding of the sum: up to 21 places. */
  cost: z.string(),
})

const attempt = z.object({
  /** Admins see the upstream's name; others `upstream-1` and so on, which shows attempts at the same one. */
  upstream: z.string(),
  /** What the model is called there; admins only, null for others. */
  model: z.string().nullable(),
  fault: z.string().nullable(),
  status: z.number().int().nullable(),
  /** When it began, since the request arrived; null: it is older than this was kept. */
  at_ms: z.number().int().nullable(),
  /** How long a new connection took; null: one was open, or none came about. */
  connect_ms: z.number().int().nullable(),
  /** The time from its beginning to the head of an answer; null: none came. */
  head_ms: z.number().int().nullable(),
  total_ms: z.number().int(),
  /** Two ran at a time, and the other one was faster, or the request was over: it was called off, and has not failed. */
  hedged_away: z.boolean(),
  refused_settings: z
    .array(z.enum(DROPPABLE_SETTING_NAMES))
    .describe('settings that the upstream refused by name; the request was sent there once more without them'),
  left_out: z
    .array(z.enum(DROPPABLE_SETTING_NAMES))
    .describe('settings that it was sent without, since the target had refused them'),
  ...obstacle,
  upstream_request_id: z
    .string()
    .nullable()
    .describe(
      'what the upstream calls it in its own logs, for its support; null: it named none. Staff only, null for others',
    ),
  said: z
    .string()
    .nullable()
    .describe(
      'what the upstream said where it refused the credential or a setting by name, did not know the model or had no room; at most 200 characters. Staff only, null for others and where nothing is kept',
    ),
})

export const routeStep = z.object({
  /** The upstream as in `attempts`; longer names are cut. */
  upstream: z.string(),
  decision: z.enum(['taken', 'skipped']),
  /** `panic`: it was asked although it rested, since too few others were well. `doubt`: it might have been, and has failed of late, so that few do while others are well. */
  reason: z.enum(ROUTE_REASON_NAMES),
  /** How long it still rested; null: it did not. */
  rest_seconds: z.number().int().nullable(),
  /** Rules in shadow that would have kept the request from it, were they enforced. */
  shadow: z.array(z.enum(SHADOW_RULE_NAMES)),
})

/** What was particular to a refusal, by closed names (docs/errors); null: nothing was kept of it. */
const faultFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).nullable()

const explainedFault = {
  fault: z.string().nullable(),
  /** What the fault means and what to do about it, in English; null without one. */
  detail: z.string().nullable(),
  fault_facts: faultFacts,
  /** The sentence in the response that the client got; null: it is not known, or was the provider’s own. */
  client_received: z.string().nullable(),
}

const limitLeft = z.object({
  limit: z.enum(COUNTED_LIMIT_NAMES),
  max: z.number().int(),
  remaining: z.number().int(),
  /** null: concurrency counts what runs now. */
  resets_at: time.nullable(),
})

export const usageRecord = z
  .object({
    id: z.string(),
    created_at: time,
    account_id: z.string(),
    account_email: z.string().nullable().describe('for staff, in lists of other accounts; else null'),
    key_id: z.string(),
    key_name: z.string(),
    group: z.string().nullable(),
    model: z.string().nullable(),
    protocol: z.string().nullable(),
    stream: z.boolean(),
    outcome,
    ...explainedFault,
    http_status: z.number().int().nullable(),
    tokens,
    /** null: it has none, as nearly all. */
    units: units.nullable(),
    /** Calls of the provider's own tools, by their kind; null: it made none. */
    calls: calls.nullable(),
    /** The class of service that it was charged by; null: the plain one. */
    service_tier: z.string().nullable(),
    /** Where the model ran, as far as the price depends on it; null: anywhere. */
    inference_geo: z.string().nullable(),
    /** The length beyond which all of its input is charged at the prices of long prompts; null: it is charged at the plain ones. */
    above_input_tokens: z.number().int().nullable(),
    usage_source: z.enum(['reported', 'estimated', 'none']),
    capped: z.boolean(),
    /** Why it was charged otherwise than simply as reported. */
    usage_notes: z.array(z.enum(USAGE_NOTES)),
    multiplier: multiplier.nullable(),
    cost: usd,
    /** What it cost at the provider, where the target has a `cost`; null: not known. Admins only, null for others. */
    provider_cost: usd.nullable(),
    /** What the credential is called that it was sent with last; null: none was, or it is not known. Admins only. */
    credential: z.string().nullable(),
    price_lines: z.array(priceLine),
    paid_by_balance: usd,
    paid_by_subscriptions: z.array(z.object({ subscription_id: z.string(), usd })),
    attempts: z.array(attempt),
    /** The candidates as they stood when they were decided on: those that were asked first. Empty: none was to be chosen. */
    route: z.array(routeStep),
    /** How many more candidates there were than are kept. */
    route_more: z.number().int(),
    limits: z
      .array(limitLeft)
      .describe(
        'how the key’s and the account’s own limits stood when it was let in, as the response’s headers say it',
      ),
    device: recordDevice,
    client: z.string().nullable(),
    first_byte_ms: z.number().int().nullable(),
    total_ms: z.number().int(),
  })
  .openapi('UsageRecord')

/** `GET /api/usage/summary` */
export const summaryQuery = usageSpan.extend({
  by: z.enum(['hour', 'day']).default('day'),
  split: z.enum(['key', 'model', 'group', 'none']).default('none'),
  offset_minutes: offsetMinutes,
})

const totals = z.object({
  requests: z.number().int(),
  failed: z.number().int(),
  input_tokens: z.number().int(),
  cache_read_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost: usd,
})

export const usageSummary = z
  .object({
    from: time,
    to: time,
    by: z.enum(['hour', 'day']),
    totals,
    /** The largest by cost first, at most ten, then what is left as `null`. */
    series: z.array(
      z.object({
        /** Empty: records without a key, model or group. */
        id: z.string().nullable(),
        /** The name that it has now; null: it is gone. */
        name: z.string().nullable(),
        end: z.string().nullable().describe('of a key: the last four characters of its secret'),
        totals,
      }),
    ),
    /** Every bucket of the span, empty ones left out; `values` holds one entry per series that has something in it. */
    buckets: z.array(z.object({ at: time, values: z.array(totals.extend({ series: z.number().int() })) })),
  })
  .openapi('UsageSummary')

const keySpendSpan = usageSpan.omit({ key: true }).extend({
  account_id: z.string().max(64).optional().describe("admins only: another account's; absent: own"),
  tag: name.describe('keys that have it now'),
})

/** `GET /api/usage/keys` */
export const keySpendQuery = keySpendSpan.extend(pageQuery.shape).extend({
  sort: z.enum(['cost', 'requests', 'tokens', 'name']).default('cost'),
  order: z.enum(['asc', 'desc']).default('desc'),
})

/** `GET /api/usage/keys.csv` */
export const keySpendCsvQuery = keySpendSpan.extend({ bom: usageCsvQuery.shape.bom })

const spendFigures = {
  requests: z.number().int(),
  failed: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost: usd,
  share: z.number().describe('of the cost of all keys, from 0 to 1'),
  cost_before: usd.describe('in the time before'),
}

export const keySpendPage = z
  .object({
    from: time,
    to: time,
    before_from: time.describe('since when the time before is summed, which is as long and ends with `from`'),
    cost: usd.describe('of all keys in the span'),
    data: z.array(
      z.object({
        key_id: z.string(),
        name: z.string().nullable().describe('as it is called now; null: it is gone'),
        secret_start: z.string().nullable(),
        secret_end: z.string().nullable(),
        tags: z.array(z.string()).describe('that it has now'),
        ...spendFigures,
      }),
    ),
    next_cursor: z.string().nullable(),
    total: z.number().int().describe('how many keys were used'),
    total_is_more: z.literal(false),
  })
  .openapi('KeySpendPage')

/** `GET /api/usage/tags` */
export const tagSpendQuery = keySpendSpan.omit({ tag: true })

export const tagSpends = keySpendPage
  .pick({ from: true, to: true, before_from: true, cost: true })
  .extend({
    data: z.array(
      z.object({
        tag: z.string().nullable().describe('null: keys without one'),
        keys: z.number().int().describe('how many were used'),
        ...spendFigures,
        share: z.number().describe('of the cost of all keys, from 0 to 1; a key with two tags counts in both'),
      }),
    ),
  })
  .openapi('TagSpends')

export type TagSpendsView = z.output<typeof tagSpends>
export type KeySpendPageView = z.output<typeof keySpendPage>

/** `GET /api/usage/first-steps` */
export const firstStepsQuery = z.object({
  since: time,
  /** The key's id. */
  key: name,
  limit: z.coerce.number().int().min(1).max(50).default(10),
})

/** A request in short. */
export const usageStep = z.object({
  id: z.string(),
  created_at: time,
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  model: z.string().nullable(),
  protocol: z.string().nullable(),
  client: z.string().nullable(),
  outcome,
  ...explainedFault,
  cost: usd,
  total_ms: z.number().int(),
})

/** A request that came without a known key, and was refused. */
export const unknownTry = z.object({
  id: z.string(),
  created_at: time,
  fault: z.string(),
  fault_facts: faultFacts,
  client: z.string().nullable(),
  /** How many of this cause there were. */
  count: z.number().int(),
})

/** The newest tries since a moment, for the live line of the start page. */
export const firstSteps = z.object({
  data: z.array(usageStep),
  /**
   * Requests that came without a known key from the address that asks, and were refused, the newest of each cause: as far as
   * the process that is asked remembers them.
   */
  unrecognized: z.array(unknownTry),
})

export type UsageRecordView = z.output<typeof usageRecord>
export type UsageQuery = z.input<typeof usageQuery>
export type UsageSummaryView = z.output<typeof usageSummary>
export type SummaryQueryView = z.input<typeof summaryQuery>
export type FirstSteps = z.output<typeof firstSteps>
