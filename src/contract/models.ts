import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { MODEL_ABILITIES } from '../core/model-abilities.ts'
import { KIND_EVIDENCE, MODEL_KINDS } from '../core/model-kind.ts'
import { MODEL_NAME } from '../core/model-name.ts'
import { DROPPABLE_SETTING_NAMES } from '../core/request-settings-names.ts'
import { TARGET_SHADOWS } from '../core/shadow-rules.ts'
import { WIRE_NAMES } from '../core/wire.ts'
import { priceRuleFields } from './prices.ts'
import { auditEntry } from './administration.ts'
import { modelRules } from './model-rules.ts'
import { dropFields } from './upstreams.ts'
import { listOf, multiplier, textOf, time, usd, usdAmount, version, wholeNumber, wordsOf } from './wire-values.ts'

/** USD per million tokens. Null where none is set apart; `per_…` for one request, image or second, or a million characters. */
export const prices = z
  .object({
    /** Null, as is the output, where only units have a price. */
    input: usdAmount.nullable(),
    output: usdAmount.nullable(),
    reasoning_output: usdAmount
      .nullish()
      .describe('the part of the output that was reasoning; not there: it costs what all output costs'),
    cache_read: usdAmount.nullable(),
    cache_write: usdAmount.nullable(),
    cache_write_1h: usdAmount.nullable(),
    audio_input: usdAmount.nullable(),
    audio_output: usdAmount.nullable(),
    image_input: usdAmount.nullable(),
    per_request: usdAmount.nullable(),
    per_image: usdAmount.nullable(),
    per_second: usdAmount.nullable(),
    per_million_characters: usdAmount.nullable(),
    ...priceRuleFields,
  })
  .openapi('Prices')

const amounts = {
  input: usdAmount.nullable().default(null),
  output: usdAmount.nullable().default(null),
  reasoning_output: usdAmount.nullish(),
  cache_read: usdAmount.nullable().default(null),
  cache_write: usdAmount.nullable().default(null),
  cache_write_1h: usdAmount.nullable().default(null),
  audio_input: usdAmount.nullable().default(null),
  audio_output: usdAmount.nullable().default(null),
  image_input: usdAmount.nullable().default(null),
  per_request: usdAmount.nullable().default(null),
  per_image: usdAmount.nullable().default(null),
  per_second: usdAmount.nullable().default(null),
  per_million_characters: usdAmount.nullable().default(null),
  ...priceRuleFields,
}

/** What the provider charges: a factor on the model's price, or prices like a model's. */
const targetCost = z.object({ factor: multiplier.nullable().default(null), ...amounts }).strict()

const target = z
  .object({
    /** The upstream's name. */
    upstream: z.string(),
    model: textOf(BOUNDS.target.model),
    priority: wholeNumber(BOUNDS.target.priority).default(0),
    weight: wholeNumber(BOUNDS.target.weight).default(1),
    /** Names of the groups whose keys may use it; none: all. */
    groups: listOf(z.string(), BOUNDS.target.groups).default([]),
    /** null: not known. */
    cost: targetCost.nullable().default(null),
    /** The least part of the price that has to be left, such as "0.2"; with less the target is not used. Only beside a cost. */
    min_margin: multiplier.nullable().default(null),
    /** The most that its requests may cost in one day of UTC; null: no cap. */
    spend_per_day: usdAmount.nullable().default(null),
    /** Rules of it that are evaluated and counted, and not enforced. */
    shadow: wordsOf(TARGET_SHADOWS).default([]),
    /** Settings of requests that it does not take, beside those of its upstream. */
    drop_fields: dropFields.default([]),
    fields_like: z
      .string()
      .trim()
      .min(BOUNDS.target.fields_like.least)
      .max(BOUNDS.target.fields_like.most)
      .nullable()
      .default(null)
      .describe(
        'a model such as `gpt-5.5` whose fields it takes, where the name of a deployment does not say it; null: its name says it',
      ),
    rules: modelRules.default({}),
  })
  .strict()

const serving = {
  /** The protocols in which it may be called; null: all that its targets can be asked for. */
  endpoints: wordsOf(WIRE_NAMES, 1).nullable(),
  /** Until something of an answer comes from a target; null: as its upstream says. */
  first_event_timeout_ms: wholeNumber(BOUNDS.model.first_event_timeout_ms).nullable(),
  /** Of silence in the midst of an answer; null: as the installation says. */
  idle_timeout_ms: wholeNumber(BOUNDS.model.idle_timeout_ms).nullable(),
  /** For the whole request; null: as its upstream says. */
  timeout_ms: wholeNumber(BOUNDS.model.timeout_ms).nullable(),
  /** After so long without anything of an answer a second target is asked beside the first; null: never. */
  hedge_after_ms: wholeNumber(BOUNDS.model.hedge_after_ms).nullable(),
  rules: modelRules,
}

/** What is set on a model when its time comes; what is left out stays. */
const scheduledPrice = z
  .object({
    effective_at: time,
    price: prices.nullable(),
    context_tokens: z.number().int().nullable().optional(),
    max_output_tokens: z.number().int().nullable().optional(),
    import_id: z.string().optional(),
    import_source: z.string().optional(),
    /** The account that planned it, or `admin_token`. */
    by: z.string(),
  })
  .openapi('ScheduledPrice')

const importSource = z.string().trim().min(1).max(100)

const priceChanged = auditEntry.pick({ created_at: true, actor: true, actor_email: true, via: true }).extend({
  action: z
    .enum(['model.create', 'model.update', 'model.import'])
    .describe(
      '`model.import`: a list of prices was imported; the others: it was set by hand, or by a client of the API',
    ),
  import_source: z.string().nullable().describe('where the prices of the import are from; null: it does not say'),
})

