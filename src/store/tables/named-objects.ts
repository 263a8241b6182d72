import type { Change } from '../../access/changes.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer, StoredUse } from '../../core/stored-edits.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing, type ChangeRecorder } from '../engine/changes.ts'
import { lockRow } from '../engine/rows-by-id.ts'

/** A row as it is written; JSON columns are text. */
export type NamedRow = { readonly id: string; readonly name: string } & Readonly<Record<string, unknown>>

/** A kind of objects that people name and change by hand: its table, and how rows and objects become each other. */
export interface NamedObjects<Stored> {
  readonly table: 'groups' | 'models' | 'upstreams' | 'plans'
  rowOf(stored: Stored): NamedRow
  /** `row`: what the database gave for this table, decoded. */
  storedOf(row: never): Stored
  /** Whether running gateways remember objects of this kind. */
  readonly isRemembered: boolean
}

/** Names that are said when something is in use. */
export const NAMED_USES = 5

/** Reads and changes the objects of one kind. */
export function namedObjects<Stored>(database: Database, objects: NamedObjects<Stored>) {
  const { rowOf, isRemembered } = objects
  // The four tables differ in their columns, and all that is said here holds for each: one of them stands for all.
  const table = objects.table as 'groups'
  const storedOf = (row: object) => objects.storedOf(row as never)
  const tell = async (record: ChangeRecorder, id: string) => (isRemembered ? record('catalog', id) : null)
  return {
    all: async (): Promise<readonly Stored[]> => {
      const rows = await database.kysely.selectFrom(table).selectAll().orderBy('name').execute()
      return rows.map(storedOf)
    },

    /**
     * Adds an object, or gives the one of the same name these values; that one keeps its id. null: nothing was different.
     * `change`: null where no gateway remembers such objects.
     */
    put: (stored: Stored): Promise<{ readonly change: Change | null } | null> =>
      changing(database, async (transaction, record) => {
        const id = await putByName(transaction, table, rowOf(stored))
        return id === null ? null : { change: await tell(record, id) }
      }),

    add: (stored: Stored): Promise<AddAnswer> =>
      changing(database, async (transaction, record): Promise<AddAnswer> => {
        const id = await insertNew(transaction, table, rowOf(stored))
        if (id === undefined) return { kind: 'name_taken' }
        return { kind: 'added', seq: (await tell(record, id))?.seq ?? null }
      }),

    /**
     * Gives an object other values: `edit` gets it as it is, locked, and its answer is stored under the same id. What `edit`
     * throws undoes everything. It may be called again when the database gave a transaction up. `alongWith` changes in the same
     * transaction what depends on the object.
     */
    edit: (
      id: string,
      edit: (before: Stored) => Stored,
      alongWith?: (transaction: TablesTransaction, change: { before: Stored; after: Stored }) => Promise<void>,
    ): Promise<EditAnswer<Stored>> =>
      changing(database, async (transaction, record): Promise<EditAnswer<Stored>> => {
        const row = await lockRow(transaction, table, id)
        if (row === undefined) return { kind: 'unknown' }
        if (row.is_managed) return { kind: 'managed' }
        const before = storedOf(row)
        const after = rowOf(edit(before))
        const changed = changedColumns(after, row)
        if (changed.length === 0) return { kind: 'edited', before, after: before, seq: null }
        if (after.name !== row.name && (await isTaken(transaction, table, after.name))) return { kind: 'name_taken' }
        await writeColumns(transaction, table, { id, changed })
        const stored = storedOf((await lockRow(transaction, table, id)) as object)
        await alongWith?.(transaction, { before, after: stored })
        return { kind: 'edited', before, after: stored, seq: (await tell(record, id))?.seq ?? null }
      }),

    /** Deletes an object that nothing uses any more; `usesOf` looks, while the object is locked. */
    remove: (
      id: string,
      usesOf: (transaction: TablesTransaction, stored: Stored) => Promise<readonly StoredUse[]>,
    ): Promise<DeleteAnswer<Stored>> =>
      changing(database, async (transaction, record): Promise<DeleteAnswer<Stored>> => {
        const row = await lockRow(transaction, table, id)
        if (row === undefined) return { kind: 'unknown' }
        if (row.is_managed) return { kind: 'managed' }
        const before = storedOf(row)
        const uses = (await usesOf(transaction, before)).filter(({ count }) => count > 0)
        if (uses.length > 0) return { kind: 'in_use', uses }
        await transaction.deleteFrom(table).where('id', '=', id).execute()
        return { kind: 'deleted', before, seq: (await tell(record, id))?.seq ?? null }
      }),
  }
}

/** Returns the id of the row that was added or is other now; null: nothing was different. */
async function putByName(transaction: TablesTransaction, table: 'groups', row: NamedRow): Promise<string | null> {
  const id = await insertNew(transaction, table, row)
  if (id !== undefined) return id
  const stored = await transaction
    .selectFrom(table)
    .selectAll()
    .where('name', '=', row.name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const changed = changedColumns(row, stored)
  if (changed.length === 0) return null
  await writeColumns(transaction, table, { id: stored.id, changed })
  return stored.id
}

/** Returns its id; undefined: its name is taken. */
async function insertNew(transaction: TablesTransaction, table: 'groups', row: NamedRow): Promise<string | undefined> {
  const inserted = await transaction
    .insertInto(table)
    .values(row as never)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

type ChangedColumns = readonly (readonly [column: string, value: unknown])[]

async function writeColumns(
  transaction: TablesTransaction,
  table: 'groups',
  { id, changed }: { readonly id: string; readonly changed: ChangedColumns },
): Promise<void> {
  await transaction
    .updateTable(table)
    .set(Object.fromEntries(changed) as never)
    .where('id', '=', id)
    .execute()
}

async function isTaken(transaction: TablesTransaction, table: 'groups', name: string): Promise<boolean> {
  const row = await transaction.selectFrom(table).select('id').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** Decided once, when the row was added. */
const KEPT_COLUMNS = ['id', 'created_at']

/** The columns in which a row is to be other than it is stored, with what is to stand there. */
function changedColumns(row: NamedRow, stored: object): ChangedColumns {
  return Object.entries(row).filter(([column, value]) => isDifferent(column, value, stored))
}

function isDifferent(column: string, value: unknown, stored: object): boolean {
  if (KEPT_COLUMNS.includes(column)) return false
  const before = (stored as Readonly<Record<string, unknown>>)[column]
  if (!column.endsWith('_json') || before === null) return before !== value
  return JSON.stringify(before) !== value
}
