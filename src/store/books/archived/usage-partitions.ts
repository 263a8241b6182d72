/** The parts of PostgreSQL's table of usage records, once it is one of parts: see `daily-partitions.ts`. */
import { sql } from 'kysely'
import { DAY_MS } from '../../../core/durations.ts'
import { firstIdAt, timeOfId } from '../../../core/ids.ts'
import type { Database, TablesTransaction } from '../../engine/database.ts'

/** What was there before there were days; ends where the first day begins. */
export const FIRST_PART = 'usage_first'
/** What belongs to no part: of a clock that is wrong, or of a day that is gone. */
export const OTHER_PART = 'usage_other'
/** Keeps records of later days out of what becomes the first part, while that is being made. */
export const FIRST_LIMIT = 'usage_first_limit'

/** Epoch milliseconds, from the first that belongs to it to the first that does not. */
export interface UsagePart {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

/** Whether the table is plain, or in parts, which are then the ones with bounds, oldest first. */
export async function usageParts({ views }: Database): Promise<readonly UsagePart[] | 'plain'> {
  const table = sql<{ relkind: string }>`select relkind from pg_class where oid = to_regclass('usage_records')`
  if ((await table.execute(views)).rows[0]?.relkind !== 'p') return 'plain'
  const parts = sql<{ name: string; bounds: string }>`
    select part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bounds
    from pg_inherits join pg_class part on part.oid = inhrelid where inhparent = to_regclass('usage_records')`
  const { rows } = await parts.execute(views)
  return rows.flatMap(({ name, bounds }) => boundsOf(name, bounds)).toSorted((a, b) => a.fromMs - b.fromMs)
}

function boundsOf(name: string, bounds: string): readonly UsagePart[] {
  const found = /^FOR VALUES FROM \((.*)\) TO \('(.*)'\)$/.exec(bounds)
  if (found === null) return []
  const toMs = timeOfId(found[2] ?? '')
  const fromMs = found[1] === 'MINVALUE' ? 0 : timeOfId((found[1] ?? '').replaceAll("'", ''))
  return toMs === null || fromMs === null ? [] : [{ name, fromMs, toMs }]
}

export function partOfDay(dayAt: number): UsagePart {
  const day = new Date(dayAt).toISOString().slice(0, 10).replaceAll('-', '')
  return { name: `usage_day_${day}`, fromMs: dayAt, toMs: dayAt + DAY_MS }
}

/** Writes a moment as a literal: bounds take no parameters. */
export function edge(ms: number): string {
  return `'${firstIdAt('req', ms)}'`
}

/** Runs statements without parameters, of names that are made here or by the server. */
export async function raw(transaction: TablesTransaction, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(transaction)
}

/** A name as SQL has it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
