import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/durations.ts'
import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { TimeSpan, UsageBucket } from '../../metering/usage/usage-summary.ts'
import type { ModelAnswers, OwnMultiplierCharge, RequestSubject } from '../../metering/usage/usage-store.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import type { Database } from '../engine/database.ts'
import { ownMultipliersIn } from '../schema/own-multipliers-json.ts'
import type { UsageFigures } from '../schema/roll-up-tables.ts'
import { ENDS_AT_UPSTREAMS } from './fault-blame.ts'
import { HOUR_FIGURES } from './usage-hours.ts'
import { FIGURE_SUMS, totalsOf } from './usage-sums.ts'

/** How many keys are asked for at most: a page of a list has as many. */
const KEYS_LIMIT = 200
const REQUESTS_LIMIT = 200
const SPANS_LIMIT = 10

/** See `UsageStore.totalsInSpans`: one statement, over the hours between the first and the last of them. */
export async function totalsInSpans(
  database: Database,
  accountId: string,
  spans: readonly TimeSpan[],
): Promise<readonly UsageTotals[]> {
  if (spans.length === 0) return []
  if (spans.length > SPANS_LIMIT) throw new RangeError(`1 to ${SPANS_LIMIT} spans at a time`)
  const first = Math.min(...spans.map(({ fromMs }) => fromMs))
  const last = Math.max(...spans.map(({ toMs }) => toMs))
  // Hours are few; what they are made of, by group and model, is many times that.
  const hours = sql`select hour_at, ${sql.join(FIGURE_SUMS)} from usage_account_hours
    where account_id = ${accountId} and hour_at >= ${first} and hour_at < ${last} group by hour_at`
  const figures = spans.flatMap(({ fromMs, toMs }, index) =>
    HOUR_FIGURES.map(
      (figure) =>
        sql`cast(coalesce(sum(case when hour_at >= ${fromMs} and hour_at < ${toMs} then ${sql.ref(figure)} else 0 end), 0)
          as bigint) as ${sql.ref(`${index}_${figure}`)}`,
    ),
  )
  const query = sql<Record<string, number | bigint>>`select ${sql.join(figures)} from (${hours}) hours`
  const [row = {}] = (await query.execute(database.views)).rows
  return spans.map((_, index) => totalsOf(figuresAt(row, index)))
}

function figuresAt(row: Readonly<Record<string, number | bigint>>, index: number): UsageFigures {
  return Object.fromEntries(
    HOUR_FIGURES.map((figure) => [figure, row[`${index}_${figure}`]]),
  ) as unknown as UsageFigures
}

/** See `UsageStore.totalsByModel`. Requests that named no model are left out. */
export async function totalsByModel(
  database: Database,
  accountId: string,
  sinceMs: number,
): Promise<ReadonlyMap<string, UsageTotals>> {
  const fromMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const { rows } = await sql<UsageFigures & { readonly model: string }>`
    select model, ${sql.join(FIGURE_SUMS)} from usage_account_hours
    where account_id = ${accountId} and hour_at >= ${fromMs} and model <> '' group by model`.execute(database.views)
  return new Map(rows.map((row) => [row.model, totalsOf(row)]))
}

