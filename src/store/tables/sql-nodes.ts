import type { Change } from '../../access/changes.ts'
import type { LivingNode, NodeStore } from '../../access/nodes.ts'
import type { Database } from '../engine/database.ts'

/** A node that has been dead for this long is forgotten, and changes are no longer kept for it. */
const FORGET_MS = 3_600_000
const CHANGES_LIMIT = 1_000

type Joining = Parameters<NodeStore['join']>[0]

export class SqlNodeStore implements NodeStore {
  readonly #database: Database
  /** The nodes of this process: never among «the others». */
  readonly #own = new Map<string, Joining>()

  constructor(database: Database) {
    this.#database = database
  }

  async join(node: Joining): Promise<{ seq: number }> {
    this.#own.set(node.id, node)
    await this.#database.kysely
      .deleteFrom('nodes')
      .where('alive_until_at', '<', node.nowMs - FORGET_MS)
      .execute()
    return this.#register(node, node.aliveUntilMs)
  }

  /** A node that the others have forgotten meanwhile is registered anew. Rejects for one that never joined here. */
  async extend(nodeId: string, aliveUntilMs: number): Promise<void> {
    const extended = await this.#database.kysely
      .updateTable('nodes')
      .set({ alive_until_at: aliveUntilMs })
      .where('id', '=', nodeId)
      .returning('id')
      .executeTakeFirst()
    if (extended !== undefined) return
    const node = this.#own.get(nodeId)
    if (node === undefined) throw new Error(`the node ${nodeId} never joined`)
    await this.#register(node, aliveUntilMs)
  }

  async leave(nodeId: string): Promise<void> {
    this.#own.delete(nodeId)
    await this.#database.kysely.deleteFrom('nodes').where('id', '=', nodeId).execute()
  }

  async living(nowMs: number): Promise<readonly LivingNode[]> {
    const rows = await this.#database.kysely
      .selectFrom('nodes')
      .selectAll()
      .where('alive_until_at', '>', nowMs)
      .orderBy('id')
      .execute()
    return rows
      .filter((row) => !this.#own.has(row.id))
      .map((row) => ({
        id: row.id,
        host: row.host,
        processId: row.process_id,
        seenSeq: row.seen_seq,
        aliveUntil: row.alive_until_at,
      }))
  }

  async changesAfter(seq: number): Promise<readonly Change[]> {
    const rows = await this.#database.kysely
      .selectFrom('changes')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(CHANGES_LIMIT)
      .execute()
    return rows.map((row) => ({ seq: row.seq, subject: row.subject, subjectId: row.subject_id }))
  }

  async acknowledge(nodeId: string, seq: number): Promise<void> {
    await this.#database.kysely
      .updateTable('nodes')
      .set({ seen_seq: seq })
      .where('id', '=', nodeId)
      .where('seen_seq', '<', seq)
      .execute()
  }

  onCommit(listener: () => void): () => void {
    return this.#database.onCommit(listener)
  }

  /**
   * The counter is read in the same transaction and before the row is there: a change that commits in between has a higher
   * number, and one that commits later finds the node.
   */
  #register(node: Joining, aliveUntilMs: number): Promise<{ seq: number }> {
    return this.#database.transaction(async (transaction) => {
      const { seq } = await transaction.selectFrom('change_counter').select('seq').executeTakeFirstOrThrow()
      const life = { seen_seq: seq, alive_until_at: aliveUntilMs }
      await transaction
        .insertInto('nodes')
        .values({ id: node.id, host: node.host, process_id: node.processId, ...life })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(life))
        .execute()
      return { seq }
    })
  }
}
