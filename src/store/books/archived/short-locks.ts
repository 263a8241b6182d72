import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, TablesTransaction } from '../../engine/database.ts'
import { raw } from './usage-partitions.ts'

/** Settlements queue behind a session that waits for a lock on their table, so nothing here waits for longer. */
const LOCK_MS = 150
const TRIES = 5
/** How long settlements have the table for themselves between two tries. */
const PAUSE_MS = 400
/** Any number that is not used otherwise on that server as an advisory lock. */
const LOCK = 7_655_642_839

/**
 * Runs `work` in a transaction that waits for locks on tables for 150 ms at the most, and again a few times where that was too
 * short. null: others had them all the while, or another node does the same; nothing was done. `statementMs`: what a statement
 * may take once it has its locks; 0: as long as it takes.
 */
export async function withShortLocks<T>(
  database: Database,
  { statementMs }: { readonly statementMs: number },
  work: (transaction: TablesTransaction) => Promise<T>,
): Promise<T | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(async (transaction) => {
        const alone = sql<{
          alone: boolean | string
        }>`select pg_try_advisory_xact_lock(${sql.lit(LOCK)})::text as alone`
        if ((await alone.execute(transaction)).rows[0]?.alone !== 'true') return null
        await raw(transaction, `set local lock_timeout = ${LOCK_MS}`, `set local statement_timeout = ${statementMs}`)
        return work(transaction)
      })
    } catch (error) {
      if (!isLocked(error)) throw error
      if (tries === TRIES) return null
    }
    await pause(PAUSE_MS)
  }
}

/** 55P03: a lock was not to be had in time. */
export function isLocked(error: unknown): boolean {
  return hasCode(error, '55P03')
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
