import type { AccessTokenCreate, AccessTokenView, AccessTokenWithSecret } from '../../src/contract/access-tokens.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { post, read, remove } from './request.ts'

/** An account has few: one page holds them all. */
const MOST = 200

export const accessTokensQuery = read<Page<AccessTokenView>>(['access-tokens'], '/api/tokens', { limit: MOST })

/** The answer holds the secret: it belongs in the state of one component and nowhere else. */
export function createAccessToken(body: AccessTokenCreate, idempotencyKey: string): Promise<AccessTokenWithSecret> {
  return post('/api/tokens', body, idempotencyKey)
}

export function deleteAccessToken(id: string): Promise<void> {
  return remove(`/api/tokens/${encodeURIComponent(id)}`)
}
