import { STORED_RESPONSE_KEPT_MS, STORED_RESPONSES_AT_A_TIME } from '../../core/limits.ts'
import type { StoredResponseStore } from '../../routing/stored-responses.ts'
import type { Database } from '../engine/database.ts'

/** Deletions in a row; what is left comes the next time. */
const PORTIONS_LIMIT = 100

/** The rows are written by the settle, together with the record of the request. */
export class SqlStoredResponseStore implements StoredResponseStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async upstreamOf(accountId: string, responseId: string, nowMs: number): Promise<string | null> {
    const row = await this.#database.kysely
      .selectFrom('stored_responses')
      .select('upstream_id')
      .where('account_id', '=', accountId)
      .where('response_id', '=', responseId)
      .where('created_at', '>', nowMs - STORED_RESPONSE_KEPT_MS)
      .executeTakeFirst()
    return row?.upstream_id ?? null
  }

  async forget(accountId: string, responseId: string): Promise<void> {
    await this.#database.kysely
      .deleteFrom('stored_responses')
      .where('account_id', '=', accountId)
      .where('response_id', '=', responseId)
      .execute()
  }

  async prune(nowMs: number): Promise<void> {
    for (let portion = 0; portion < PORTIONS_LIMIT; portion++) {
      const old = await this.#database.kysely
        .selectFrom('stored_responses')
        .select('created_at')
        .where('created_at', '<=', nowMs - STORED_RESPONSE_KEPT_MS)
        .orderBy('created_at')
        .limit(STORED_RESPONSES_AT_A_TIME)
        .execute()
      const last = old.at(-1)
      if (last === undefined) return
      await this.#database.kysely.deleteFrom('stored_responses').where('created_at', '<=', last.created_at).execute()
    }
  }
}
