import type { Selectable } from 'kysely'
import type { AccessToken, AccessTokenStore } from '../../access/access-token.ts'
import type { Account } from '../../access/account.ts'
import { SqlStore } from '../engine/database.ts'
import { lockId, readRow } from '../engine/rows-by-id.ts'
import type { AccessTokenRow } from '../schema/control-rows.ts'
import { accountOf } from './sql-accounts.ts'

export class SqlAccessTokenStore extends SqlStore implements AccessTokenStore {
  create(token: AccessToken, secretHash: string, limit: number): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      // Locks the owner, so that two creations at once cannot pass the limit together.
      await lockId(transaction, 'accounts', token.accountId)
      const others = await transaction
        .selectFrom('access_tokens')
        .select('id')
        .where('account_id', '=', token.accountId)
        .limit(limit)
        .execute()
      if (others.length >= limit) return false
      await transaction
        .insertInto('access_tokens')
        .values({
          id: token.id,
          account_id: token.accountId,
          name: token.name,
          scope: token.scope,
          secret_hash: secretHash,
          secret_start: token.secretStart,
          secret_end: token.secretEnd,
          created_at: token.createdAt,
          expires_at: token.expiresAt,
          last_used_at: token.lastUsedAt,
        })
        .execute()
      return true
    })
  }

  async findByHash(secretHash: string): Promise<{ token: AccessToken; account: Account } | null> {
    const { kysely } = this.database
    const row = await kysely
      .selectFrom('access_tokens')
      .selectAll()
      .where('secret_hash', '=', secretHash)
      .executeTakeFirst()
    if (row === undefined) return null
    const owner = await kysely
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', row.account_id)
      .executeTakeFirstOrThrow()
    return { token: tokenOf(row), account: accountOf(owner) }
  }

  async list(accountId: string, page: { after: string | null; limit: number }): Promise<readonly AccessToken[]> {
    let query = this.database.kysely
      .selectFrom('access_tokens')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .limit(page.limit)
    if (page.after !== null) query = query.where('id', '<', page.after)
    return (await query.execute()).map(tokenOf)
  }

  async find(id: string): Promise<AccessToken | null> {
    const row = await readRow(this.database.kysely, 'access_tokens', id)
    return row === undefined ? null : tokenOf(row)
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.database.kysely
      .deleteFrom('access_tokens')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    return deleted !== undefined
  }

  async deleteAllOf(accountId: string): Promise<number> {
    const deleted = await this.database.kysely
      .deleteFrom('access_tokens')
      .where('account_id', '=', accountId)
      .returning('id')
      .execute()
    return deleted.length
  }

  async used(id: string, atMs: number): Promise<void> {
    await this.database.kysely
      .updateTable('access_tokens')
      .set({ last_used_at: atMs })
      .where('id', '=', id)
      .where((token) => token.or([token('last_used_at', 'is', null), token('last_used_at', '<', atMs)]))
      .execute()
  }
}

function tokenOf(row: Selectable<AccessTokenRow>): AccessToken {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    scope: row.scope,
    secretStart: row.secret_start,
    secretEnd: row.secret_end,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
