import { sql } from 'kysely'
import { SqlStore } from '../engine/database.ts'
import type { SealedTextStore } from '../store.ts'

/** The columns of upstreams that hold sealed texts, within JSON, read as they are. */
const COLUMNS = sql`credentials_json as credentials, headers_json as headers, passage_json as passage`

interface Texts {
  readonly id: string
  readonly credentials: string
  readonly headers: string
  readonly passage: string
}

export class SqlSealedTextStore extends SqlStore implements SealedTextStore {
  reseal(after: string | null, limit: number, reseal: (text: string) => string): Promise<string | null> {
    return this.database.transaction(async (transaction) => {
      const lock = this.database.kind === 'postgres' ? sql`for update` : sql``
      const { rows } = await sql<Texts>`select id, ${COLUMNS} from upstreams where id > ${after ?? ''}
        order by id limit ${limit} ${lock}`.execute(transaction)
      for (const row of rows) {
        const [credentials, headers, passage] = [row.credentials, row.headers, row.passage].map(reseal)
        if (credentials === row.credentials && headers === row.headers && passage === row.passage) continue
        await sql`update upstreams set credentials_json = ${credentials}, headers_json = ${headers},
          passage_json = ${passage} where id = ${row.id}`.execute(transaction)
      }
      return rows.at(-1)?.id ?? null
    })
  }

  async resealCaptured(reseal: (text: string) => string): Promise<void> {
    const requests = await this.database.kysely
      .selectFrom('captured_requests')
      .select(['capture_id', 'nr'])
      .orderBy('capture_id')
      .orderBy('nr')
      .execute()
    for (const { capture_id: captureId, nr } of requests) await this.#resealCapturedOne(captureId, nr, reseal)
  }

  #resealCapturedOne(captureId: string, nr: number, reseal: (text: string) => string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('captured_requests')
        .select('sealed')
        .where('capture_id', '=', captureId)
        .where('nr', '=', nr)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return
      const sealed = reseal(row.sealed)
      if (sealed === row.sealed) return
      await transaction
        .updateTable('captured_requests')
        .set({ sealed, bytes: sealed.length })
        .where('capture_id', '=', captureId)
        .where('nr', '=', nr)
        .execute()
    })
  }

  resealSettings(reseal: (name: string, text: string) => string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('settings')
        .selectAll()
        .where('value', 'like', '%v1.%')
        .forUpdate()
        .execute()
      for (const { name, value } of rows) {
        const written = reseal(name, value)
        if (written === value) continue
        await transaction.updateTable('settings').set({ value: written }).where('name', '=', name).execute()
      }
    })
  }

  async count(): Promise<number> {
    const { rows } = await sql<{
      upstreams: number
    }>`select cast(count(*) as bigint) as upstreams from upstreams`.execute(this.database.kysely)
    return rows[0]?.upstreams ?? 0
  }
}
