import { z } from '@hono/zod-openapi'
import { MODEL_LIST_RESULTS } from '../core/model-list-results.ts'

/** What came of asking an upstream for its list of models. */
export const modelsAsked = z.object({
  ok: z.boolean(),
  status: z.number().int().nullable(),
  total_ms: z.number().int(),
  result: z
    .enum(MODEL_LIST_RESULTS)
    .describe(
      '`listed`: it answered with its list of models. `error_answer`: with an error under a good status. `no_list`: it knows no list of models there. `misconfigured`: it cannot be asked',
    ),
  said: z.string().nullable().describe('what it said itself, without its credential'),
  /** Both in a sentence, and what to do about a refusal of a cloud that is known. */
  detail: z.string(),
})

/** `POST /api/upstreams/{id}/test`: one small call to it. */
export const upstreamTest = modelsAsked.extend({
  credential_proven: z
    .boolean()
    .nullable()
    .describe('false: it gives its list to anyone. null: no list came, no credential was sent, or it is not known'),
})
