import type { Selectable } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { TablesTransaction } from './database.ts'

/** Tables whose rows are found by an id of their own. They differ in their other columns: one of them stands for all below. */
type TableById = {
  [Name in keyof Tables]: Selectable<Tables[Name]> extends { id: string } ? Name : never
}[keyof Tables]

type RowById<Name extends TableById> = Promise<Selectable<Tables[Name]> | undefined>

export function readRow<Name extends TableById>(
  tables: Pick<TablesTransaction, 'selectFrom'>,
  table: Name,
  id: string,
): RowById<Name> {
  const query = tables
    .selectFrom(table as 'groups')
    .selectAll()
    .where('id', '=', id)
  return query.executeTakeFirst() as RowById<Name>
}

/** Reads a row that stays as it is until the transaction ends. */
export function lockRow<Name extends TableById>(
  transaction: TablesTransaction,
  table: Name,
  id: string,
): RowById<Name> {
  const query = transaction
    .selectFrom(table as 'groups')
    .selectAll()
    .where('id', '=', id)
  return query.forUpdate().executeTakeFirst() as RowById<Name>
}

/** Locks a row without reading it. False: there is none. */
export async function lockId(transaction: TablesTransaction, table: TableById, id: string): Promise<boolean> {
  const query = transaction
    .selectFrom(table as 'groups')
    .select('id')
    .where('id', '=', id)
  return (await query.forUpdate().executeTakeFirst()) !== undefined
}
