import {
  STORED_RESPONSE_KEPT_MS,
  STORED_RESPONSES_AT_A_TIME,
  STORED_RESPONSES_OF_ACCOUNT_LIMIT,
} from '../../core/limits.ts'
import type { StoredOwners, StoredResponseStore } from '../../routing/stored-responses.ts'
import { SqlStore } from '../engine/database.ts'

/** Deletions in a row; what is left comes the next time. */
const PORTIONS_LIMIT = 100
const ACCOUNTS_AT_A_TIME = 20
/** Well below what either engine takes of values in one statement. */
const IDS_AT_A_TIME = 500

/** The rows are written by the settle, together with the record of the request. */
export class SqlStoredResponseStore extends SqlStore implements StoredResponseStore {
  async upstreamOf(accountId: string, responseId: string, nowMs: number): Promise<string | null> {
    return (await this.ownersOf(accountId, [responseId], nowMs)).own.get(responseId) ?? null
  }

  async ownersOf(accountId: string, ids: readonly string[], nowMs: number): Promise<StoredOwners> {
    const own = new Map<string, string>()
    const others = new Set<string>()
    for (let at = 0; at < ids.length; at += IDS_AT_A_TIME) {
      const rows = await this.database.kysely
        .selectFrom('stored_responses')
        .select(['response_id', 'account_id', 'upstream_id'])
        .where('response_id', 'in', ids.slice(at, at + IDS_AT_A_TIME))
        .where('created_at', '>', nowMs - STORED_RESPONSE_KEPT_MS)
        .execute()
      for (const row of rows) {
        if (row.account_id === accountId) own.set(row.response_id, row.upstream_id)
        else others.add(row.response_id)
      }
    }
    for (const id of own.keys()) others.delete(id)
    return { own, others }
  }

  async forget(accountId: string, responseId: string): Promise<void> {
    await this.database.kysely
      .deleteFrom('stored_responses')
      .where('account_id', '=', accountId)
      .where('response_id', '=', responseId)
      .execute()
  }

  async prune(nowMs: number): Promise<void> {
    await this.#pruneOld(nowMs)
    await this.#pruneMany()
  }

  async #pruneMany(): Promise<void> {
    const { kysely } = this.database
    const full = await kysely
      .selectFrom('stored_responses')
      .select('account_id')
      .groupBy('account_id')
      .having((row) => row.fn.countAll(), '>', STORED_RESPONSES_OF_ACCOUNT_LIMIT)
      .limit(ACCOUNTS_AT_A_TIME)
      .execute()
    for (const { account_id: accountId } of full) {
      const [last] = await kysely
        .selectFrom('stored_responses')
        .select('created_at')
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .offset(STORED_RESPONSES_OF_ACCOUNT_LIMIT)
        .limit(1)
        .execute()
      if (last === undefined) continue
      await kysely
        .deleteFrom('stored_responses')
        .where('account_id', '=', accountId)
        .where('created_at', '<=', last.created_at)
        .execute()
    }
  }

  async #pruneOld(nowMs: number): Promise<void> {
    for (let portion = 0; portion < PORTIONS_LIMIT; portion++) {
      const old = await this.database.kysely
        .selectFrom('stored_responses')
        .select('created_at')
        .where('created_at', '<=', nowMs - STORED_RESPONSE_KEPT_MS)
        .orderBy('created_at')
        .limit(STORED_RESPONSES_AT_A_TIME)
        .execute()
      const last = old.at(-1)
      if (last === undefined) return
      await this.database.kysely.deleteFrom('stored_responses').where('created_at', '<=', last.created_at).execute()
    }
  }
}
