import { z } from '@hono/zod-openapi'
import { CALL_KINDS } from '../core/calls.ts'
import { STORE_FAILURES } from '../core/store-failures.ts'
import { ATTEMPT_OBSTACLES } from '../core/model-list-results.ts'
import { PLAIN_NAME, TEXTS_OF_FORMS, time, usd } from './wire-values.ts'

export const attentionItem = z.object({
  /** One id while it stands; see `POST /api/attention/snooze`. */
  id: z.string(),
  kind: z
    .enum([
      'credential_held',
      'renewal_failing',
      'spend_cap',
      'model_failing',
      'no_target',
      'no_margin',
      'no_credential',
      'below_cost',
      'unreached',
      'no_weight',
      'unpriced',
      'calls_unpriced',
      'model_unknown',
      'no_balance',
      'backup_old',
      'payment_held',
      'refund_held',
      'disk_full',
      'store_failing',
      'clock_off',
      'node_behind',
      'redis_down',
      'alerts_failing',
      'price_differs',
      'sign_ins_failing',
      'models_added',
      'models_gone',
    ])
    .describe(
      '`credential_held`: the provider refuses it. `renewal_failing`: no token can be had for a credential, as the node that answers knows it; the last one is good until `held_at`. `spend_cap`: a credential, upstream or target has cost four fifths of what it may in a day, as the node that answers knows it. `model_failing`: most of the newest requests fail for which upstreams are to blame, until they are answered and ten minutes have passed since the last that failed. Without `model` it is the upstream that fails, whatever the model; models that fail at an upstream that answers for others are one item, too. `no_margin`: in the group no target leaves the margin that it asks for, so that the model cannot be called there. `no_credential`: the credentials that its targets may be asked with are disabled or have expired. `unpriced`: not served without a price. `calls_unpriced`: in the last day requests asked for calls of the provider’s own tools that the model has no fee for, and were refused, or the calls were made and not charged. `model_unknown`: asked for in the last day, and not there. `no_balance`: calls in vain since it has no balance. `backup_old`: the newest backup is older than it may be, or there is none. `payment_held`: in the last 30 days money came for an order that could not be credited. `refund_held`: a provider paid back more than was left of an order, or in another currency. `disk_full`: a disk that the gateway writes to is nine tenths full or more. `store_failing`: the node that answers cannot use its database, and refuses every call. `clock_off`: the clock of a host differs by more than 2 s from the database’s, from those of most providers, or, on the host that answers, from the OIDC provider’s. `node_behind`: a node has not followed many changes. `redis_down`: Redis does not answer the node that answers, so that each enforces its share of the limits. `alerts_failing`: what was tried last on a way of alerts failed. `price_differs`: the price is more than a tenth off what every provider of the shipped list charges for the model. `sign_ins_failing`: at least 20 sign-ins were refused in the last hour. `models_added`, `models_gone`: the daily look at what an upstream lists, where the setting `check_models` is on, found models that it did not list before, or does not list any more though they are served from it. The others: see `detail`.',
    ),
  severity: z.enum(['bad', 'warning']).describe('`bad`: it stops requests or loses something'),
  model: z.string().nullable(),
  group: z.string().nullable(),
  upstream: z.object({ id: z.string(), name: z.string() }).nullable(),
  credential: z.string().nullable(),
  account: z.object({ id: z.string(), email: z.string() }).nullable(),
  order: z.string().nullable().describe('the id of the order that it is about'),
  /** `renewal_failing`: when the last token of the credential ends. */
  held_at: time.nullable(),
  /** How the credential failed last. */
  because: z.string().nullable(),
  said: z
    .string()
    .nullable()
    .describe(
      'what the provider said when it refused the credential, or most of the requests that failed, as far as it is kept',
    ),
  /** A model of nearly this name; null: none is near. */
  nearest: z.string().nullable(),
  /** `model_failing`: why most of its newest requests got no answer from the upstream. */
  why: z.enum(ATTEMPT_OBSTACLES).nullable().describe('null: an answer came, or nothing says why'),
  /** `model_failing`: the status that the upstream answered most of them with. */
  status: z.number().int().nullable().describe('null: it gave no answer'),
  /** `model_failing`: how many requests failed since it began. */
  failed: z.number().int().nullable(),
  /** `disk_full`: how much is left. */
  disk: z
    .object({
      of: z.enum(['data', 'backups', 'archive']).describe('what the gateway has there'),
      bytes: z.number().int(),
      free_bytes: z.number().int(),
      full_in_days: z.number().int().nullable().describe('at the growth of the database; null: not known'),
    })
    .nullable(),
  /** `store_failing`: what fails, as `GET /readyz` says it. */
  store: z.enum(STORE_FAILURES).nullable(),
  /** `clock_off`: how far. */
  clock: z
    .object({
      host: z.string(),
      ahead_ms: z.number().int().describe('at the least; below 0: behind'),
      of: z.enum(['database', 'providers', 'oidc']).describe('whose clocks it was compared with'),
    })
    .nullable(),
  /** `node_behind`: which node. */
  node: z
    .object({ host: z.string(), behind: z.number().int().describe('changes that it has not followed yet') })
    .nullable(),
  /** `alerts_failing`: which way. */
  way: z.enum(['webhook', 'mail']).nullable(),
  /** `backup_old`: the newest one. */
  backup: z.object({ newest_at: time.nullable().describe('null: there is none') }).nullable(),
  /** `price_differs`: the amount that is off most, per million tokens. */
  price: z
    .object({
      kind: z.enum(['input', 'output']),
      ours: usd,
      listed: usd,
      provider: z.string(),
      dated: z.string().describe('the day of the shipped list'),
    })
    .nullable(),
  /** `sign_ins_failing`: those of the last hour. */
  sign_ins: z
    .object({
      count: z.number().int().describe('200: it may be more'),
      address: z.string().describe('from which most came'),
      from_address: z.number().int(),
      accounts: z.number().int().describe('how many accounts were tried whose email address was right'),
    })
    .nullable(),
  /** Models of `models_added` and `models_gone`, and of `model_failing` without `model`, by their public names. */
  listed: z
    .object({
      count: z.number().int(),
      names: z
        .array(z.string())
        .describe('by their names at the upstream (those that fail: by their public names), at most 20'),
    })
    .nullable(),
  /** `calls_unpriced`: the kinds of calls that have no fee. */
  lacks: z.array(z.enum(CALL_KINDS)).nullable(),
  /** What was spent of a cap. */
  used: usd.nullable(),
  limit: usd.nullable(),
  since: time.nullable().describe('where nothing says it: when it was first listed'),
  /** Requests among the newest that were looked at; there may be more. */
  requests: z
    .number()
    .int()
    .nullable()
    .describe('how many it hit in the last ten minutes; of prices and routes: how many there were; null: not known'),
  /** What is wrong and what to do, in English. */
  detail: z.string(),
})

