import type { Selectable } from 'kysely'
import type { TablesTransaction } from '../engine/database.ts'
import type { LeaseRow, LedgerRow, UsageRow } from '../schema/tables.ts'
import type { StoredBudget } from './budget-rows.ts'

/** The books may hold millions of rows: they are read this many at a time. */
const CHUNK = 1_000

export type StoredEntry = Selectable<LedgerRow>

export function budgetsInChunks(transaction: TablesTransaction): AsyncGenerator<StoredBudget> {
  const query = transaction.selectFrom('budgets').selectAll().orderBy('id').limit(CHUNK)
  return inChunks((last) => query.where('id', '>', last?.id ?? '').execute())
}

export function leasesInChunks(transaction: TablesTransaction): AsyncGenerator<Selectable<LeaseRow>> {
  const query = transaction.selectFrom('leases').selectAll().orderBy('id').limit(CHUNK)
  return inChunks((last) => query.where('id', '>', last?.id ?? '').execute())
}

export function recordsInChunks(transaction: TablesTransaction): AsyncGenerator<Selectable<UsageRow>> {
  const query = transaction.selectFrom('usage_records').selectAll().orderBy('id').limit(CHUNK)
  return inChunks((last) => query.where('id', '>', last?.id ?? '').execute())
}

/** Account by account, oldest first. */
export function entriesInChunks(transaction: TablesTransaction): AsyncGenerator<StoredEntry> {
  const query = transaction.selectFrom('ledger_entries').selectAll().orderBy('account_id').orderBy('seq').limit(CHUNK)
  return inChunks((last) =>
    query
      .where((entry) =>
        entry(entry.refTuple('account_id', 'seq'), '>', entry.tuple(last?.account_id ?? '', last?.seq ?? 0)),
      )
      .execute(),
  )
}

/** `after(last)` reads the rows that come after `last`, or the first ones. */
async function* inChunks<Row>(after: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined
  for (;;) {
    const rows = await after(last)
    yield* rows
    if (rows.length < CHUNK) return
    last = rows.at(-1)
  }
}
