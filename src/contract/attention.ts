import { z } from '@hono/zod-openapi'
import { time, usd } from './wire-values.ts'

const item = z.object({
  kind: z
    .enum([
      'credential_held',
      'spend_cap',
      'model_failing',
      'no_target',
      'below_cost',
      'unreached',
      'no_weight',
      'unpriced',
      'model_unknown',
      'no_balance',
      'backup_old',
    ])
    .describe(
      '`credential_held`: the provider refuses it. `spend_cap`: a credential, upstream or target has cost four fifths of what it may in a day, as the node that answers knows it. `model_failing`: fewer than half of the last day’s requests were answered. `unpriced`: not served without a price. `model_unknown`: asked for in the last day, and not there. `no_balance`: calls in vain since it has no balance. `backup_old`: the newest backup is older than it may be, or there is none. The others: see `detail`.',
    ),
  model: z.string().nullable(),
  group: z.string().nullable(),
  upstream: z.object({ id: z.string(), name: z.string() }).nullable(),
  credential: z.string().nullable(),
  account: z.object({ id: z.string(), email: z.string() }).nullable(),
  /** How the credential failed last. */
  because: z.string().nullable(),
  /** A model of nearly this name; null: none is near. */
  nearest: z.string().nullable(),
  /** Of a cap. */
  used: usd.nullable(),
  limit: usd.nullable(),
  since: time.nullable().describe('null: not known'),
  /** It may be more: only the newest requests are looked at. */
  requests: z.number().int().nullable().describe('how many it hit in the last ten minutes; null: not known'),
  /** What is wrong and what to do, in English. */
  detail: z.string(),
})

const week = z.object({
  requests: z.number().int(),
  /** By whose part it was. */
  failed: z.object({ client: z.number().int(), gateway: z.number().int(), upstream: z.number().int() }),
  charged: usd,
  margin: usd.nullable().describe('of requests of which the provider’s cost is known; null: there was none'),
})

/** `GET /api/attention` */
export const attention = z
  .object({
    looked_at: time,
    data: z.array(item),
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

export type AttentionView = z.output<typeof attention>
export type AttentionItemView = AttentionView['data'][number]