/** See `UsageStore.lastHourOfUse`. */
export async function lastHourOfUse(database: Database, accountId: string, beforeMs: number): Promise<number | null> {
  const row = await database.views
    .selectFrom('usage_account_hours')
    .select('hour_at')
    .where('account_id', '=', accountId)
    .where('hour_at', '<', beforeMs)
    .orderBy('hour_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.hour_at ?? null
}

/** See `UsageStore.subjectsOf`. */
export async function subjectsOf(
  database: Database,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, RequestSubject>> {
  if (requestIds.length === 0) return new Map()
  if (requestIds.length > REQUESTS_LIMIT) throw new RangeError(`1 to ${REQUESTS_LIMIT} requests at a time`)
  const rows = await database.views
    .selectFrom('usage_records')
    .select(['id', 'key_id', 'key_name', 'model'])
    .where('id', 'in', requestIds)
    .execute()
  return new Map(
    rows.map(({ id, key_id: keyId, key_name: keyName, model }) => [id, { keyId, keyName, model }] as const),
  )
}

/** See `UsageStore.hasAnswered`. Mostly the first row says it. */
export async function hasAnswered(database: Database, accountId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from usage_account_hours
    where account_id = ${accountId} and requests > failed limit 1`.execute(database.views)
  return rows.length > 0
}

/** See `UsageStore.daysOfKeys`. */
export async function daysOfKeys(
  database: Database,
  keyIds: readonly string[],
  since: { readonly accountId?: string | null; readonly fromMs: number; readonly offsetMinutes: number },
): Promise<ReadonlyMap<string, readonly UsageBucket[]>> {
  if (keyIds.length === 0) return new Map()
  if (keyIds.length > KEYS_LIMIT) throw new RangeError(`1 to ${KEYS_LIMIT} keys at a time`)
  const { accountId = null, fromMs, offsetMinutes } = since
  const offsetMs = Math.floor((offsetMinutes * MINUTE_MS) / HOUR_MS) * HOUR_MS
  const isUtc = offsetMs % DAY_MS === 0
  const time = sql.ref(isUtc ? 'day_at' : 'hour_at')
  const day = isUtc ? time : sql`(${time} + ${offsetMs}) / ${DAY_MS} * ${DAY_MS} - ${offsetMs}`
  const query = sql<UsageFigures & { readonly key_id: string; readonly starts_at: number }>`
    select key_id, ${day} as starts_at, ${sql.join(FIGURE_SUMS)} from ${sql.table(isUtc ? 'usage_days' : 'usage_hours')}
    where key_id in (${sql.join(keyIds)}) and ${time} >= ${fromMs}
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`} group by 1, 2 order by 1, 2`
  const { rows } = await query.execute(database.views)
  const days = rows.map((row) => ({ keyId: row.key_id, startsAt: row.starts_at, totals: totalsOf(row) }))
  return new Map(
    [...Map.groupBy(days, ({ keyId }) => keyId)].map(([keyId, own]) => [
      keyId,
      own.map(({ startsAt, totals }) => ({ startsAt, totals })),
    ]),
  )
}

/** See `UsageStore.answersByModel`. */
export async function answersByModel(database: Database, sinceMs: number): Promise<ReadonlyMap<string, ModelAnswers>> {
  const fromMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const { rows } = await database.snapshot((tables) =>
    sql<{ readonly model: string; readonly fault: string; readonly requests: number }>`
      select model, fault, cast(sum(requests) as bigint) as requests from usage_upstream_hours
      where hour_at >= ${fromMs} and fault in (${sql.join(ENDS_AT_UPSTREAMS)}) group by model, fault`.execute(tables),
  )
  const found = new Map<string, ModelAnswers>()
  for (const { model, fault, requests } of rows) {
    const { good, failed } = found.get(model) ?? { good: 0, failed: 0 }
    found.set(model, fault === '' ? { good: good + requests, failed } : { good, failed: failed + requests })
  }
  return found
}

/** How many accounts with own multipliers are looked at. */
const ACCOUNTS_LIMIT = 1_000

/** See `UsageStore.ownMultiplierCharges`. */
export async function ownMultiplierCharges(
  database: Database,
  sinceMs: number,
): Promise<readonly OwnMultiplierCharge[]> {
  const sinceHour = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const rows = await database.snapshot((tables) =>
    tables
      .selectFrom((from) =>
        from
          .selectFrom('accounts')
          .select(['id', 'own_multipliers_json'])
          .where(sql<boolean>`own_multipliers_json <> '{}'`)
          .orderBy('id')
          .limit(ACCOUNTS_LIMIT)
          .as('favoured'),
      )
      .innerJoin('usage_account_hours as hours', 'hours.account_id', 'favoured.id')
      .where('hours.hour_at', '>=', sinceHour)
      .select(['favoured.own_multipliers_json', 'hours.group_id'])
      .select(sql<bigint>`cast(sum(hours.cost_nano) as bigint)`.as('charged_nano'))
      .groupBy(['favoured.id', 'favoured.own_multipliers_json', 'hours.group_id'])
      .execute(),
  )
  const sums = new Map<string, OwnMultiplierCharge>()
  for (const { own_multipliers_json: stored, group_id: groupId, charged_nano: charged } of rows) {
    const multiplier = ownMultipliersIn(stored).ownMultipliers?.[groupId]
    if (multiplier === undefined) continue
    const name = `${groupId} ${multiplier}`
    sums.set(name, { groupId, multiplier, charged: nanoUsd((sums.get(name)?.charged ?? 0n) + charged) })
  }
  return [...sums.values()]
}