/** A setting of requests that an upstream has refused by name, and that it is asked without since. */
export const learnedRefusal = z
  .object({
    setting: z.enum(DROPPABLE_SETTING_NAMES).describe('as `drop_fields` names it'),
    value: z.string().nullable().describe('the value that was refused, as JSON writes it; null: any'),
    refused_at: time,
    said: z.string().describe('what the upstream said, as far as it is kept'),
  })
  .openapi('LearnedRefusal')

/** A model with what it costs in each group that the caller may use. */
export const model = z
  .object({
    id: z.string(),
    name: z.string(),
    /** null: it is not served, because it has no price. */
    price: prices.nullable(),
    context_tokens: z.number().int().nullable(),
    max_output_tokens: z.number().int().nullable(),
    /** What it does, as it is set or worked out; only `chat` answers conversations. */
    kind: z.enum(MODEL_KINDS),
    /** By what the kind is known: `set` by an admin, its endpoints, what it is charged by, its name; `default`: nothing speaks against `chat`. */
    kind_from: z.enum(KIND_EVIDENCE),
    /** What a chat model takes beside text, as far as its prices and its name tell; none for other kinds. */
    abilities: z.array(z.enum(MODEL_ABILITIES)),
    /** An admin wants it suggested before others. */
    recommended: z.boolean(),
    /** Imports of prices leave its price alone. */
    price_locked: z.boolean(),
    /** Wire formats in which it can be called. */
    protocols: z.array(z.string()),
    /** Whether it can be served now: it has a price and a target. */
    available: z.boolean(),
    groups: z.array(z.object({ name: z.string(), multiplier, price: prices.nullable() })),
    /** The caller's own active keys that may call it, the newest first: at most 10 in a list, 50 of one model. */
    keys: z.array(z.object({ id: z.string(), name: z.string() })),
    ...serving,
    /** For accounts with a role of staff alone. */
    targets: z.array(target).optional(),
    learned: z
      .array(learnedRefusal.extend({ upstream: z.string(), model: z.string() }))
      .optional()
      .describe(
        'likewise, of one model: what its targets have refused in the last day, and are asked without. What is in `drop_fields` is not listed',
      ),
    /** Likewise; null: no change of its price is planned. */
    scheduled: scheduledPrice.nullable().optional(),
    price_changed: priceChanged
      .nullable()
      .optional()
      .describe(
        'likewise: the change that set this price, as the audit has it; null: the declarative file sets it, an import from another gateway did, or the newest 50 entries about the model do not say',
      ),
    /** Likewise. */
    version: version.optional(),
    managed: z.boolean(),
  })
  .openapi('Model')

/** `GET /api/models/traffic`: what is known of the models that the caller may see, from requests. */
export const modelTraffic = z
  .object({
    data: z.array(
      z.object({
        name: z.string(),
        /** The caller's own requests of the last 30 days, and what they cost. */
        requests: z.number().int(),
        cost: usd,
        answers: z
          .enum(['healthy', 'degraded', 'failing'])
          .nullable()
          .describe(
            'how its upstreams answered all accounts in the last 24 hours: at least 98 of 100, at least half, or fewer; null: fewer than five requests',
          ),
      }),
    ),
  })
  .openapi('ModelTraffic')

const priceInput = z.object(amounts).strict()

/** null: worked out. */
const kindInput = z.enum(MODEL_KINDS).nullable()

export const modelCreate = z
  .object({
    name: z
      .string()
      .trim()
      .min(BOUNDS.model.name.least)
      .max(BOUNDS.model.name.most)
      .regex(MODEL_NAME, 'must have no line breaks, control characters or "*"'),
    price: priceInput.nullable().default(null),
    context_tokens: wholeNumber(BOUNDS.model.context_tokens).nullable().default(null),
    max_output_tokens: wholeNumber(BOUNDS.model.max_output_tokens).nullable().default(null),
    kind: kindInput.default(null),
    recommended: z.boolean().default(false),
    price_locked: z.boolean().default(false),
    endpoints: serving.endpoints.default(null),
    first_event_timeout_ms: serving.first_event_timeout_ms.default(null),
    idle_timeout_ms: serving.idle_timeout_ms.default(null),
    timeout_ms: serving.timeout_ms.default(null),
    hedge_after_ms: serving.hedge_after_ms.default(null),
    rules: serving.rules.default({}),
    targets: listOf(target, BOUNDS.model.targets).default([]),
  })
  .strict()
  .openapi('ModelCreate')

export const modelPatch = z
  .object({
    price: priceInput.nullable(),
    context_tokens: wholeNumber(BOUNDS.model.context_tokens).nullable(),
    max_output_tokens: wholeNumber(BOUNDS.model.max_output_tokens).nullable(),
    kind: kindInput,
    recommended: z.boolean(),
    price_locked: z.boolean(),
    ...serving,
    targets: listOf(target, BOUNDS.model.targets),
    /** Which import this edit is part of: the audit names it, and nothing of it is kept with the model. */
    import_id: z.string().regex(/^imp_[0-9a-z]{8,40}$/),
    import_source: importSource.describe(
      'where the prices of this import are from, as the audit and `price_changed` then say; any words. The console sends `litellm`, `models_dev` or `tollgate`, with the host after it where the gateway fetched them, or `shipped` with their day',
    ),
    /** When `price`, which is needed then, and the limits that are sent with it are set, instead of now: within a year. */
    effective_at: time,
    /** null: what is planned is not done. */
    scheduled: z.null(),
  })
  .partial()
  .strict()

export type ModelView = z.output<typeof model>
export type LearnedRefusalView = z.output<typeof learnedRefusal>
export type PricesView = z.output<typeof prices>
export type ModelTraffic = z.output<typeof modelTraffic>
