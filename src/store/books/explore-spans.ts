import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineKind } from '../engine/engine.ts'
import type { Tables } from '../schema/tables.ts'
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
 * many that cost most.
 */
const LOOKS = { first: 150, more: 300, most: 2_000 }

/** What accounts are put in order by. */
const COSTS: SpanTable = { ...ACCOUNT_SPANS, figures: ['requests', 'cost_nano'] }

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
 * @param isOfDearest Whether the dearest are looked for among the accounts that cost most.
 */
export async function readAccounts(
  tables: Kysely<Tables>,
  reading: SpansReading,
  { isOfDearest, rowsLimit }: { readonly isOfDearest: boolean; readonly rowsLimit: number },
): Promise<readonly SumsRow[]> {
  const { query } = reading
  const { fromMs, beforeFromMs } = query
  const now = { ...reading, query: { ...query, beforeFromMs: fromMs, rowsLimit } }
  const dearest = isOfDearest ? await readDearest(tables, now, rowsLimit) : null
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
  const total = await readTotal(tables, before, BEFORE_FIGURES)
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
 * The dearest rows of accounts, or of accounts and something else, among those accounts that cost most, for which one figure
 * of each is enough. null: too many would have to be looked at. None of accounts alone where there are fewer than are shown:
 * those are read with the time before, at once.
 */
async function readDearest(
  tables: Kysely<Tables>,
  reading: SpansReading,
  rowsLimit: number,
): Promise<readonly SumsRow[] | null> {
  const { query, spans } = reading
  const isOfPairs = query.by.length > 1
  const ranked = { ...query, by: ['account'] as const, rowsLimit: isOfPairs ? LOOKS.most : rowsLimit }
  const costs = isOfPairs ? { ...COSTS, others: query.by.includes('model') ? OTHERS.model : OTHERS.group } : COSTS
  const accounts = (await readSpans(tables, { ...reading, query: ranked, spans: costs })).filter(isRow)
  if (!isOfPairs && accounts.length < rowsLimit) return []
  const dearest = isOfPairs
    ? await readDearestPairs(tables, reading, { accounts, rowsLimit })
    : await readRowsOf(tables, reading, accounts)
  const total = dearest === null ? undefined : await readTotal(tables, query, spans.figures)
  return dearest === null || total === undefined ? null : [{ ...total, of: 'all', first: '', second: '' }, ...dearest]
}

/**
 * Those accounts are looked at first whose dearest row may have cost most. What the last row cost then says which others can
 * have a dearer one.
 */
async function readDearestPairs(
  tables: Kysely<Tables>,
  reading: SpansReading,
  { accounts, rowsLimit }: { readonly accounts: readonly SumsRow[]; readonly rowsLimit: number },
): Promise<readonly SumsRow[] | null> {
  const mostOf = ({ most_nano: most, cost_nano: cost }: SumsRow) => most ?? cost
  const ordered = accounts.toSorted((a, b) => Number(mostOf(b) - mostOf(a)))
  let dearest: readonly SumsRow[] = []
  for (let at = 0, size = LOOKS.first; size > 0;) {
    const rows = await readRowsOf(tables, reading, ordered.slice(at, at + size))
    dearest = [...dearest, ...rows].toSorted(dearestFirst).slice(0, rowsLimit)
    at += size
    const last = dearest[rowsLimit - 1]
    const others = ordered.slice(at).filter((each) => last === undefined || mostOf(each) >= last.cost_nano)
    size = Math.min(LOOKS.more, others.length)
  }
  const [last, cheapest] = [dearest[rowsLimit - 1], accounts[LOOKS.most - 1]]
  // The accounts are those that cost most: no other can have a row that cost more than all of the last of them.
  if (cheapest !== undefined && (last === undefined || last.cost_nano <= cheapest.cost_nano)) return null
  return dearest
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

/** What all accounts together had: sums that lie by time. */
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
