import { type Kysely, type RawBuilder, sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import { EXPLORED_BY, type ExploredIn, type ExploredSums, type ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures, UsageFigures } from '../schema/roll-up-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { idsOf, type PlainSums } from './explore-records.ts'
import { usedKeys } from './key-spend.ts'
import { readKnownSpans } from './spans/known-spans.ts'
import type { KnownSpans } from './spans/span-plan.ts'
import { ACCOUNT_MODEL_SPANS, ACCOUNT_SPANS, type SpanTable, UPSTREAM_SPANS } from './spans/span-tables.ts'
import { ACCOUNT_IDS, beforeName, BEFORE_FIGURES, stretchSums } from './spans/stretch-sums.ts'

type KeptIn = Exclude<ExploredIn, 'records'>

interface SumsQuery extends ExploreQuery {
  readonly beforeFromMs: number
  readonly in: KeptIn
  readonly rowsLimit: number
}

/** So many accounts are looked at for the dearest rows of accounts and models, and then so many times more. */
const FIRST_ACCOUNTS = 750
const MORE_ACCOUNTS = 4
const LOOKS_LIMIT = 3

const COLUMNS = {
  account: 'account_id',
  key: 'key_id',
  group: 'group_id',
  model: 'model',
  upstream: 'upstream',
  fault: 'fault',
} as const

type Figures = Pick<CostFigures, 'requests' | 'failed' | 'cost_nano'> &
  Partial<CostFigures> &
  Partial<UsageFigures> & {
    readonly requests_before: number
    readonly failed_before: number
    readonly cost_before_nano: bigint
  }

type SumsRow = Figures & { readonly of: 'all' | 'next' | 'row'; readonly first: string; readonly second: string }

export type ComparedSums = PlainSums & Pick<ExploredSums, 'before'>

interface Sums {
  readonly total: ComparedSums
  readonly rows: ReadonlyMap<string, ComparedSums>
}

/** Reads sums that are kept, of a span of whole hours and of the time before. */
export async function readSums(database: Database, query: SumsQuery): Promise<Sums> {
  const { where, by, beforeFromMs, toMs } = query
  if (query.in === 'keys') {
    const from = sumsOfKeys(query)
    return finished(await readRows(database.views, query, { spans: ACCOUNT_MODEL_SPANS, from, ctes: [] }), query)
  }
  return database.snapshot(async (tables) => {
    const known = await readKnownSpans(tables, { fromMs: beforeFromMs, toMs })
    if (query.in === 'costs') return finished(await readSpans(tables, { query, known, spans: UPSTREAM_SPANS }), query)
    const isByAccountAlone = by.length === 1 && by[0] === 'account'
    const isNarrow = where.group !== undefined || where.model !== undefined
    const spans = isByAccountAlone && !isNarrow ? ACCOUNT_SPANS : ACCOUNT_MODEL_SPANS
    // PostgreSQL sums all of them sooner than it joins some accounts with each part.
    const isOfAll = database.kind === 'sqlite' && where.account === undefined && !isNarrow
    if (spans === ACCOUNT_MODEL_SPANS && isOfAll) {
      return finished(await readDearest(tables, { query, known, spans }), query)
    }
    return finished(await readSpans(tables, { query, known, spans }), query)
  })
}

interface Reading {
  readonly query: SumsQuery
  readonly known: KnownSpans
  readonly spans: SpanTable
}

async function readSpans(tables: Kysely<Tables>, { query, known, spans }: Reading): Promise<readonly SumsRow[]> {
  const { account } = query.where
  const from = stretchSums(
    spans,
    { ...query, known },
    {
      columns: columnsOf(query),
      conditions: conditionsOf(query),
      accounts: account === undefined ? null : sql`${account}`,
    },
  )
  return readRows(tables, query, { spans, from, ctes: account === undefined ? [ACCOUNT_IDS] : [] })
}

/**
 * The dearest rows of accounts and something else, of accounts in the order of what they cost: when the last row cost more
 * than all of the next account, no other account needs to be looked at.
 */
async function readDearest(tables: Kysely<Tables>, { query, known, spans }: Reading): Promise<readonly SumsRow[]> {
  const accounts = stretchSums(
    ACCOUNT_SPANS,
    { ...query, known },
    {
      columns: [sql`account_id`],
      conditions: [],
      accounts: null,
    },
  )
  const names = figureNames(ACCOUNT_SPANS)
  const from = stretchSums(
    spans,
    { ...query, known },
    {
      columns: columnsOf(query),
      conditions: [],
      accounts: sql`select account_id from dear_accounts`,
    },
  )
  for (let look = 1, size = FIRST_ACCOUNTS; look < LOOKS_LIMIT; look++, size *= MORE_ACCOUNTS) {
    const order = sql`order by cost_nano desc, account_id`
    const rows = await readRows(tables, query, {
      spans,
      from,
      ctes: [
        ACCOUNT_IDS,
        sql`accounts as (select account_id, ${addedUp(names)} from (${accounts}) account_parts group by account_id)`,
        sql`dear_accounts as (select account_id from accounts ${order} limit ${size})`,
      ],
      all: sql`accounts`,
      next: sql`select cost_nano from accounts ${order} limit 1 offset ${size}`,
    })
    const shown = rows.filter((row) => row.of === 'row')
    const next = rows.find((row) => row.of === 'next')
    const last = shown.at(-1)
    if (
      next === undefined ||
      (shown.length === query.rowsLimit && last !== undefined && last.cost_nano > next.cost_nano)
    )
      return rows
  }
  return readSpans(tables, { query, known, spans })
}

/** The sums of all and of the dearest rows, from `from`. `all`: what the sum of all is read from; `next`: one more cost. */
async function readRows(
  tables: Kysely<Tables>,
  query: SumsQuery,
  {
    spans,
    from,
    ctes,
    all = sql`grouped`,
    next,
  }: {
    readonly spans: SpanTable
    readonly from: RawBuilder<unknown>
    readonly ctes: readonly RawBuilder<unknown>[]
    readonly all?: RawBuilder<unknown>
    readonly next?: RawBuilder<unknown>
  },
): Promise<readonly SumsRow[]> {
  const names = figureNames(spans)
  const zeros = sql.join(names.map((name) => (name === 'cost_nano' ? sql`cost_nano` : sql`cast(0 as bigint)`)))
  const last = next === undefined ? sql`` : sql`union all select 'next', '', '', ${zeros} from (${next}) next_account`
  const { rows } = await sql<SumsRow>`
    with recursive ${sql.join([
      ...ctes,
      sql`grouped as (select first, second, ${addedUp(names)} from (${from}) parts group by 1, 2)`,
      sql`dearest as (
        select * from grouped order by cost_nano desc, requests desc, cost_before_nano desc, 1, 2 limit ${query.rowsLimit})`,
    ])}
    select 'all' as "of", '' as first, '' as second, ${addedUp(names)} from ${all}
    union all select 'row', dearest.* from dearest ${last}
    order by 1, cost_nano desc, requests desc, cost_before_nano desc, 2, 3`.execute(tables)
  return rows
}

function figureNames({ figures }: SpanTable): readonly string[] {
  return [...figures, ...BEFORE_FIGURES.map(beforeName)]
}

/** PostgreSQL sums integers to numeric, which would come as text. */
function addedUp(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint) as ${sql.ref(name)}`))
}

function columnsOf({ by }: ExploreQuery): readonly RawBuilder<unknown>[] {
  const [first, second] = by
  const part = (each: typeof first, name: string) =>
    sql`${each === undefined ? sql`''` : columnOf(each)} as ${sql.ref(name)}`
  return [part(first, 'first'), part(second, 'second')]
}

function columnOf(by: ExploreQuery['by'][number]): RawBuilder<unknown> {
  return sql.ref(by in COLUMNS ? COLUMNS[by as keyof typeof COLUMNS] : by)
}

/** `account` is asked for apart: by it the rows are found. */
function conditionsOf({ where }: ExploreQuery): readonly RawBuilder<unknown>[] {
  return EXPLORED_BY.flatMap((by) => {
    const value = where[by]
    return value === undefined || by === 'account' ? [] : [sql`${columnOf(by)} = ${value}`]
  })
}

/** The table of keys is found by its keys: those of the account that were used since. */
function sumsOfKeys(query: SumsQuery): RawBuilder<unknown> {
  const { fromMs, toMs, beforeFromMs, where } = query
  const { account, key } = where
  const conditions = [
    ...conditionsOf(query),
    ...(account === undefined ? [] : [sql`account_id = ${account}`]),
    ...(key !== undefined || account === undefined
      ? []
      : [sql`key_id in (${usedKeys({ accountId: account, fromMs: beforeFromMs })})`]),
  ]
  const when = (figure: string, isNow: boolean) =>
    sql`case when hour_at ${isNow ? sql`>=` : sql`<`} ${fromMs} then ${sql.ref(figure)} else 0 end`
  const figures = [
    ...columnsOf(query),
    ...ACCOUNT_MODEL_SPANS.figures.map((figure) => sql`${when(figure, true)} as ${sql.ref(figure)}`),
    ...BEFORE_FIGURES.map((figure) => sql`${when(figure, false)} as ${sql.ref(beforeName(figure))}`),
  ]
  const within = sql.join([sql`hour_at >= ${beforeFromMs}`, sql`hour_at < ${toMs}`, ...conditions], sql` and `)
  return sql`select ${sql.join(figures)} from usage_hours where ${within}`
}

function finished(rows: readonly SumsRow[], query: SumsQuery): Sums {
  return {
    total: sumsOf(
      rows.find((row) => row.of === 'all'),
      query.in,
    ),
    rows: new Map(rows.filter((row) => row.of === 'row').map((row) => [idsOf(row, query), sumsOf(row, query.in)])),
  }
}

function sumsOf(row: Figures | undefined, kept: KeptIn): ComparedSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    tokens:
      kept === 'costs'
        ? null
        : {
            input: row?.input_tokens ?? 0,
            cacheRead: row?.cache_read_tokens ?? 0,
            output: row?.output_tokens ?? 0,
          },
    costs:
      kept === 'costs'
        ? { costed: nanoUsd(row?.costed_nano ?? 0n), providerCost: nanoUsd(row?.provider_cost_nano ?? 0n) }
        : null,
    before: {
      requests: row?.requests_before ?? 0,
      failed: row?.failed_before ?? 0,
      charged: nanoUsd(row?.cost_before_nano ?? 0n),
    },
  }
}
