import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../core/durations.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import type { SummaryQuery, UsageBucket, UsageSeries, UsageSummary } from '../../metering/usage/usage-summary.ts'
import type { Database } from '../engine/database.ts'
import type { UsageFigures } from '../schema/roll-up-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { topSpendingKeys } from './top-spending-keys.ts'
import { HOUR_FIGURES } from './usage-hours.ts'
import { inWholeBuckets, type BucketQuery } from './whole-buckets.ts'
import { FIGURE_SUMS, NO_USE, together, totalsOf, without } from './usage-sums.ts'

/** See `UsageStore.summary`. Three statements at most, but for a split by key, which needs to find the keys that cost most first. */
export async function summarise(database: Database, asked: SummaryQuery): Promise<UsageSummary> {
  const query = inWholeBuckets(asked)
  if (query.split === 'key' && query.keyId === undefined) return splitByKey(database, query)
  const parts = await readParts(database, query, {
    column: query.split === null ? null : PART_COLUMNS[query.split],
  })
  const series = query.split === null ? [] : seriesOf(parts)
  return finished(query, await named(database, query, series.slice(0, query.top)), bucketsOf(parts))
}

const PART_COLUMNS = { key: 'key_id', model: 'model', group: 'group_id' } as const

interface SummaryPart {
  readonly startsAt: number
  readonly id: string
  readonly totals: UsageTotals
}

/** The sums by bucket and, where a column is named, by that. */
async function readParts(
  database: Database,
  query: BucketQuery,
  {
    column,
    keyIds = query.keyId === undefined ? [] : [query.keyId],
  }: { readonly column: string | null; readonly keyIds?: readonly string[] },
): Promise<readonly SummaryPart[]> {
  const { table, time, first } = tableFor(query, keyIds)
  const start =
    query.by === 'hour' || time === 'day_at'
      ? sql.ref(time)
      : sql`(${sql.ref(time)} + ${query.offsetMs}) / ${DAY_MS} * ${DAY_MS} - ${query.offsetMs}`
  const part = column === null ? sql`''` : sql.ref(column)
  // Added up in the order in which the rows lie, what is left to be sorted is a twentieth. Models lie last.
  const inOrder = [...first, time, ...(column === null || first.includes(column) ? [] : ['group_id'])]
  const lying = column === 'model' ? sql`` : sql`group by ${sql.join(inOrder.map((each) => sql.ref(each)))}`
  const sums = column === 'model' ? FIGURES : sql.join(FIGURE_SUMS)
  const statement = sql<UsageFigures & { readonly bucket_at: number; readonly part: string }>`
    select ${start} as bucket_at, part, ${sql.join(FIGURE_SUMS)} from (
      select ${sql.ref(time)}, ${part} as part, ${sums} from ${sql.table(table)}
      where ${sql.join(conditionsOf(query, { time, keyIds }), sql` and `)} ${lying}
    ) lying group by 1, 2 order by 1, 2`
  const { rows } = await statement.execute(database.views)
  return rows.map((row) => ({ startsAt: row.bucket_at, id: row.part, totals: totalsOf(row) }))
}

const FIGURES = sql.join(HOUR_FIGURES.map((figure) => sql.ref(figure)))

/** A roll-up, and by what its rows lie in order: what comes first, then the time. */
interface SummaryTable {
  readonly table: keyof Pick<Tables, 'usage_days' | 'usage_hours' | 'usage_all_hours' | 'usage_account_hours'>
  readonly time: 'day_at' | 'hour_at'
  readonly first: readonly string[]
}

/** The roll-up with the fewest rows that tells apart what is asked for. */
function tableFor({ accountId, by, offsetMs }: BucketQuery, keyIds: readonly string[]): SummaryTable {
  if (keyIds.length > 0) {
    const isByDay = by === 'day' && offsetMs % DAY_MS === 0
    const first = ['key_id']
    return isByDay ? { table: 'usage_days', time: 'day_at', first } : { table: 'usage_hours', time: 'hour_at', first }
  }
  if (accountId === null) return { table: 'usage_all_hours', time: 'hour_at', first: [] }
  return { table: 'usage_account_hours', time: 'hour_at', first: ['account_id'] }
}

