import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { RIGHTS, ROLES } from '../core/roles.ts'
import { givenName, time, usd, version } from './wire-values.ts'

const language = z.enum(['en', 'zh-CN'])
/** The number of models that a file of a setup should list. */
const MOST_FAVOURITES = 10
const favouriteModels = z
  .array(z.string().min(1).max(200))
  .max(MOST_FAVOURITES)
  .describe('names of models that the console offers first and setups list; the order is kept')
const theme = z.enum(['system', 'light', 'dark'])

/** `GET /api/me`: who is signed in, and what the console shows of them on every page. */
export const me = z
  .object({
    id: z.string(),
    version,
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    /** What the role may do beside the account's own things; see docs/roles.md. */
    rights: z.array(z.enum(RIGHTS)),
    status: z.enum(['active', 'disabled']),
    /** null: as the browser says. */
    language: language.nullable(),
    theme,
    email_verified: z.boolean(),
    has_password: z.boolean(),
    two_factor_enabled: z.boolean(),
    /** null: signed in by an access token. Dangerous steps ask again when this is more than 15 minutes ago. */
    signed_in_at: time.nullable(),
    balance: usd,
    /** The part of the balance that is set aside for requests: those that run, and a little for those that may come. */
    held: usd,
    created_at: time,
    favourite_models: favouriteModels,
    /** Alerts that this account gets, and what the installation can send. */
    notifications: z.object({ mail: z.boolean(), can_mail: z.boolean() }),
  })
  .openapi('Me')

/** `PATCH /api/me` */
export const mePatch = z
  .object({
    name: givenName(BOUNDS.account.name).or(z.literal('')),
    language: language.nullable(),
    theme,
    notifications: z.object({ mail: z.boolean() }),
    favourite_models: favouriteModels,
  })
  .partial()
  .strict()

export type Me = z.output<typeof me>
export type MePatch = z.input<typeof mePatch>
