import { ACCESS_TOKEN_PREFIX } from '../causes/stranger-key.ts'
import type { Account } from './account.ts'
import { randomDigits } from './key-secret.ts'

/** A personal access token: a credential for the console API with its owner's rights. It calls no models. */
export interface AccessToken {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly scope: AccessTokenScope
  /** First ten and last four characters of the secret, for display. */
  readonly secretStart: string
  readonly secretEnd: string
  /** Epoch milliseconds, as is every `…At`. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

/** `read`: GET alone. */
export type AccessTokenScope = 'read' | 'write'

export interface AccessTokenStore {
  /** Returns false, and stores nothing, when the account has `limit` tokens already. */
  create(token: AccessToken, secretHash: string, limit: number): Promise<boolean>
  findByHash(secretHash: string): Promise<{ readonly token: AccessToken; readonly account: Account } | null>
  /** Newest first; after the token `after`, when there is one. */
  list(accountId: string, page: { after: string | null; limit: number }): Promise<readonly AccessToken[]>
  find(id: string): Promise<AccessToken | null>
  /** false: there is none. */
  delete(id: string): Promise<boolean>
  /** Returns how many there were. */
  deleteAllOf(accountId: string): Promise<number>
  used(id: string, atMs: number): Promise<void>
}

/** A new secret: `tg-pat-` and 40 random base62 digits. */
export function newAccessToken(randomBytes: (count: number) => Uint8Array): string {
  return ACCESS_TOKEN_PREFIX + randomDigits(randomBytes)
}
