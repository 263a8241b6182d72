import { sql } from 'kysely'
import { DAY_MS } from '../../core/durations.ts'
import type { Database } from '../engine/database.ts'
import { figuresIn } from './key-spend.ts'
import { dayOf } from './roll-ups.ts'
import type { BucketQuery } from './whole-buckets.ts'
import type { KeySumsRange } from './whole-days.ts'

/** So many keys are looked at first, and then so many times more, until it is certain that no other was dearer. */
const FIRST_LOOK = 100
const MORE = 5
/**
 * How many looks are taken before all keys that were used in the span are summed in one statement, which takes the longer the longer
 * the span is.
 */
const LOOKS_LIMIT = 3
const LOOKS_LIMIT_OF_WEEK = 2
const WEEK_MS = 8 * DAY_MS
/** What a key spent ever says little about so short a span, in which few keys were used. */
const SHORT_MS = 2 * DAY_MS

/**
 * Returns the keys that cost most in a time, the most expensive first. What a key spent ever is known and is never less
 * than what it spent in that time: so keys are looked at in that order, and when the last place is taken by one that spent more in the span than
 * the next ones spent ever, no other key needs to be looked at.
 */
export async function topSpendingKeys(database: Database, query: BucketQuery): Promise<readonly string[]> {
  if (query.toMs - query.fromMs <= SHORT_MS) return spentByAll(database, query)
  let top: readonly KeySpending[] = []
  let place: SpendingCandidate | null = null
  const looks = query.toMs - query.fromMs <= WEEK_MS ? LOOKS_LIMIT_OF_WEEK : LOOKS_LIMIT
  for (let look = 0, size = FIRST_LOOK; look < looks; look++, size *= MORE) {
    const candidates = await nextCandidates(database, query, { after: place, size })
    const spent = await spentBy(database, query, candidates)
    top = [...top, ...spent].sort(byCost).slice(0, query.top)
    place = candidates.at(-1) ?? null
    const last = top[query.top - 1]
    const isCertain = last !== undefined && place !== null && last.cost_nano >= place.spent_nano
    if (candidates.length < size || isCertain) return top.map(({ key_id }) => key_id)
  }
  return spentByAll(database, query)
}

interface SpendingCandidate {
  readonly key_id: string
  /** Ever. */
  readonly spent_nano: bigint
}

interface KeySpending {
  readonly key_id: string
  /** What it spent in the time that is asked for. */
  readonly cost_nano: bigint
}

async function nextCandidates(
  database: Database,
  { accountId, fromMs }: BucketQuery,
  { after, size }: { readonly after: SpendingCandidate | null; readonly size: number },
): Promise<readonly SpendingCandidate[]> {
  const query = sql<SpendingCandidate>`
    select key_id, spent_nano from key_activity where last_used_at >= ${fromMs}
    ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
    ${after === null ? sql`` : sql`and (spent_nano, key_id) < (${after.spent_nano}, ${after.key_id})`}
    order by spent_nano desc, key_id desc limit ${size}`
  return (await query.execute(database.views)).rows
}

async function spentBy(
  database: Database,
  query: BucketQuery,
  candidates: readonly SpendingCandidate[],
): Promise<readonly KeySpending[]> {
  if (candidates.length === 0) return []
  const keyIds = sql.join(candidates.map(({ key_id }) => key_id))
  return spendings(database, query, { keys: keyIds })
}

/** Sums all keys that were used in a time: slow for a long one, but needed only where keys are used that never were before. */
async function spentByAll(database: Database, query: BucketQuery): Promise<readonly string[]> {
  const { accountId, groupId, model, top } = query
  const usedIn = ({ fromMs, toMs }: KeySumsRange) =>
    sql`select key_id from usage_days where day_at in (${sql.join(daysBetween(fromMs, toMs))})
      ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
      ${groupId === undefined ? sql`` : sql`and group_id = ${groupId}`}
      ${model === undefined ? sql`` : sql`and model = ${model}`}`
  const spent = await spendings(database, query, {
    keys: usedIn,
    tail: sql`order by cost_nano desc, key_id limit ${top}`,
  })
  return spent.map(({ key_id }) => key_id)
}

/** Each day by itself, so that the keys of one account are found in it. */
function daysBetween(fromMs: number, toMs: number): readonly number[] {
  const days = []
  for (let day = dayOf(fromMs); day < toMs; day += DAY_MS) days.push(day)
  return days
}

async function spendings(
  database: Database,
  query: BucketQuery,
  { keys, tail = sql`` }: { readonly keys: Parameters<typeof figuresIn>[1]; readonly tail?: ReturnType<typeof sql> },
): Promise<readonly KeySpending[]> {
  if (query.fromMs >= query.toMs) return []
  const { rows } = await sql<KeySpending>`
    select key_id, cast(sum(cost_nano) as bigint) as cost_nano from ${figuresIn(query, keys)}
    group by key_id ${tail}`.execute(database.views)
  return rows
}

function byCost(a: KeySpending, b: KeySpending): number {
  if (a.cost_nano !== b.cost_nano) return a.cost_nano < b.cost_nano ? 1 : -1
  return a.key_id < b.key_id ? -1 : 1
}