const week = z.object({
  requests: z.number().int(),
  /** Failed requests, by whose part it was. */
  failed: z.object({ client: z.number().int(), gateway: z.number().int(), upstream: z.number().int() }),
  charged: usd,
  margin: usd.nullable().describe('of requests of which the provider’s cost is known; null: there was none'),
})

const snoozedItem = attentionItem.extend({
  snoozed: z.object({ until: time, by: z.string().describe('an account id or `admin_token`'), reason: z.string() }),
})

const health = z.object({
  /** The first of 24 whole hours, the running one included. */
  from: time,
  /** Models, those with the most requests first, at most 20. */
  data: z.array(
    z.object({
      upstream: z.string().nullable().describe('null: what failed before an upstream was reached'),
      /** Requests of each hour, without those that callers got wrong. */
      requests: z.array(z.number().int()),
      failed: z.array(z.number().int()),
    }),
  ),
})

/** `GET /api/attention` */
export const attention = z
  .object({
    looked_at: time,
    data: z.array(attentionItem).describe('where most money is at stake first, then by requests'),
    /** What stands and was put off, each back by itself when its time is over. */
    snoozed: z.array(snoozedItem),
    health,
    /** What an installation needs before people can call it. */
    setup: z.object({
      /** An upstream that is not the demo's. */
      provider: z.boolean(),
      /** A model with a price and a target there. */
      model: z.boolean(),
      /** An enabled group that has such a model. */
      group: z.boolean(),
      /** A request was answered there in the last 30 days. */
      answered: z.boolean(),
      /** A second account. */
      people: z.boolean(),
    }),
    /** The last seven days, to the hour, and the seven before. */
    week: z.object({ now: week, before: week }),
  })
  .openapi('Attention')

const itemIds = z.array(z.string().min(1).max(64)).min(1).max(50)

/** `POST /api/attention/snooze`: items are left out of the list for so many hours. */
export const attentionSnooze = z
  .object({
    items: itemIds,
    hours: z.number().int().min(1).max(720),
    reason: z.string().trim().min(1).max(200).regex(PLAIN_NAME, TEXTS_OF_FORMS.plain_name),
  })
  .strict()
  .openapi('AttentionSnooze')

/** `POST /api/attention/wake`: they are listed again at once. */
export const attentionWake = z.object({ items: itemIds }).strict()

export const attentionSnoozed = z.object({ items: z.array(z.string()), until: time.nullable() })

export type SnoozedItemView = z.output<typeof snoozedItem>
export type UpstreamHealthView = z.output<typeof health>
export type AttentionView = z.output<typeof attention>
export type AttentionItemView = z.output<typeof attentionItem>
