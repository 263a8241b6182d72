import { type RawBuilder, sql } from 'kysely'
import { EXPLORED_BY, type ExploredIn, type ExploreQuery, isOfOne } from '../../metering/usage/explore.ts'
import type { Tables } from '../schema/tables.ts'
import { BEFORE_FIGURES, beforeName, type RowsSource } from './explore-rows.ts'
import { usedKeys } from './key-spend.ts'
import { dayOf } from './roll-ups.ts'
import { tagCondition } from './tag-condition.ts'
import { wholeDays } from './whole-days.ts'

/** What is asked of sums that are kept. */
export interface SumsQuery extends ExploreQuery {
  /** The beginning of the time before; where it is `fromMs`, nothing is compared. */
  readonly beforeFromMs: number
  readonly in: Exclude<ExploredIn, 'records'>
  /** How many of the most expensive rows are read; without: all of them. */
  readonly rowsLimit?: number
}

const OF_CALLERS = ['requests', 'failed', 'cost_nano', 'input_tokens', 'cache_read_tokens', 'output_tokens']
const OF_PROVIDERS = ['requests', 'failed', 'cost_nano', 'provider_cost_nano', 'costed_nano']

/** The sums of hours that a query is answered from, and those of days that stand for whole days of them. */
interface SourceTables {
  readonly hours: (keyof Tables & `usage_${string}_hours`) | 'usage_hours'
  readonly days: 'usage_days' | null
  readonly figures: readonly string[]
}

/** Whether a query adds up rows of all accounts or keys, of which there are too many to read any time of. */
export function isOfAllCallers(query: Pick<SumsQuery, 'by' | 'where' | 'in'>): boolean {
  if (isOfOne(query)) return false
  return query.in === 'keys' || (query.in === 'tokens' && query.by.includes('account'))
}

/** The roll-ups with the fewest rows that tell apart what is asked for. */
function tablesFor(query: SumsQuery): SourceTables {
  if (query.in === 'costs') return { hours: 'usage_upstream_hours', days: null, figures: OF_PROVIDERS }
  if (query.in === 'keys') return { hours: 'usage_hours', days: 'usage_days', figures: OF_CALLERS }
  if (query.where.account !== undefined) return { hours: 'usage_account_hours', days: null, figures: OF_CALLERS }
  if (!query.by.includes('account')) return { hours: 'usage_all_hours', days: null, figures: OF_CALLERS }
  return { hours: 'usage_account_hours', days: 'usage_days', figures: OF_CALLERS }
}

/** Rows of the sums that are kept, of a time of whole hours and of the time before. */
export function sourceOf(query: SumsQuery): RowsSource {
  const { beforeFromMs, fromMs, toMs } = query
  const tables = tablesFor(query)
  const ranges = [
    ...rangesOf({ fromMs: beforeFromMs, toMs: fromMs, isNow: false }, tables),
    ...rangesOf({ fromMs, toMs, isNow: true }, tables),
  ]
  const { figures } = tables
  return {
    figures,
    from: sql.join(
      ranges.map((range) => sumsIn(range, { query, figures })),
      sql` union all `,
    ),
  }
}

interface SumsRange {
  readonly fromMs: number
  readonly toMs: number
  /** Whether it is in the time that is asked for, and not in the time before. */
  readonly isNow: boolean
}

interface RangeOfTable extends SumsRange {
  readonly table: SourceTables['hours'] | 'usage_days'
  /** Whether hours of these days are looked up by the accounts or keys that the sums of the day have. */
  readonly isPartOfDay: boolean
}

/** Whole days from the sums of days where there are any, all other hours from the sums of hours. */
function rangesOf({ fromMs, toMs, isNow }: SumsRange, { hours, days }: SourceTables): readonly RangeOfTable[] {
  if (days === null) return [{ table: hours, fromMs, toMs, isNow, isPartOfDay: false }]
  return wholeDays({ fromMs, toMs }).map(({ table, ...range }) =>
    table === 'usage_days'
      ? { ...range, table, isNow, isPartOfDay: false }
      : { ...range, table: hours, isNow, isPartOfDay: true },
  )
}

function sumsIn(
  range: RangeOfTable,
  { query, figures }: { readonly query: SumsQuery; readonly figures: readonly string[] },
): RawBuilder<unknown> {
  const { table, fromMs, toMs, isNow } = range
  const counted = (figure: string, isCounted: boolean) => (isCounted ? sql.ref(figure) : sql.lit(0))
  const columns = sql.join([
    ...(query.by.includes('tag') ? [sql`key_id`] : []),
    ...columnsOf(query),
    ...figures.map((figure) => sql`${counted(figure, isNow)} as ${sql.ref(figure)}`),
    ...BEFORE_FIGURES.map((figure) => sql`${counted(figure, !isNow)} as ${sql.ref(beforeName(figure))}`),
  ])
  const time = sql.ref(table === 'usage_days' ? 'day_at' : 'hour_at')
  const conditions = [
    sql`${time} >= ${fromMs}`,
    sql`${time} < ${toMs}`,
    ...conditionsOf(query),
    ...callersIn(query, range),
  ]
  return sql`select ${columns} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
}

/** Returns whose rows are read: sums of hours are found by their key or account, and those of days by their day as well. */
function callersIn(query: SumsQuery, { fromMs, isPartOfDay }: RangeOfTable): readonly RawBuilder<unknown>[] {
  const { account, key, tag } = query.where
  const caller = sql.ref(query.in === 'keys' ? 'key_id' : 'account_id')
  const isByKey = query.in === 'keys' && account !== undefined && key === undefined
  return [
    ...(isByKey ? [sql`key_id in (${usedKeys({ accountId: account, fromMs: query.beforeFromMs })})`] : []),
    ...(isPartOfDay && !isOfOne(query)
      ? [sql`${caller} in (select ${caller} from usage_days where day_at = ${dayOf(fromMs)})`]
      : []),
    ...(account === undefined ? [] : [sql`account_id = ${account}`]),
    ...(tag === undefined ? [] : [sql`key_id in (select id from api_keys where ${tagCondition(tag)})`]),
  ]
}

const COLUMNS = {
  account: 'account_id',
  key: 'key_id',
  group: 'group_id',
  model: 'model',
  upstream: 'upstream',
  fault: 'fault',
} as const

/** The parts of a row, as `first` and `second`; that of a tag is empty until its key is known. */
function columnsOf({ by }: SumsQuery): readonly RawBuilder<unknown>[] {
  const [first, second] = by
  const part = (each: typeof first, name: string) =>
    sql`${each === undefined || each === 'tag' ? sql`''` : columnOf(each)} as ${sql.ref(name)}`
  return [part(first, 'first'), part(second, 'second')]
}

/** What is filtered by; `account` and `tag` are asked for apart: by these the rows are found. */
function conditionsOf({ where }: SumsQuery): readonly RawBuilder<unknown>[] {
  return EXPLORED_BY.flatMap((by) => {
    const value = where[by]
    return value === undefined || by === 'account' || by === 'tag' ? [] : [sql`${columnOf(by)} = ${value}`]
  })
}

function columnOf(by: ExploreQuery['by'][number]): RawBuilder<unknown> {
  return sql.ref(by in COLUMNS ? COLUMNS[by as keyof typeof COLUMNS] : by)
}
