import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineKind } from '../engine/engine.ts'
import type { Tables } from '../schema/tables.ts'
import { type HourOfAll, sumOfHours } from './explore-hours.ts'
import { idsOf } from './explore-records.ts'
import {
  addedUp,
  columnsOf,
  conditionsOf,
  type Figures,
  readRows,
  type SumsQuery,
  type SumsRow,
} from './explore-rows.ts'
import type { KnownSpans } from './spans/span-plan.ts'
import { ACCOUNT_SPANS, OTHERS, type SpanTable } from './spans/span-tables.ts'
import { ACCOUNT_IDS, BEFORE_FIGURES, stretchSums } from './spans/stretch-sums.ts'

/**
 * How many accounts are looked at for the dearest rows of accounts and something else: at first, then at a time, and of how
 * many whose dearest row may have cost most.
 */
const LOOKS = { first: 75, more: 300, most: 1_000 }

/** A query of sums that are kept, and where they are. */
export interface SpansReading {
  readonly kind: EngineKind
  readonly query: SumsQuery
  readonly known: KnownSpans
  readonly spans: SpanTable
}

/**
 * Reads the dearest rows of all accounts, with the time before. Where there are as many rows as are shown, those that were
 * there only before are not among them, so the time before is read for the accounts that are shown alone.
 *
 * @param isNarrow Whether only some models or groups are asked for: then it is not known whose dearest row may have cost most.
 * @param hours All hours of both stretches.
 */
export async function readAccounts(
  tables: Kysely<Tables>,
  reading: SpansReading,
  {
    isNarrow,
    rowsLimit,
    hours,
  }: { readonly isNarrow: boolean; readonly rowsLimit: number; readonly hours: readonly HourOfAll[] },
): Promise<readonly SumsRow[]> {
  const { query } = reading
  const { fromMs, beforeFromMs } = query
  const now = { ...reading, query: { ...query, beforeFromMs: fromMs, rowsLimit } }
  const dearest = !isNarrow && query.by.length > 1 ? await readDearest(tables, now, { rowsLimit, hours }) : null
  const rows = dearest ?? (await readSpans(tables, now))
  const shown = rows.filter(isRow)
  if (shown.length < rowsLimit) return readSpans(tables, { ...reading, query: { ...query, rowsLimit } })
  const before = { ...query, fromMs: beforeFromMs, toMs: fromMs }
  const compared = { ...reading.spans, figures: BEFORE_FIGURES }
  const accounts = shown.map((row) => (query.by[0] === 'account' ? row.first : row.second))
  const found = new Map(
    (
      await readSpans(
        tables,
        { ...reading, query: before, spans: compared },
        listOf(reading.kind, [...new Set(accounts)]),
      )
    ).map((row) => [idsOf(row, query), row]),
  )
  const total = isNarrow ? await readTotal(tables, before, BEFORE_FIGURES) : sumOfHours(hours, before)
  return rows.map((row) => withBefore(row, row.of === 'all' ? total : found.get(idsOf(row, query))))
}

/** Reads sums of spans; `accounts`: those of these accounts alone. */
export async function readSpans(
  tables: Kysely<Tables>,
  { query, known, spans }: SpansReading,
  accounts: RawBuilder<unknown> | null = query.where.account === undefined ? null : sql`${query.where.account}`,
): Promise<readonly SumsRow[]> {
  const from = stretchSums(
    spans,
    { ...query, known },
    { columns: columnsOf(query), conditions: conditionsOf(query), accounts },
  )
  return readRows(tables, query, { spans, from, ctes: accounts === null ? [ACCOUNT_IDS] : [] })
}

/**
 * The dearest rows of accounts and something else. Those accounts are looked at first whose dearest row may have cost most;
 * what the last row cost then says which others can have a dearer one. null: too many would have to be looked at.
 */
async function readDearest(
  tables: Kysely<Tables>,
  reading: SpansReading,
  { rowsLimit, hours }: { readonly rowsLimit: number; readonly hours: readonly HourOfAll[] },
): Promise<readonly SumsRow[] | null> {
  const { query } = reading
  const accounts = await readBounds(tables, reading, LOOKS.most)
  let dearest: readonly SumsRow[] = []
  for (let at = 0, size = LOOKS.first; size > 0;) {
    const rows = await readRowsOf(tables, reading, accounts.slice(at, at + size))
    dearest = [...dearest, ...rows].toSorted(dearestFirst).slice(0, rowsLimit)
    at += size
    const last = dearest[rowsLimit - 1]
    const others = accounts.slice(at).filter((each) => last === undefined || each.cost_nano >= last.cost_nano)
    size = Math.min(LOOKS.more, others.length)
  }
  const [last, left] = [dearest[rowsLimit - 1], accounts[LOOKS.most - 1]]
  // Accounts that are not among these can have no row that cost more than the dearest of the last of them may have.
  if (left !== undefined && (last === undefined || last.cost_nano <= left.cost_nano)) return null
  return [{ ...sumOfHours(hours, query), of: 'all', first: '', second: '' }, ...dearest]
}

/** The accounts whose dearest row may have cost most, each with how much that is at most as `cost_nano`. */
async function readBounds(tables: Kysely<Tables>, reading: SpansReading, limit: number): Promise<readonly SumsRow[]> {
  const query = { ...reading.query, by: ['account'] as const, rowsLimit: limit }
  const others = reading.query.by.includes('model') ? OTHERS.model : OTHERS.group
  const spans: SpanTable = { ...ACCOUNT_SPANS, figures: ['requests', 'cost_nano'], others }
  return (await readSpans(tables, { ...reading, query, spans })).filter(isRow)
}

async function readRowsOf(
  tables: Kysely<Tables>,
  reading: SpansReading,
  accounts: readonly SumsRow[],
): Promise<readonly SumsRow[]> {
  const ids = accounts.map(({ first }) => first)
  return (await readSpans(tables, reading, listOf(reading.kind, ids))).filter(isRow)
}

function isRow({ of }: SumsRow): boolean {
  return of === 'row'
}

/** As the database orders rows. */
function dearestFirst(a: SumsRow, b: SumsRow): number {
  if (a.cost_nano !== b.cost_nano) return a.cost_nano > b.cost_nano ? -1 : 1
  if (a.requests !== b.requests) return b.requests - a.requests
  return `${a.first}\n${a.second}` < `${b.first}\n${b.second}` ? -1 : 1
}

/** As one parameter: it stands in each part of a stretch, and hundreds there have to be written, parsed and bound. */
function listOf(kind: EngineKind, ids: readonly string[]): RawBuilder<unknown> {
  const list = JSON.stringify(ids)
  return kind === 'sqlite'
    ? sql`select value from json_each(${list})`
    : sql`select jsonb_array_elements_text(${list}::jsonb)`
}

/** What all accounts together had of some models or groups: sums that lie by time. */
async function readTotal(
  tables: Kysely<Tables>,
  query: SumsQuery,
  figures: readonly string[],
): Promise<Figures | undefined> {
  const within = [sql`hour_at >= ${query.fromMs}`, sql`hour_at < ${query.toMs}`, ...conditionsOf(query)]
  const { rows } = await sql<Figures>`select ${addedUp(figures)} from usage_all_hours
    where ${sql.join(within, sql` and `)}`.execute(tables)
  return rows[0]
}

function withBefore(row: SumsRow, before: Figures | undefined): SumsRow {
  return {
    ...row,
    requests_before: before?.requests ?? 0,
    failed_before: before?.failed ?? 0,
    cost_before_nano: before?.cost_nano ?? 0n,
  }
}
