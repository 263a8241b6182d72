import type { AccessTokenCreate, AccessTokenView, AccessTokenWithSecret } from '../../src/contract/access-tokens.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, post, read, remove } from './request.ts'

/** An account has few: one page holds them all. */
const MOST = 200

export const accessTokensQuery = read<Page<AccessTokenView>>(['access-tokens'], '/api/tokens', {
  query: { limit: MOST },
})

/** The answer holds the secret: it belongs in the state of one component and nowhere else. */
export const createAccessToken = (body: AccessTokenCreate, idempotencyKey: string) =>
  post<AccessTokenWithSecret>('/api/tokens', body, idempotencyKey)

export const deleteAccessToken = (id: string) => remove(apiPath`/api/tokens/${id}`)
