import { z } from '@hono/zod-openapi'
import { MODEL_KINDS } from '../core/model-kind.ts'
import { MODEL_LIST_LIMIT } from '../core/limits.ts'
import { modelsAsked } from './upstream-test.ts'

/** `POST /api/upstreams/{id}/models`: what it lists, beside what is served from it here. */
export const upstreamModels = modelsAsked
  .extend({
    whole: z.boolean().describe('whether it lists no others; else nothing is said to be gone'),
    data: z.array(
      z.object({
        /** The name of the model at the upstream. */
        model: z.string(),
        state: z
          .enum(['new', 'ignored', 'served', 'gone'])
          .describe(
            '`new`: listed there, and not served from it. `ignored`: the same, and not to be offered. `gone`: served from it, and not listed there.',
          ),
        kind: z.enum(MODEL_KINDS).describe('by what its name speaks of; `chat` where it speaks of nothing else'),
        /** The public names of the models that are served from it. */
        models: z.array(z.string()),
      }),
    ),
  })
  .openapi('UpstreamModels')

/** `POST /api/upstreams/{id}/ignored-models` */
export const ignoredModelsChange = z
  .object({
    models: z.array(z.string().min(1).max(200)).min(1).max(500).describe('by their names at the upstream'),
    ignored: z.boolean(),
  })
  .strict()

export const ignoredModels = z
  .object({ models: z.array(z.string()).max(MODEL_LIST_LIMIT).describe('all that are ignored of this upstream') })
  .openapi('IgnoredModels')

export type UpstreamModelsView = z.output<typeof upstreamModels>
