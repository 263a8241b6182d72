import type { AddAnswer, DeleteAnswer, EditAnswer, StoredUse } from '../../core/stored-edits.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing, type ChangeRecorder } from '../engine/changes.ts'
import { changedColumns, type NamedRow, type NamedTable } from './put-by-name.ts'

/** A kind of objects that people name and change by hand: its table, and how rows and objects become each other. */
export interface NamedObjects<Stored> {
  readonly table: NamedTable
  rowOf(stored: Stored): NamedRow
  /** `row`: what the database gave for this table, decoded. */
  storedOf(row: never): Stored
  /** Whether running gateways remember objects of this kind. */
  readonly isRemembered: boolean
}

export async function addNamed<Stored>(
  database: Database,
  objects: NamedObjects<Stored>,
  stored: Stored,
): Promise<AddAnswer> {
  return changing(database, async (transaction, record): Promise<AddAnswer> => {
    const inserted = await transaction
      .insertInto(oneFor(objects.table))
      .values(objects.rowOf(stored) as never)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted === undefined) return { kind: 'name_taken' }
    return { kind: 'added', seq: await tell(objects, record, inserted.id) }
  })
}

/**
 * Gives an object other values: `edit` gets it as it is, locked, and its answer is stored under the same id. What `edit`
 * throws undoes everything. It may be called again when the database gave a transaction up.
 */
export function editNamed<Stored>(
  database: Database,
  objects: NamedObjects<Stored>,
  { id, edit }: { id: string; edit: (before: Stored) => Stored },
): Promise<EditAnswer<Stored>> {
  return changing(database, async (transaction, record): Promise<EditAnswer<Stored>> => {
    const row = await lockRow(transaction, objects.table, id)
    if (row === undefined) return { kind: 'unknown' }
    if (row.is_managed) return { kind: 'managed' }
    const before = objects.storedOf(row as never)
    const after = objects.rowOf(edit(before))
    const changed = changedColumns(after, row)
    if (changed.length === 0) return { kind: 'edited', before, after: before, seq: null }
    if (after.name !== row.name && (await isTaken(transaction, objects.table, after.name))) {
      return { kind: 'name_taken' }
    }
    await transaction
      .updateTable(oneFor(objects.table))
      .set(Object.fromEntries(changed) as never)
      .where('id', '=', id)
      .execute()
    const stored = await lockRow(transaction, objects.table, id)
    const seq = await tell(objects, record, id)
    return { kind: 'edited', before, after: objects.storedOf(stored as never), seq }
  })
}

/** Deletes an object that nothing uses any more; `usesOf` looks, while the object is locked. */
export function deleteNamed<Stored>(
  database: Database,
  objects: NamedObjects<Stored>,
  {
    id,
    usesOf,
  }: { id: string; usesOf: (transaction: TablesTransaction, stored: Stored) => Promise<readonly StoredUse[]> },
): Promise<DeleteAnswer<Stored>> {
  return changing(database, async (transaction, record): Promise<DeleteAnswer<Stored>> => {
    const row = await lockRow(transaction, objects.table, id)
    if (row === undefined) return { kind: 'unknown' }
    if (row.is_managed) return { kind: 'managed' }
    const before = objects.storedOf(row as never)
    const uses = (await usesOf(transaction, before)).filter(({ count }) => count > 0)
    if (uses.length > 0) return { kind: 'in_use', uses }
    await transaction.deleteFrom(oneFor(objects.table)).where('id', '=', id).execute()
    return { kind: 'deleted', before, seq: await tell(objects, record, id) }
  })
}

/** Names that are said when something is in use. */
export const NAMED_USES = 5

/** The tables differ in their columns, and all that is said here holds for each: one of them stands for all. */
function oneFor(table: NamedTable): 'groups' {
  return table as 'groups'
}

function lockRow(transaction: TablesTransaction, table: NamedTable, id: string) {
  return transaction.selectFrom(oneFor(table)).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

async function isTaken(transaction: TablesTransaction, table: NamedTable, name: string): Promise<boolean> {
  const row = await transaction.selectFrom(oneFor(table)).select('id').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

async function tell(
  { isRemembered }: Pick<NamedObjects<never>, 'isRemembered'>,
  record: ChangeRecorder,
  id: string,
): Promise<number | null> {
  return isRemembered ? (await record('catalog', id)).seq : null
}
