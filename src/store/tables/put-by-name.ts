import type { TablesTransaction } from '../engine/database.ts'

export type NamedTable = 'groups' | 'models' | 'upstreams' | 'plans'

/** A row as it is written; JSON columns are text. */
export type NamedRow = { readonly id: string; readonly name: string } & Readonly<Record<string, unknown>>

/** Decided once, when the row was added. */
const KEPT_COLUMNS = ['id', 'created_at']

/**
 * Adds a row, or gives the row of the same name these values; that one keeps its id. Returns its id, or null when nothing was
 * different.
 */
export async function putByName(
  transaction: TablesTransaction,
  table: NamedTable,
  row: NamedRow,
): Promise<string | null> {
  // The four tables differ in their columns, and all that is said here holds for each: one of them stands for all.
  const name = table as 'groups'
  const inserted = await transaction
    .insertInto(name)
    .values(row as never)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return inserted.id
  const stored = await transaction
    .selectFrom(name)
    .selectAll()
    .where('name', '=', row.name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const changed = changedColumns(row, stored)
  if (changed.length === 0) return null
  await transaction
    .updateTable(name)
    .set(Object.fromEntries(changed) as never)
    .where('id', '=', stored.id)
    .execute()
  return stored.id
}

/** The columns in which a row is to be other than it is stored, with what is to stand there. */
export function changedColumns(row: NamedRow, stored: object): readonly (readonly [string, unknown])[] {
  return Object.entries(row).filter(([column, value]) => isDifferent(column, value, stored))
}

function isDifferent(column: string, value: unknown, stored: object): boolean {
  if (KEPT_COLUMNS.includes(column)) return false
  const before = (stored as Readonly<Record<string, unknown>>)[column]
  if (!column.endsWith('_json') || before === null) return before !== value
  return JSON.stringify(before) !== value
}
