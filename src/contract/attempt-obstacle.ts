import { z } from '@hono/zod-openapi'
import { ATTEMPT_OBSTACLES } from '../core/model-list-results.ts'

export type { AttemptObstacle } from '../core/model-list-results.ts'

/** Why no answer came. */
export const why = z
  .enum(ATTEMPT_OBSTACLES)
  .nullable()
  .describe(
    'why no answer came, or a redirect instead of one; null: an answer came, or nothing says why. Staff only, null for others',
  )

/** What stood in the way of an attempt, and where a redirect leads. */
export const obstacle = {
  why,
  redirects_to: z
    .string()
    .nullable()
    .describe('scheme and host that the base URL redirects to. Staff only, null for others'),
}
