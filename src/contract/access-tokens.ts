import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { givenName, time } from './wire-values.ts'

/** A personal access token: a Bearer credential on this API with its owner's rights. It cannot call models. */
export const accessToken = z
  .object({
    id: z.string(),
    name: z.string(),
    secret_start: z.string(),
    secret_end: z.string(),
    /** `read`: GET alone. */
    scope: z.enum(['read', 'write']),
    created_at: time,
    expires_at: time.nullable(),
    last_used_at: time.nullable(),
  })
  .openapi('AccessToken')

export const accessTokenCreate = z
  .object({
    name: givenName(BOUNDS.access_token.name),
    scope: z.enum(['read', 'write']).default('read'),
    expires_at: time.nullable().default(null),
  })
  .strict()

export const accessTokenWithSecret = z.object({ token: accessToken, secret: z.string().nullable() })

export type AccessTokenView = z.output<typeof accessToken>
export type AccessTokenCreate = z.input<typeof accessTokenCreate>
export type AccessTokenWithSecret = z.output<typeof accessTokenWithSecret>
