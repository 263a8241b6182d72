import { type RawBuilder, sql } from 'kysely'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { KeySpend, KeySpendPage, KeySpendQuery } from '../../metering/usage/key-spend.ts'
import type { Database } from '../engine/database.ts'
import type { UsageFigures } from '../schema/roll-up-tables.ts'
import { tagCondition } from './tag-condition.ts'
import { FIGURE_SUMS, totalsOf } from './usage-sums.ts'
import { type KeySumsRange, wholeDays } from './whole-days.ts'

const PAGE_LIMIT = 200

type KeySpendRow = UsageFigures & {
  readonly key_id: string
  readonly name: string | null
  readonly secret_start: string | null
  readonly secret_end: string | null
  readonly tags_json: readonly string[] | null
  readonly sort_text: string
  readonly keys_in_all: number
  readonly cost_in_all_nano: bigint
}

/** See `UsageStore.keySpend`. Two statements: the sums of all keys with a page of them, and that page before the span. */
export async function keySpendOf(database: Database, query: KeySpendQuery): Promise<KeySpendPage> {
  const { limit } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT) {
    throw new RangeError(`a page has 1 to ${PAGE_LIMIT} keys, not ${limit}`)
  }
  const { fromMs, toMs, beforeFromMs } = wholeHours(query)
  const rows = await readRows(database, { ...query, fromMs, toMs })
  const shown = rows.slice(0, limit)
  const before = await costs(database, { ...query, fromMs: beforeFromMs, toMs: fromMs }, shown)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    fromMs,
    toMs,
    beforeFromMs,
    keys: shown.map((row) => keySpend(row, before.get(row.key_id))),
    next: last === undefined ? null : { value: last.sort_text, id: last.key_id },
    keysInAll: rows[0]?.keys_in_all ?? 0,
    costInAll: nanoUsd(rows[0]?.cost_in_all_nano ?? 0n),
  }
}

/** The span, widened to whole hours, and where one as long before it begins. */
export function wholeHours(span: Pick<KeySpendQuery, 'fromMs' | 'toMs'>) {
  const fromMs = Math.floor(span.fromMs / HOUR_MS) * HOUR_MS
  const toMs = Math.max(fromMs + HOUR_MS, Math.ceil(span.toMs / HOUR_MS) * HOUR_MS)
  return { fromMs, toMs, beforeFromMs: fromMs - (toMs - fromMs) }
}

function keySpend(row: KeySpendRow, costBefore: bigint | undefined): KeySpend {
  const { balancePaid: _, ...totals } = totalsOf(row)
  return {
    keyId: row.key_id,
    name: row.name,
    secretStart: row.secret_start,
    secretEnd: row.secret_end,
    tags: row.tags_json ?? [],
    totals,
    costBefore: costBefore === undefined ? ZERO_NANO_USD : nanoUsd(costBefore),
  }
}

const SORT_VALUES: Readonly<Record<KeySpendQuery['orderBy'], RawBuilder<unknown>>> = {
  cost: sql`sums.cost_nano`,
  requests: sql`sums.requests`,
  tokens: sql`sums.input_tokens + sums.output_tokens`,
  name: sql`coalesce(api_keys.name_lower, '')`,
}

type SpendRange = Pick<KeySpendQuery, 'fromMs' | 'toMs' | 'groupId' | 'model'>

async function readRows(database: Database, query: KeySpendQuery): Promise<readonly KeySpendRow[]> {
  const { orderBy, isDescending, after, limit } = query
  const value = SORT_VALUES[orderBy]
  const direction = isDescending ? sql`desc` : sql`asc`
  const sign = isDescending ? sql`<` : sql`>`
  const place = after === null ? null : orderBy === 'name' ? after.value : BigInt(after.value)
  const behind = after === null ? sql`` : sql`where (${value}, sums.key_id) ${sign} (${place}, ${after.id})`
  const used = query.tag === undefined ? usedKeys(query) : taggedKeys(query, query.tag)
  const { rows } = await sql<KeySpendRow>`
    with sums as (select key_id, ${sql.join(FIGURE_SUMS)} from ${figuresIn(query, used)} group by key_id)
    select sums.*, api_keys.name, api_keys.secret_start, api_keys.secret_end, api_keys.tags_json,
      cast(${value} as text) as sort_text,
      (select count(*) from sums) as keys_in_all,
      (select cast(sum(cost_nano) as bigint) from sums) as cost_in_all_nano
    from sums left join api_keys on api_keys.id = sums.key_id ${behind}
    order by ${value} ${direction}, sums.key_id ${direction} limit ${limit + 1}`.execute(database.views)
  return rows
}

/** Keys without use since then were not used in the span. */
export function usedKeys({ accountId, fromMs }: Pick<KeySpendQuery, 'accountId' | 'fromMs'>): RawBuilder<unknown> {
  return sql`select key_id from key_activity where account_id = ${accountId} and last_used_at >= ${fromMs}`
}

function taggedKeys(query: Pick<KeySpendQuery, 'accountId' | 'fromMs'>, tag: string): RawBuilder<unknown> {
  return sql`select id from api_keys where id in (${usedKeys(query)}) and ${tagCondition(tag)}`
}

async function costs(
  database: Database,
  span: SpendRange,
  keys: readonly Pick<KeySpendRow, 'key_id'>[],
): Promise<ReadonlyMap<string, bigint>> {
  if (keys.length === 0) return new Map()
  const ids = sql.join(keys.map(({ key_id }) => key_id))
  const { rows } = await sql<{ readonly key_id: string; readonly cost_nano: bigint }>`
    select key_id, cast(sum(cost_nano) as bigint) as cost_nano from ${figuresIn(span, ids)} group by key_id`.execute(
    database.views,
  )
  return new Map(rows.map((row) => [row.key_id, row.cost_nano]))
}

/** The figures of keys in a time of whole hours. `keys`: which keys are read, or those of one part of the time. */
export function figuresIn(
  { fromMs, toMs, groupId, model }: SpendRange,
  keys: RawBuilder<unknown> | ((range: KeySumsRange) => RawBuilder<unknown>),
): RawBuilder<unknown> {
  const parts = wholeDays({ fromMs, toMs }).map((range) => {
    const time = sql.ref(range.time)
    return sql`select key_id, requests, failed, input_tokens, cache_read_tokens, output_tokens, cost_nano, balance_paid_nano
      from ${sql.table(range.table)} where key_id in (${typeof keys === 'function' ? keys(range) : keys})
      and ${time} >= ${range.fromMs} and ${time} < ${range.toMs}
      ${groupId === undefined ? sql`` : sql`and group_id = ${groupId}`}
      ${model === undefined ? sql`` : sql`and model = ${model}`}`
  })
  return sql`(${sql.join(parts, sql` union all `)}) figures`
}
