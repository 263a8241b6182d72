import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../engine/database.ts'
import { tagCondition } from '../tables/key-conditions.ts'
import { addedUp, columnsOf, conditionsOf, type RowsSource, type SumsQuery } from './explore-rows.ts'
import { usedKeys } from './key-spend.ts'
import { dayOf } from './roll-ups.ts'
import { tagged } from './seen-records.ts'
import { ACCOUNT_MODEL_SPANS } from './spans/span-tables.ts'
import { beforeName, BEFORE_FIGURES } from './spans/stretch-sums.ts'

const DAY_MS = 86_400_000
const { figures: FIGURES } = ACCOUNT_MODEL_SPANS

/**
 * Rows of the sums of keys, of a span and the time before. Whole days come from the days, what stands over at the ends from
 * the hours; days are found by their time where neither a key nor an account is named.
 */
export function sumsOfKeys(database: Database, query: SumsQuery): RowsSource {
  const { beforeFromMs, fromMs, toMs } = query
  const parts = sql.join(
    [
      ...partsOf(query, { fromMs: beforeFromMs, toMs: fromMs, isNow: false }),
      ...partsOf(query, { fromMs, toMs, isNow: true }),
    ],
    sql` union all `,
  )
  const source = { spans: ACCOUNT_MODEL_SPANS }
  if (!query.by.includes('tag')) return { ...source, from: parts, ctes: [] }
  const names = [...FIGURES, ...BEFORE_FIGURES.map(beforeName)]
  const ofKeys = sql`of_keys as (select first, second, key_id, ${addedUp(names)} from (${parts}) parts group by 1, 2, 3)`
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const ofTags = tagged(database, query, { name: 'of_tags', from: 'of_keys', columns })
  // A request whose key has two tags counts in both, and once in all.
  return { ...source, from: sql`select * from of_tags`, ctes: [ofKeys, ofTags], all: 'of_keys' }
}

interface Part {
  readonly fromMs: number
  readonly toMs: number
  /** In the span, and not in the time before. */
  readonly isNow: boolean
}

function partsOf(query: SumsQuery, { fromMs, toMs, isNow }: Part): readonly RawBuilder<unknown>[] {
  const firstDay = dayOf(fromMs + DAY_MS - 1)
  const lastDay = Math.max(firstDay, dayOf(toMs))
  const count = (figure: string, isCounted: boolean) => (isCounted ? sql.ref(figure) : sql.lit(0))
  const columns = sql.join([
    sql`key_id`,
    ...columnsOf(query),
    ...FIGURES.map((figure) => sql`${count(figure, isNow)} as ${sql.ref(figure)}`),
    ...BEFORE_FIGURES.map((figure) => sql`${count(figure, !isNow)} as ${sql.ref(beforeName(figure))}`),
  ])
  const part = (table: 'usage_days' | 'usage_hours', from: number, to: number) => {
    if (from >= to) return []
    const time = sql.ref(table === 'usage_days' ? 'day_at' : 'hour_at')
    const within = [
      sql`${time} >= ${from}`,
      sql`${time} < ${to}`,
      ...conditionsOf(query),
      ...keysIn(query, table, from),
    ]
    return [sql`select ${columns} from ${sql.table(table)} where ${sql.join(within, sql` and `)}`]
  }
  return [
    ...part('usage_hours', fromMs, Math.min(firstDay, toMs)),
    ...part('usage_days', firstDay, Math.min(lastDay, toMs)),
    ...part('usage_hours', lastDay, toMs),
  ]
}

/** Whose rows are read. Those of hours are found by their keys, so where none is named, by the keys of their day. */
function keysIn(
  { where, beforeFromMs }: SumsQuery,
  table: 'usage_days' | 'usage_hours',
  fromMs: number,
): readonly RawBuilder<unknown>[] {
  const { account, key, tag } = where
  const keys =
    key !== undefined
      ? []
      : account !== undefined
        ? [sql`key_id in (${usedKeys({ accountId: account, fromMs: beforeFromMs })})`]
        : table === 'usage_hours'
          ? [sql`key_id in (select key_id from usage_days where day_at = ${dayOf(fromMs)})`]
          : []
  return [
    ...keys,
    ...(account === undefined ? [] : [sql`account_id = ${account}`]),
    ...(tag === undefined ? [] : [sql`key_id in (select id from api_keys where ${tagCondition(tag)})`]),
  ]
}
