import { z } from '@hono/zod-openapi'
import { HUB_WIRES } from '../core/wire.ts'
import { UPSTREAM_PROTOCOL_NAMES } from '../core/upstream-protocol.ts'
import { FACT_NAMES } from '../models/facts.ts'
import { version } from './wire-values.ts'

const factName = z.enum(FACT_NAMES)

const factValue = z.union([z.boolean(), z.number(), z.string(), z.array(z.string())])

/** One thing that models differ in: a column of the table of models. */
const fact = z.object({
  name: factName.describe('as `rules` of models and targets name it'),
  means: z.string(),
  kind: z
    .enum(['flag', 'number', 'word', 'words'])
    .describe('`flag`: true or false; `word`: one of `words`; `words`: some of them'),
  words: z.array(z.string()).optional(),
  least: z.number().optional(),
  most: z.number().optional().describe('1000000000 as a value: nothing bounds it'),
})

const factOfTarget = z.object({
  name: factName,
  shipped: factValue.describe('what this version says of the model'),
  source: z
    .object({
      from: z.string().describe('a page of the provider, or a public report as `owner/project#number`'),
      at: z.string().describe('the month in which it said so'),
    })
    .nullable()
    .describe(
      'null: the table does not state it for the family, and `shipped` is what nearly all models of the protocol take',
    ),
  rule_of_model: factValue.nullable().describe('null: the model has no rule for it'),
  rule_of_target: factValue.nullable().describe('null: the target has no rule for it'),
  value: factValue.describe('in force: the rule of the target, else that of the model, else `shipped`'),
})

/** `GET /api/models/{id}/facts` */
export const modelFacts = z
  .object({
    name: z.string(),
    version: version.describe('of the model: rules are set by a change of that one'),
    facts: z.array(fact),
    targets: z
      .array(
        z.object({
          upstream: z.string(),
          model: z.string(),
          fields_like: z.string().nullable(),
          family: z.string().nullable().describe('in the table of models; null: no family has such a name'),
          maker: z.string().nullable(),
          protocol: z.enum(UPSTREAM_PROTOCOL_NAMES).describe('of the upstream'),
          wire: z
            .enum(HUB_WIRES)
            .describe(
              'the protocol of the request that it is sent when a client speaks another; facts may differ by it',
            ),
          facts: z.array(factOfTarget),
        }),
      )
      .describe('in the order of the model’s `targets`'),
  })
  .openapi('ModelFacts')

export type ModelFactsView = z.output<typeof modelFacts>
