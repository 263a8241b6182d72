import { sql } from 'kysely'
import type { Change, ChangeSubject } from '../../access/changes.ts'
import type { Database, TablesTransaction } from './database.ts'

/** What the transaction that records a change notifies, and every gateway on PostgreSQL listens to. */
export const CHANGES_TOPIC = 'tollgate_changes'

/** Records that something changed, as part of the transaction that changes it. */
export type ChangeRecorder = (subject: ChangeSubject, subjectId: string) => Promise<Change>

/** Old changes are thrown away each time this many new ones were recorded. */
const CHANGES_PER_PRUNING = 256

/**
 * Runs a transaction that changes what running gateways hold in memory, and tells them after it is committed. Each change
 * gets the next number; the counter's row stays locked until the commit, so numbers come in the order of the commits and a
 * reader that saw one never finds a lower one later.
 */
export async function changing<T>(
  database: Database,
  work: (transaction: TablesTransaction, record: ChangeRecorder) => Promise<T>,
): Promise<T> {
  const result = await database.transaction((transaction) =>
    work(transaction, async (subject, subjectId) => {
      const change = { seq: await nextSeq(transaction), subject, subjectId }
      await transaction.insertInto('changes').values({ seq: change.seq, subject, subject_id: subjectId }).execute()
      if (change.seq % CHANGES_PER_PRUNING === 0) await prune(transaction, change.seq)
      if (database.kind === 'postgres') await sql`select pg_notify(${CHANGES_TOPIC}, '')`.execute(transaction)
      return change
    }),
  )
  database.committed()
  return result
}

async function nextSeq(transaction: TablesTransaction): Promise<number> {
  const { seq } = await transaction
    .updateTable('change_counter')
    .set((row) => ({ seq: row('seq', '+', 1) }))
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

/** Keeps what a registered node may still ask for, dead or alive. */
async function prune(transaction: TablesTransaction, seq: number): Promise<void> {
  const slowest = await transaction
    .selectFrom('nodes')
    .select('seen_seq')
    .orderBy('seen_seq')
    .limit(1)
    .executeTakeFirst()
  await transaction
    .deleteFrom('changes')
    .where('seq', '<=', Math.min(slowest?.seen_seq ?? seq, seq - 1))
    .execute()
}
