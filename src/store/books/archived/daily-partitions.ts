/** The table of usage records on PostgreSQL gets a partition for each coming day (UTC), so that a day can be dropped as a whole. */
import { sql } from 'kysely'
import { DAY_MS } from '../../../core/durations.ts'
import { timeOfId } from '../../../core/ids.ts'
import type { DaysApart } from '../../../metering/usage/retention.ts'
import type { Database, TablesTransaction } from '../../engine/database.ts'
import { hasCode, withShortLocks } from './short-locks.ts'
import { edge, FIRST_LIMIT, FIRST_PART, OTHER_PART, partOfDay, quoted, raw, usageParts } from './usage-partitions.ts'

/** The table of before has records until then. Long enough to try again for days, and to go back to an older version. */
const FIRST_DAYS = 10
/** A limit that is nearer than this is set anew. */
const NEAREST_DAYS = 3
/** So many days are ready: a gateway may be off, or an older version run, for as long. */
const DAYS_AHEAD = 14
/** What of no part is looked through before a day is made: more than this is not what it is for, and no day is made. */
const LOOK_MS = 2_000
const SHORT_MS = 10_000

/**
 * Makes the table one of parts where that is `wanted`, and the parts of the days to come where it is one. Each step is a
 * transaction that holds its locks for milliseconds; what was interrupted is taken up by the next call.
 */
export async function setDaysApart(database: Database, nowMs: number, wanted: boolean): Promise<DaysApart> {
  if (database.kind !== 'postgres') return 'no'
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  if ((await usageParts(database)) === 'plain') {
    if (!wanted) return (await withoutLimit(database)) ? 'no' : 'later'
    const made = await makeParts(database, today)
    if (made !== 'yes') return made
  }
  return (await makeDays(database, today)) ? 'yes' : 'later'
}

async function makeParts(database: Database, today: number): Promise<DaysApart> {
  const limit = await limitFrom(database, today)
  if (limit === null) return 'later'
  if (!limit.isProven) {
    try {
      // Reads the whole table, beside whatever reads and writes there.
      const proven = await withShortLocks(database, { statementMs: 0 }, async (transaction) => {
        if (!(await isPlain(transaction))) return null
        await raw(transaction, `alter table usage_records validate constraint ${FIRST_LIMIT}`)
        return true
      })
      if (proven === null) return 'later'
    } catch (error) {
      if (!hasCode(error, CHECK_VIOLATION)) throw error
      await withoutLimit(database)
      return 'refused'
    }
  }
  const parted = await withShortLocks(database, { statementMs: SHORT_MS }, async (transaction) => {
    if (!(await isPlain(transaction))) return null
    await raw(transaction, 'lock table usage_records in access exclusive mode')
    await part(transaction, limit.atMs)
    return true
  })
  return parted === null ? 'later' : 'yes'
}

const CHECK_VIOLATION = '23514'

interface PartitionBound {
  readonly atMs: number
  readonly isProven: boolean
}

/** The limit of what is there now; one that an earlier call has set is kept unless it is near. null: a lock was not to be had. */
async function limitFrom(database: Database, today: number): Promise<PartitionBound | null> {
  const before = await readLimit(database)
  if (before !== null && before.atMs >= today + NEAREST_DAYS * DAY_MS) return before
  return withShortLocks(database, { statementMs: SHORT_MS }, async (transaction) => {
    if (!(await isPlain(transaction))) return null
    const atMs = today + FIRST_DAYS * DAY_MS
    await raw(
      transaction,
      'lock table usage_records in access exclusive mode',
      `alter table usage_records drop constraint if exists ${FIRST_LIMIT}`,
      `alter table usage_records add constraint ${FIRST_LIMIT} check (id < ${edge(atMs)}) not valid`,
    )
    return { atMs, isProven: false }
  })
}

