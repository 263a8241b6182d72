import type { OpenRequest, OpenRequestStore } from '../../metering/usage/open-request.ts'
import { SqlStore } from '../engine/database.ts'

const PORTION = 1_000

export class SqlOpenRequestStore extends SqlStore implements OpenRequestStore {
  async note(nodeId: string, changes: { opened: readonly OpenRequest[]; closed: readonly string[] }): Promise<void> {
    await this.database.transaction(async (transaction) => {
      for (const opened of portions(changes.opened)) {
        await transaction
          .insertInto('open_requests')
          .values(
            opened.map((request) => ({
              id: request.id,
              node_id: nodeId,
              created_at: request.createdAt,
              request_json: JSON.stringify(request),
            })),
          )
          // One that is noted already was noted by an earlier life of this node, and is still running.
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ node_id: nodeId }))
          .execute()
      }
      for (const closed of portions(changes.closed)) {
        await transaction.deleteFrom('open_requests').where('id', 'in', closed).execute()
      }
    })
  }

  async abandoned(): Promise<readonly OpenRequest[]> {
    const rows = await this.database.kysely
      .selectFrom('open_requests')
      .select('request_json')
      .where('node_id', 'not in', (query) => query.selectFrom('nodes').select('id'))
      .orderBy('id')
      .limit(PORTION)
      .execute()
    // Written by `note`, in this form.
    return rows.map((row) => row.request_json as OpenRequest)
  }

  async forget(ids: readonly string[]): Promise<void> {
    for (const portion of portions(ids)) {
      await this.database.kysely.deleteFrom('open_requests').where('id', 'in', portion).execute()
    }
  }
}

/** Statements have a limit of values. */
function* portions<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += PORTION) yield items.slice(start, start + PORTION)
}
