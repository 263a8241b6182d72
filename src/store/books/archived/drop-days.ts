/** Days of usage records that are parts of PostgreSQL's table of their own go as a whole, without a row being deleted. */
import { type Selectable, sql } from 'kysely'
import { DAY_MS } from '../../../core/durations.ts'
import type { DayToDrop, DroppedDay } from '../../../metering/usage/retention.ts'
import type { Database, TablesTransaction } from '../../engine/database.ts'
import type { UsageRow } from '../../schema/tables.ts'
import { idOfLine, lineOf } from './archive-lines.ts'
import { addSums, type GoneSums, keepSums, noSums } from './day-sums.ts'
import { isLocked, withShortLocks } from './short-locks.ts'
import { type UsagePart, raw, usageParts } from './usage-partitions.ts'

/** Rows that are compared before requests are served again. */
const PORTION = 100
const SHORT_MS = 10_000
const TRIES = 5

/**
 * Drops the part of a day if each row in it is exactly as a line of the archive says, and keeps the sums of them in the same
 * transaction.
 */
export async function dropDay(database: Database, day: DayToDrop): Promise<DroppedDay> {
  if (database.kind !== 'postgres') return 'by_lines'
  const parts = await usageParts(database)
  const part = parts === 'plain' ? undefined : parts.find(({ fromMs }) => fromMs === day.dayAt)
  if (part === undefined || part.toMs !== day.dayAt + DAY_MS) return 'by_lines'
  const dropped = await withShortLocks<DroppedDay>(database, { statementMs: SHORT_MS }, async (transaction) => {
    // Writers of that day alone wait, and there are none but those that come a day late.
    await raw(transaction, `lock table ${part.name} in share mode`)
    const sums = await provenSums(transaction, part, day)
    if (sums === null) return 'by_lines'
    for (let tries = 1; ; tries++) {
      if (await droppedIn(transaction, part, sums)) return countOf(sums)
      if (tries === TRIES) return 'later'
      await day.between()
    }
  })
  return dropped ?? 'later'
}

/** Takes away parts that end before `beforeMs` and have nothing left in them. Returns how many went. */
export async function dropEmptyDays(database: Database, beforeMs: number): Promise<number> {
  if (database.kind !== 'postgres') return 0
  const parts = await usageParts(database)
  let dropped = 0
  for (const { name, toMs } of parts === 'plain' ? [] : parts) {
    if (toMs > beforeMs || !(await isEmpty(database.views, name))) continue
    const gone = await withShortLocks(database, { statementMs: SHORT_MS }, async (transaction) => {
      await raw(transaction, 'lock table usage_records in access exclusive mode')
      if (!(await isEmpty(transaction, name))) return false
      await raw(transaction, `drop table ${name}`)
      return true
    })
    if (gone === true) dropped++
  }
  return dropped
}

async function isEmpty(queries: Pick<Database, 'views'>['views'], name: string): Promise<boolean> {
  return (await sql`select id from ${sql.table(name)} order by id limit 1`.execute(queries)).rows.length === 0
}

/** The sums of all rows, if the archive has each of them as it is; both are in the order of their ids. */
async function provenSums(transaction: TablesTransaction, part: UsagePart, day: DayToDrop): Promise<GoneSums | null> {
  const lines = linesOf(day)
  const sums = noSums()
  for (let after = ''; ;) {
    const query = sql<Selectable<UsageRow>>`select * from ${sql.table(part.name)} where id > ${after}
      order by id limit ${PORTION}`
    const { rows } = await query.execute(transaction)
    for (const row of rows) {
      if ((await lineAbout(row.id, lines)) !== lineOf(row)) return null
    }
    addSums(sums, rows)
    const last = rows.at(-1)
    if (rows.length < PORTION || last === undefined) return sums
    after = last.id
    await day.between()
  }
}

async function* linesOf(day: DayToDrop): AsyncGenerator<string> {
  for await (const portion of day.lines()) yield* portion
}

/** The next line that is about that row. Lines before it are about rows that are gone already. */
async function lineAbout(id: string, lines: AsyncGenerator<string>): Promise<string | null> {
  for (;;) {
    const next = await lines.next()
    if (next.done === true) return null
    const of = idOfLine(next.value)
    if (of === id) return next.value
    if (of > id) return null
  }
}

/** Budgets come before tables, as in a settle. False: others had the table, and nothing was done. */
async function droppedIn(transaction: TablesTransaction, part: UsagePart, sums: GoneSums): Promise<boolean> {
  await raw(transaction, 'savepoint kept')
  try {
    await keepSums(transaction, 'usage', sums)
    await raw(transaction, `drop table ${part.name}`)
    return true
  } catch (error) {
    if (!isLocked(error)) throw error
    await raw(transaction, 'rollback to savepoint kept')
    return false
  }
}

function countOf({ days }: GoneSums): number {
  return [...days.values()].reduce((sum, figures) => sum + Number(figures[0] ?? 0n), 0)
}