async function readLimit({ views }: Database): Promise<PartitionBound | null> {
  const { rows } = await sql<{ text: string; proven: string }>`
    select pg_get_constraintdef(oid) as text, convalidated::text as proven from pg_constraint
    where conrelid = to_regclass('usage_records') and conname = ${FIRST_LIMIT}`.execute(views)
  const [row] = rows
  const atMs = timeOfId(/'(req_\w+)'/.exec(row?.text ?? '')?.[1] ?? '')
  return row === undefined || atMs === null ? null : { atMs, isProven: row.proven === 'true' }
}

/** What a run left that was stopped for good would refuse records some day. */
async function withoutLimit(database: Database): Promise<boolean> {
  if ((await readLimit(database)) === null) return true
  const gone = await withShortLocks(database, { statementMs: SHORT_MS }, async (transaction) => {
    if (!(await isPlain(transaction))) return null
    await raw(transaction, `alter table usage_records drop constraint if exists ${FIRST_LIMIT}`)
    return true
  })
  return gone !== null
}

/** Another node may have made the parts meanwhile. */
async function isPlain(transaction: TablesTransaction): Promise<boolean> {
  const table = sql`select 1 from pg_class where oid = to_regclass('usage_records') and relkind = 'r'`
  return (await table.execute(transaction)).rows.length > 0
}

/** The table of before becomes the first part of a new one of its name, with its indexes and what others may do with it. */
async function part(transaction: TablesTransaction, limitMs: number): Promise<void> {
  const indexes = await sql<{ name: string; text: string; key: string }>`
    select c.relname as name, pg_get_indexdef(c.oid) as text, i.indisprimary::text as key
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('usage_records')`.execute(
    transaction,
  )
  const grants = await sql<{ text: string }>`
    select format('grant %s on usage_records to %s', privilege_type,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end) as text
    from pg_class, aclexplode(relacl) where oid = to_regclass('usage_records') and grantee <> relowner`.execute(
    transaction,
  )
  await raw(
    transaction,
    `alter table usage_records rename to ${FIRST_PART}`,
    ...indexes.rows.map(({ name }) => `alter index ${quoted(name)} rename to ${quoted(`first_${name}`)}`),
    `create table usage_records (like ${FIRST_PART} including defaults including storage,
      constraint usage_records_pkey primary key (id)) partition by range (id)`,
    ...indexes.rows.filter(({ key }) => key !== 'true').map(({ text }) => text),
    // Its indexes become parts of those above, and the limit proves what it has: nothing is read.
    `alter table usage_records attach partition ${FIRST_PART} for values from (minvalue) to (${edge(limitMs)})`,
    `alter table ${FIRST_PART} drop constraint ${FIRST_LIMIT}`,
    `create table ${OTHER_PART} partition of usage_records default`,
    ...grants.rows.map(({ text }) => text),
  )
}

/** False: not all of them could be made now. */
async function makeDays(database: Database, today: number): Promise<boolean> {
  const parts = await usageParts(database)
  if (parts === 'plain') return false
  for (let dayAt = today; dayAt <= today + DAYS_AHEAD * DAY_MS; dayAt += DAY_MS) {
    if (parts.some(({ fromMs, toMs }) => fromMs < dayAt + DAY_MS && dayAt < toMs)) continue
    if (!(await makeDay(database, dayAt))) return false
  }
  return true
}

/** Settlements go on meanwhile: what waits for a moment is what is of no part. */
async function makeDay(database: Database, dayAt: number): Promise<boolean> {
  const { name, fromMs, toMs } = partOfDay(dayAt)
  try {
    const made = await withShortLocks(database, { statementMs: LOOK_MS }, async (transaction) => {
      await raw(
        transaction,
        `create table ${name} (like usage_records including defaults including storage)`,
        `alter table usage_records attach partition ${name} for values from (${edge(fromMs)}) to (${edge(toMs)})`,
      )
      return true
    })
    return made !== null
  } catch (error) {
    // Some of the day are of no part already: they stay there, and all of the day with them.
    if (hasCode(error, CHECK_VIOLATION)) return true
    if (hasCode(error, QUERY_CANCELLED)) return false
    throw error
  }
}

const QUERY_CANCELLED = '57014'
