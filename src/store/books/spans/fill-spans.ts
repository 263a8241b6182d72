import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SpanSums } from '../../../metering/usage/span-sums.ts'
import type { Database } from '../../engine/database.ts'
import type { Tables } from '../../schema/tables.ts'
import { readKnownSpans } from './known-spans.ts'
import { isGood, type KnownSpans, madeName, requestsIn, shorterThan, type Stretch } from './span-plan.ts'
import {
  ACCOUNT_MODEL_SPANS,
  ACCOUNT_SPANS,
  HOUR_MS,
  OTHERS,
  SPAN_TABLES,
  type SpanTable,
  WINDOW_MS,
} from './span-tables.ts'

/** A span is made when it has been over for so long; what settles later makes it anew. */
const REST_MS = 600_000
/**
 * Accounts whose rows are written with one statement, for which settlements on the embedded database wait: as many as take
 * about so long.
 */
const ACCOUNTS_AT_ONCE = { fewest: 25, first: 100, most: 2_000 }
const WRITE_MS = { short: 4, long: 10 }
/** Any number that is not used otherwise on that server as an advisory lock. */
const LOCK = 7_655_642_839

/** See `SpanSums`. */
export function spanSumsOf(database: Database): SpanSums {
  return {
    async oldestWindow() {
      const { rows } = await sql<{ readonly hour_at: number | null }>`
        select min(hour_at) as hour_at from usage_all_hours`.execute(database.views)
      const oldest = rows[0]?.hour_at ?? null
      return oldest === null ? null : Math.floor(oldest / WINDOW_MS) * WINDOW_MS
    },
    fillWindow: (atMs, by) => fillWindow(database, Math.floor(atMs / WINDOW_MS) * WINDOW_MS, by),
  }
}

type FillOptions = Parameters<SpanSums['fillWindow']>[1]

async function fillWindow(database: Database, windowAt: number, by: FillOptions): Promise<number> {
  const toMs = Math.min(windowAt + WINDOW_MS, Math.floor((by.nowMs - REST_MS) / HOUR_MS) * HOUR_MS)
  if (toMs <= windowAt) return 0
  const window = { fromMs: windowAt, toMs }
  let made = 0
  for (const spans of SPAN_TABLES) {
    for (const lengthMs of spans.lengths) {
      // Shorter ones that were made just now are what these are made of.
      const known = await readKnownSpans(database.views, window)
      for (const stretch of stretchesToFill(spans, { lengthMs, window }, known)) {
        made += await fill(database, { spans, lengthMs, stretch }, by)
      }
    }
  }
  return made
}

/** Spans of one length that are not good: those that are made of hours together by the day, longer ones one by one. */
function stretchesToFill(
  spans: SpanTable,
  { lengthMs, window }: { readonly lengthMs: number; readonly window: Stretch },
  known: KnownSpans,
): readonly Stretch[] {
  const found: Stretch[] = []
  const togetherMs = Math.max(lengthMs, 24 * HOUR_MS)
  for (let at = window.fromMs; at + lengthMs <= window.toMs; at += lengthMs) {
    if (isGood(spans, { lengthMs, startsAt: at }, known)) continue
    if (!hasGoodParts(spans, { lengthMs, startsAt: at }, known)) continue
    const last = found.at(-1)
    const isTogether = last?.toMs === at && Math.floor(last.fromMs / togetherMs) === Math.floor(at / togetherMs)
    if (isTogether) found[found.length - 1] = { ...last, toMs: at + lengthMs }
    else found.push({ fromMs: at, toMs: at + lengthMs })
  }
  return found
}

function hasGoodParts(
  spans: SpanTable,
  { lengthMs, startsAt }: { readonly lengthMs: number; readonly startsAt: number },
  known: KnownSpans,
): boolean {
  const partMs = shorterThan(spans, lengthMs)
  if (partMs === null) return true
  for (let at = startsAt; at < startsAt + lengthMs; at += partMs) {
    if (!isGood(spans, { lengthMs: partMs, startsAt: at }, known)) return false
  }
  return true
}

