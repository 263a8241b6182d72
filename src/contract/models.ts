import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { MODEL_ABILITIES } from '../core/model-abilities.ts'
import { KIND_EVIDENCE, MODEL_KINDS } from '../core/model-kind.ts'
import { DROPPABLE_SETTING_NAMES } from '../core/request-settings-names.ts'
import { forEachTokenPrice, forEachUnitPrice } from '../core/price-fields.ts'
import { priceRuleFields } from './prices.ts'
import { auditEntry } from './administration.ts'
import { MODEL } from './objects/model.ts'
import { createShape, insertedAfter, patchShape, shownShape } from './objects/object-fields.ts'
import { TARGET } from './objects/target.ts'
import { listOf, multiplier, time, usd, usdAmount, version } from './wire-values.ts'

/** USD per million tokens. Null where none is set apart; `per_…` for one request, image or second, or a million characters. */
export const prices = z
  .object(
    amountsOf(
      usdAmount.nullable(),
      usdAmount
        .nullish()
        .describe('the part of the output that was reasoning; not there: it costs what all output costs'),
    ),
  )
  .openapi('Prices')

const amounts = amountsOf(usdAmount.nullable().default(null), usdAmount.nullish())

/** All prices of a model: of tokens, of units, and what changes them. */
function amountsOf<Amount extends z.ZodType, Reasoning extends z.ZodType>(amount: Amount, reasoning: Reasoning) {
  const { image_input: image, ...tokens } = forEachTokenPrice(() => amount)
  const units = forEachUnitPrice(() => amount)
  return { ...tokens, reasoning_output: reasoning, image_input: image, ...units, ...priceRuleFields }
}

/** What the provider charges: a factor on the model's price, or prices like a model's. */
const targetCost = z.object({ factor: multiplier.nullable().default(null), ...amounts }).strict()

const target = z
  .object(
    insertedAfter(createShape(TARGET), 'groups', {
      /** null: not known. */
      cost: targetCost.nullable().default(null),
    }),
  )
  .strict()

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

const {
  name,
  context_tokens,
  max_output_tokens,
  kind: _kind,
  recommended,
  price_locked,
  ...serving
} = shownShape(MODEL)

/** A model with what it costs in each group that the caller may use. */
export const model = z
  .object({
    id: z.string(),
    name,
    /** null: it is not served, because it has no price. */
    price: prices.nullable(),
    context_tokens,
    max_output_tokens,
    /** What it does, as it is set or worked out; only `chat` answers conversations. */
    kind: z.enum(MODEL_KINDS),
    /** The evidence for the kind: `set` by an admin, its endpoints, what it is charged by, its name; `default`: nothing speaks against `chat`. */
    kind_from: z.enum(KIND_EVIDENCE),
    /** What a chat model takes beside text, as far as its prices and its name tell; none for other kinds. */
    abilities: z.array(z.enum(MODEL_ABILITIES)),
    recommended,
    price_locked,
    /** Wire formats in which it can be called. */
    protocols: z.array(z.string()),
    /** Whether it can be served now: it has a price and a target. */
    available: z.boolean(),
    groups: z.array(z.object({ name: z.string(), multiplier, price: prices.nullable() })),
    /** The caller's own active keys that may call it, the newest first: at most 10 in a list, 50 of one model. */
    keys: z.array(z.object({ id: z.string(), name: z.string() })),
    ...serving,
    /** Targets are shown to roles of staff alone. */
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

export const modelCreate = z
  .object({
    ...insertedAfter(createShape(MODEL), 'name', { price: priceInput.nullable().default(null) }),
    targets: listOf(target, BOUNDS.model.targets).default([]),
  })
  .strict()
  .openapi('ModelCreate')

const { name: _name, ...changes } = patchShape(MODEL)

export const modelPatch = z
  .object({
    price: priceInput.nullable().optional(),
    ...changes,
    targets: listOf(target, BOUNDS.model.targets).optional(),
    /** The import that this edit is part of: the audit names it, and nothing of it is kept with the model. */
    import_id: z
      .string()
      .regex(/^imp_[0-9a-z]{8,40}$/)
      .optional(),
    import_source: importSource
      .describe(
        'where the prices of this import are from, as the audit and `price_changed` then say; any words. The console sends `litellm`, `models_dev` or `tollgate`, with the host after it where the gateway fetched them, or `shipped` with their day',
      )
      .optional(),
    /** When `price`, which is needed then, and the limits that are sent with it are set, instead of now: within a year. */
    effective_at: time.optional(),
    /** null: what is planned is not done. */
    scheduled: z.null().optional(),
  })
  .strict()

export type ModelView = z.output<typeof model>
export type LearnedRefusalView = z.output<typeof learnedRefusal>
export type PricesView = z.output<typeof prices>
export type ModelTraffic = z.output<typeof modelTraffic>