function conditionsOf(
  { accountId, groupId, model, fromMs, toMs }: BucketQuery,
  { time, keyIds }: { readonly time: string; readonly keyIds: readonly string[] },
): readonly RawBuilder<unknown>[] {
  return [
    sql`${sql.ref(time)} >= ${fromMs}`,
    sql`${sql.ref(time)} < ${toMs}`,
    ...(accountId === null ? [] : [sql`account_id = ${accountId}`]),
    ...(keyIds.length === 0 ? [] : [sql`key_id in (${sql.join(keyIds)})`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
  ]
}

async function splitByKey(database: Database, query: BucketQuery): Promise<UsageSummary> {
  const [all, keyIds] = await Promise.all([
    readParts(database, query, { column: null }),
    topSpendingKeys(database, query),
  ])
  const parts = keyIds.length === 0 ? [] : await readParts(database, query, { column: 'key_id', keyIds })
  return finished(query, await named(database, query, seriesOf(parts)), bucketsOf(all))
}

type Unnamed = Omit<UsageSeries, 'name' | 'end'>

/** The most expensive first. */
function seriesOf(parts: readonly SummaryPart[]): readonly Unnamed[] {
  return [...Map.groupBy(parts, ({ id }) => id)]
    .map(([id, own]) => ({ id, total: sumOf(own), buckets: own.map(({ startsAt, totals }) => ({ startsAt, totals })) }))
    .sort((a, b) => (a.total.cost === b.total.cost ? (a.id < b.id ? -1 : 1) : a.total.cost < b.total.cost ? 1 : -1))
}

function bucketsOf(parts: readonly SummaryPart[]): readonly UsageBucket[] {
  const byStart = Map.groupBy(parts, ({ startsAt }) => startsAt)
  return [...byStart]
    .map(([startsAt, own]) => ({ startsAt, totals: sumOf(own) }))
    .sort((a, b) => a.startsAt - b.startsAt)
}

function sumOf(parts: readonly { readonly totals: UsageTotals }[]): UsageTotals {
  return parts.reduce((sum, { totals }) => together(sum, totals), NO_USE)
}

function finished(
  { fromMs, toMs, split }: BucketQuery,
  series: readonly UsageSeries[],
  buckets: readonly UsageBucket[],
): UsageSummary {
  const total = sumOf(buckets)
  const rest = split === null ? null : restOf({ buckets, total }, series)
  return { fromMs, toMs, total, buckets, series, rest }
}

function restOf(all: Omit<Unnamed, 'id'>, series: readonly UsageSeries[]): UsageSummary['rest'] {
  const shown = Map.groupBy(
    series.flatMap((each) => each.buckets),
    ({ startsAt }) => startsAt,
  )
  const buckets = all.buckets
    .map(({ startsAt, totals }) => ({ startsAt, totals: without(totals, sumOf(shown.get(startsAt) ?? [])) }))
    .filter(({ totals }) => totals.requests > 0)
  return buckets.length === 0 ? null : { total: sumOf(buckets), buckets }
}

/** Keys and groups are called by names that change; models by theirs. */
async function named(
  database: Database,
  { split }: BucketQuery,
  series: readonly Unnamed[],
): Promise<readonly UsageSeries[]> {
  if (split === 'model' || split === null || series.length === 0) {
    return series.map((each) => ({ ...each, name: each.id === '' ? null : each.id, end: null }))
  }
  const ids = series.map(({ id }) => id)
  const rows =
    split === 'key'
      ? await database.views
          .selectFrom('api_keys')
          .select(['id', 'name', 'secret_end as end'])
          .where('id', 'in', ids)
          .execute()
      : await database.views
          .selectFrom('groups')
          .select(['id', 'name', sql<null>`null`.as('end')])
          .where('id', 'in', ids)
          .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return series.map((each) => ({
    ...each,
    name: found.get(each.id)?.name ?? null,
    end: found.get(each.id)?.end ?? null,
  }))
}
