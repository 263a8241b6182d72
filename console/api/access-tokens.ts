import type { AccessTokenCreate, AccessTokenView, AccessTokenWithSecret } from '../../src/contract/access-tokens.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { read, request } from './request.ts'

/** An account has few: one page holds them all. */
const MOST = 200

export const accessTokensQuery = read<Page<AccessTokenView>>(['access-tokens'], '/api/tokens', { limit: MOST })

/** The answer holds the secret: it belongs in the state of one component and nowhere else. */
export function createAccessToken(body: AccessTokenCreate, idempotencyKey: string): Promise<AccessTokenWithSecret> {
  return request('/api/tokens', { method: 'POST', body, idempotencyKey })
}

export function deleteAccessToken(id: string): Promise<void> {
  return request(`/api/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
