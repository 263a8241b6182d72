import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { LedgerFilter } from '../../metering/funds/ledger.ts'
import type { Database } from '../engine/database.ts'
import type { LedgerRow } from '../schema/tables.ts'

const PAGE_LIMIT = 200
/** So many entries are looked at for those that pass the filter. */
const WINDOW = 20_000
/**
 * An entry bears the time at which its request began, and has its place in the ledger by when that was charged: an hour later
 * at most, and later still when the database was away. Entries that came into the books later than this are not looked for
 * outside of the span.
 */
const CHARGED_WITHIN_MS = 86_400_000
/** A ledger of 2^40 entries is found through in so many steps. */
const STEPS_LIMIT = 40

/** Entries behind `after` (a number of the ledger; null: the newest), newest first, and where the next page begins. */
export async function readLedgerPage(
  database: Database,
  filter: LedgerFilter,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<{ readonly rows: readonly Selectable<LedgerRow>[]; readonly next: number | null }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT) {
    throw new RangeError(`a page has 1 to ${PAGE_LIMIT} entries, not ${limit}`)
  }
  const before = after ?? (await lastWithin(database, filter)) + 1
  const first =
    filter.fromMs === undefined ? 1 : await firstSeqFrom(database, filter.accountId, filter.fromMs - CHARGED_WITHIN_MS)
  const rows = await readRows(database, filter, { before, first, wanted: limit + 1 })
  const last = rows[limit - 1]
  if (rows.length > limit && last !== undefined) return { rows: rows.slice(0, limit), next: last.seq }
  const end = before - WINDOW
  return { rows, next: isWindowed(filter) && end > first ? end : null }
}

/** Entries other than usage have an index of their own, and are few. */
function isWindowed({ kind, fromMs, toMs }: LedgerFilter): boolean {
  return kind === 'usage' || (kind === undefined && (fromMs !== undefined || toMs !== undefined))
}

async function readRows(
  database: Database,
  filter: LedgerFilter,
  { before, first, wanted }: { readonly before: number; readonly first: number; readonly wanted: number },
): Promise<readonly Selectable<LedgerRow>[]> {
  const from = isWindowed(filter) ? Math.max(first, before - WINDOW) : first
  const isOther = filter.kind !== undefined && filter.kind !== 'usage'
  const conditions: RawBuilder<unknown>[] = [
    sql`account_id = ${filter.accountId}`,
    sql`seq < ${before}`,
    sql`seq >= ${from}`,
    // As the partial index has it.
    ...(isOther ? [sql`kind <> 'usage'`] : []),
    ...(filter.kind === undefined || filter.kind === 'not_usage' ? [] : [sql`kind = ${filter.kind}`]),
    ...(filter.fromMs === undefined ? [] : [sql`created_at >= ${filter.fromMs}`]),
    ...(filter.toMs === undefined ? [] : [sql`created_at < ${filter.toMs}`]),
  ]
  // Without figures about its tables SQLite would look through all of them; PostgreSQL has them.
  const index = isOther && database.kind === 'sqlite' ? sql`indexed by ledger_entries_but_usage` : sql``
  const query = sql<Selectable<LedgerRow>>`
    select * from ledger_entries ${index} where ${sql.join(conditions, sql` and `)} order by seq desc limit ${wanted}`
  return (await query.execute(database.views)).rows
}

/** The newest entry that can be in the span; 0: there is none. */
async function lastWithin(database: Database, { accountId, toMs }: LedgerFilter): Promise<number> {
  if (toMs !== undefined) return (await firstSeqFrom(database, accountId, toMs + CHARGED_WITHIN_MS)) - 1
  return lastSeq(database, accountId)
}

async function lastSeq(database: Database, accountId: string): Promise<number> {
  const row = await database.views
    .selectFrom('ledger_entries')
    .select('seq')
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** The numbers of a ledger have no gaps, so the place of a time in it is found by halving. */
async function firstSeqFrom(database: Database, accountId: string, ms: number): Promise<number> {
  let low = 1
  let high = (await lastSeq(database, accountId)) + 1
  for (let step = 0; low < high && step < STEPS_LIMIT; step++) {
    const middle = Math.floor((low + high) / 2)
    const row = await database.views
      .selectFrom('ledger_entries')
      .select('created_at')
      .where('account_id', '=', accountId)
      .where('seq', '=', middle)
      .executeTakeFirst()
    if (row !== undefined && row.created_at >= ms) high = middle
    else low = middle + 1
  }
  return low
}