interface Filling {
  readonly spans: SpanTable
  readonly lengthMs: number
  readonly stretch: Stretch
}

/** Returns how many spans it made: none where another node is at it, or something settled into them meanwhile. */
async function fill(database: Database, filling: Filling, by: FillOptions): Promise<number> {
  if (by.signal.aborted) return 0
  const { source } = filling.spans
  const accounts = source === 'usage_account_hours' ? await readAccounts(database) : []
  if (database.kind === 'postgres') {
    // Nothing waits for this transaction but others that fill.
    return database.transaction(async (transaction) => {
      const { rows } = await sql<{ is_free: boolean }>`
        select cast(pg_try_advisory_xact_lock(${LOCK}) as int)::bigint as is_free`.execute(transaction)
      if (rows[0]?.is_free !== true) return 0
      const known = await readKnownSpans(transaction, filling.stretch)
      await write(transaction, filling, ALL)
      return note(transaction, filling, known)
    })
  }
  const known = await readKnownSpans(database.views, filling.stretch)
  for (let at = 0, size = ACCOUNTS_AT_ONCE.first; at <= accounts.length;) {
    if (by.signal.aborted) return 0
    const next = at + size
    const began = by.elapsed()
    // The last portion has those that came meanwhile as well.
    await write(database.kysely, filling, { after: accounts[at - 1] ?? '', upTo: accounts[next - 1] ?? null })
    const tookMs = by.elapsed() - began
    at = next
    if (tookMs < WRITE_MS.short) size = Math.min(size * 2, ACCOUNTS_AT_ONCE.most)
    if (tookMs > WRITE_MS.long) size = Math.max(Math.floor(size / 2), ACCOUNTS_AT_ONCE.fewest)
    await by.pause(tookMs)
  }
  return database.transaction((transaction) => note(transaction, filling, known))
}

/**
 * Notes which spans are made: those of which no hour got another request since before the first row was written. Rows of
 * others stand for nothing until they are written anew. They are never deleted: sums of hours only grow.
 */
async function note(
  tables: Kysely<Tables>,
  { spans, lengthMs, stretch }: Filling,
  before: KnownSpans,
): Promise<number> {
  const after = await readKnownSpans(tables, stretch)
  let made = 0
  for (let at = stretch.fromMs; at < stretch.toMs; at += lengthMs) {
    const requests = requestsIn(after, at, at + lengthMs)
    if (requests !== requestsIn(before, at, at + lengthMs)) continue
    if (!hasGoodParts(spans, { lengthMs, startsAt: at }, before)) continue
    if (after.made.get(madeName(spans, lengthMs, at)) === requests) continue
    await sql`insert into usage_spans (starts_at, of_table, span_ms, requests)
      values (${at}, ${spans.table}, ${lengthMs}, ${requests})
      on conflict (starts_at, of_table, span_ms) do update set requests = excluded.requests`.execute(tables)
    made++
  }
  return made
}

/** Accounts behind one, up to another; null: all there are. */
interface Portion {
  readonly after: string
  readonly upTo: string | null
}

const ALL: Portion = { after: '', upTo: null }

