import { type Kysely, sql } from 'kysely'
import type { Change } from '../../access/changes.ts'
import type { NodeStatus, NodeStore, RegisteredNode } from '../../cluster/nodes.ts'
import { SqlStore } from '../engine/database.ts'
import type { NodeRow } from '../schema/node-row.ts'
import type { Tables } from '../schema/tables.ts'

const CHANGES_LIMIT = 1_000
/** Ids in one statement. */
const PORTION = 500

export class SqlNodeStore extends SqlStore implements NodeStore {
  /**
   * The counter is read in the same transaction and before the row is there: a change that commits in between has a higher
   * number, and one that commits later finds the node.
   */
  join({ id, host, processId }: Parameters<NodeStore['join']>[0]): Promise<{ seq: number }> {
    return this.database.transaction(async (transaction) => {
      const { seq } = await transaction.selectFrom('change_counter').select('seq').executeTakeFirstOrThrow()
      await transaction
        .insertInto('nodes')
        .values({ id, host, process_id: processId, seen_seq: seq, beat: 0 })
        .execute()
      return { seq }
    })
  }

  async beat(nodeId: string): Promise<boolean> {
    const counted = await this.database.kysely
      .updateTable('nodes')
      .set((row) => ({ beat: row('beat', '+', 1) }))
      .where('id', '=', nodeId)
      .returning('id')
      .executeTakeFirst()
    return counted !== undefined
  }

  async report(nodeId: string, { version, inFlight, busy, clock }: NodeStatus): Promise<number | null> {
    const kept = this.database.kysely
      .updateTable('nodes')
      .set({
        version,
        in_flight: inFlight,
        busy_permille: Math.round(busy * 1_000),
        database_ahead_ms: clock.database,
        providers_ahead_ms: clock.providers,
      })
      .where('id', '=', nodeId)
    if (this.database.kind === 'sqlite') {
      await kept.execute()
      return null
    }
    const serverTime = sql<number | bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    const row = await kept.returning(serverTime.as('server_ms')).executeTakeFirst()
    return row === undefined ? null : Number(row.server_ms)
  }

  async remove(nodeIds: readonly string[]): Promise<void> {
    for (let start = 0; start < nodeIds.length; start += PORTION) {
      const ids = nodeIds.slice(start, start + PORTION)
      await this.database.kysely.deleteFrom('nodes').where('id', 'in', ids).execute()
    }
  }

  async retire(dead: readonly Pick<RegisteredNode, 'id' | 'beat'>[]): Promise<void> {
    for (const { id, beat } of dead) {
      await this.database.kysely.deleteFrom('nodes').where('id', '=', id).where('beat', '=', beat).execute()
    }
  }

  async all(): Promise<readonly RegisteredNode[]> {
    const rows = await this.database.kysely.selectFrom('nodes').selectAll().orderBy('id').execute()
    return rows.map((row) => ({
      id: row.id,
      host: row.host,
      processId: row.process_id,
      seenSeq: row.seen_seq,
      beat: row.beat,
      standing: standingOf(row),
    }))
  }

  async unsettled(): Promise<readonly string[]> {
    const { kysely } = this.database
    const [holders, askers] = [await namesIn(kysely, 'leases'), await namesIn(kysely, 'open_requests')]
    const named = new Set([...holders, ...askers])
    if (named.size === 0) return []
    // Read after the names: a holder has registered before.
    for (const { id } of await kysely.selectFrom('nodes').select('id').execute()) named.delete(id)
    return [...named].sort()
  }

  async changesAfter(seq: number): Promise<readonly Change[]> {
    const rows = await this.database.kysely
      .selectFrom('changes')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(CHANGES_LIMIT)
      .execute()
    return rows.map((row) => ({ seq: row.seq, subject: row.subject, subjectId: row.subject_id }))
  }

  async acknowledge(nodeId: string, seq: number): Promise<void> {
    await this.database.kysely
      .updateTable('nodes')
      .set({ seen_seq: seq })
      .where('id', '=', nodeId)
      .where('seen_seq', '<', seq)
      .execute()
  }

  onCommit(listener: () => void): () => void {
    return this.database.onCommit(listener)
  }
}

function standingOf(row: NodeRow): NodeStatus | null {
  const { version, in_flight: inFlight, busy_permille: busy } = row
  if (version === null || inFlight === null || busy === null) return null
  const clock = { database: row.database_ahead_ms, providers: row.providers_ahead_ms }
  return { version, inFlight, busy: busy / 1_000, clock }
}

/**
 * The nodes that rows of a table are in the name of. It jumps from one to the next in the index, for there may be a
 * hundred thousand rows, of three nodes, and this is asked for every second.
 */
async function namesIn(kysely: Kysely<Tables>, table: 'leases' | 'open_requests'): Promise<readonly string[]> {
  const rows = await kysely
    .withRecursive('names(node_id)', (names) =>
      names
        .selectFrom(table)
        .select((row) => row.fn.min('node_id').as('node_id'))
        .unionAll((more) =>
          more
            .selectFrom('names')
            .where('names.node_id', 'is not', null)
            .select((last) =>
              last
                .selectFrom(table)
                .where('node_id', '>', last.ref('names.node_id'))
                .select((row) => row.fn.min('node_id').as('node_id'))
                .as('node_id'),
            ),
        ),
    )
    .selectFrom('names')
    .select('node_id')
    .where('node_id', 'is not', null)
    .execute()
  return rows.flatMap(({ node_id }) => node_id ?? [])
}
