import { z } from '@hono/zod-openapi'
import { sessionSchema } from './sign-in.ts'
import { time } from './wire-values.ts'

/** `DELETE /api/accounts/{id}/sessions` */
export const endSessionsQuery = z.object({
  end_access_tokens: z
    .enum(['true', 'false'])
    .default('true')
    .describe('whether the access tokens of the account are deleted as well'),
})

/** `GET /api/accounts/{id}/sign-in` */
export const accountSignIn = z
  .object({
    has_password: z.boolean(),
    is_email_verified: z.boolean(),
    second_factor: z.boolean(),
    passkeys: z.array(z.object({ id: z.string(), name: z.string(), created_at: time.nullable() })),
    oidc_linked_at: time.nullable().describe('null: no provider is linked'),
    access_tokens: z.number().int(),
    sessions: z
      .array(sessionSchema.omit({ fresh_until: true, is_current: true }))
      .describe('that have not ended, the last used first'),
  })
  .openapi('AccountSignIn')

export type AccountSignIn = z.output<typeof accountSignIn>