async function readAccounts(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with recursive ${accountIds(ALL)} select id from account_ids where id is not null`.execute(database.views)
  return rows.map(({ id }) => id)
}

/** `account_ids (id)`: the accounts of the hours, each found by the one before, and at last null. */
export function accountIds({ after, upTo }: Portion): RawBuilder<unknown> {
  const end = upTo === null ? sql`` : sql`and account_id <= ${upTo}`
  return sql`account_ids (id) as (
    select min(account_id) from usage_account_hours where account_id > ${after} ${end}
    union all
    select (select min(account_id) from usage_account_hours where account_id > account_ids.id ${end})
    from account_ids where account_ids.id is not null)`
}

/** In the order in which rows are read: those of a span, and of an account in it, lie together. */
async function write(tables: Kysely<Tables>, filling: Filling, portion: Portion): Promise<void> {
  const { spans, lengthMs, stretch } = filling
  const { table, columns, figures } = spans
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const sums = figures.map((figure) => sql`cast(sum(${sql.ref(figure)}) as bigint) as ${sql.ref(figure)}`)
  const partMs = shorterThan(spans, lengthMs)
  const from = partMs === null ? ofHours(spans, stretch) : ofParts(spans, { partMs, stretch }, portion)
  const time = sql.ref(partMs === null ? 'hour_at' : 'starts_at')
  const isByAccount = partMs === null && spans.source === 'usage_account_hours'
  const startsAt = sql`${time} - ${time} % ${sql.lit(lengthMs)}`
  const summed = sql`select ${startsAt} as starts_at, ${names}, ${sql.join(sums)} from ${from} group by 1, ${names}`
  const others = hasOthers(spans, lengthMs) ? othersOf(filling, portion) : null
  const written = [...figures, ...(others === null ? [] : Object.values(OTHERS))].map((name) => sql.ref(name))
  await sql`${isByAccount ? sql`with recursive ${accountIds(portion)}` : sql``}
    insert into ${sql.table(table)} (span_ms, starts_at, ${names}, ${sql.join(written)})
    select cast(${lengthMs} as bigint), starts_at, ${names}, ${sql.join(written.map((name) => sql`coalesce(${name}, 0)`))}
    from (${summed}) summed ${others ?? sql``} where true
    order by starts_at, ${names}
    on conflict (span_ms, starts_at, ${names}) do update set
      ${sql.join(written.map((name) => sql`${name} = excluded.${name}`))}`.execute(tables)
}

/** Spans of accounts beside which there are those of their models. */
function hasOthers({ table }: SpanTable, lengthMs: number): boolean {
  return table === ACCOUNT_SPANS.table && ACCOUNT_MODEL_SPANS.lengths.includes(lengthMs)
}

/**
 * Joins what all models and groups of an account but the dearest cost, by the sums of models as they are. These may be older,
 * which is as good: whatever is added to the dearest or to others, the others did not cost less.
 */
function othersOf({ lengthMs, stretch }: Filling, portion: Portion): RawBuilder<unknown> {
  const within = withinSpans(lengthMs, stretch, portion)
  const join = (by: string, name: string) => sql`left join (
    select starts_at, account_id, cast(sum(cost_nano) - max(cost_nano) as bigint) as ${sql.ref(name)}
    from (select starts_at, account_id, sum(cost_nano) as cost_nano from ${sql.table(ACCOUNT_MODEL_SPANS.table)}
      where ${within} group by starts_at, account_id, ${sql.ref(by)}) costs
    group by starts_at, account_id) of_${sql.raw(by)} using (starts_at, account_id)`
  return sql`${join('model', OTHERS.model)} ${join('group_id', OTHERS.group)}`
}

function ofHours({ source }: SpanTable, { fromMs, toMs }: Stretch): RawBuilder<unknown> {
  const within = sql`hour_at >= ${fromMs} and hour_at < ${toMs}`
  if (source === 'usage_upstream_hours') return sql`usage_upstream_hours where ${within}`
  return sql`account_ids cross join usage_account_hours where account_id = account_ids.id and ${within}`
}

function ofParts(
  { table }: SpanTable,
  { partMs, stretch }: { readonly partMs: number; readonly stretch: Stretch },
  portion: Portion,
): RawBuilder<unknown> {
  return sql`${sql.table(table)} where ${withinSpans(partMs, stretch, portion)}`
}

/** Each span by itself, so that the accounts are found in it. */
function withinSpans(lengthMs: number, { fromMs, toMs }: Stretch, { after, upTo }: Portion): RawBuilder<unknown> {
  const starts: number[] = []
  for (let at = fromMs; at < toMs; at += lengthMs) starts.push(at)
  return sql`span_ms = ${lengthMs} and starts_at in (${sql.join(starts)})
    and account_id > ${after} ${upTo === null ? sql`` : sql`and account_id <= ${upTo}`}`
}
