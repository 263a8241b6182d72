/** Rows of sub2api without a database, each with what its migrations put into the columns that are not named. */
import type { Row, SourceReader } from '../../../src/import/source.ts'
import { rowsInMemory } from './rows-in-memory.ts'
import { columnsOf, SUB2API_TABLES } from './sub2api-schema.ts'

export type Sub2apiTables = Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>

/** JSON and booleans as PostgreSQL writes them. */
export function sub2apiInMemory(tables: Sub2apiTables): SourceReader {
  const known = new Map(Object.keys(SUB2API_TABLES).map((table) => [table, columnsOf(table)]))
  const filled = Object.fromEntries(
    [...known].map(([table, columns]) => [table, (tables[table] ?? []).map((row, i) => rowOf(row, columns, i))]),
  )
  return {
    ...rowsInMemory(filled),
    columns: new Map([...known].map(([table, columns]) => [table, new Set(columns.keys())])),
    defaults: new Map(
      [...known].map(([table, columns]) => [
        table,
        new Map([...columns].flatMap(([name, standing]) => (standing === null ? [] : [[name, standing] as const]))),
      ]),
    ),
  }
}

function rowOf(row: Row, columns: ReadonlyMap<string, string | null>, place: number): Row {
  const unknown = Object.keys(row).filter((name) => !columns.has(name))
  if (unknown.length > 0) throw new Error(`sub2api has no column ${unknown.join(', ')}`)
  const usual = [...columns].map(([name, standing]) => [name, name === 'id' ? String(place + 1) : standing] as const)
  return { ...Object.fromEntries(usual), ...row }
}

/** One user with a key in the group 1, and an account of OpenAI's in the groups that are named. */
export const ADA = { id: '1', email: 'ada@example.test', status: 'active', balance: '10' }

export function keyIn(groupId: string, id = '1'): Row {
  return { id, user_id: '1', key: `sk-${id.repeat(64).slice(0, 64)}`, name: 'k', group_id: groupId }
}

export function groupRow(id: string, row: Row = {}): Row {
  return { id, name: `group ${id}`, platform: 'openai', ...row }
}

export function accountRow(id: string, credentials: object = {}, row: Row = {}): Row {
  return {
    id,
    name: `account ${id}`,
    platform: 'openai',
    type: 'apikey',
    ...row,
    credentials: JSON.stringify({ api_key: `sk-${id}`, ...credentials }),
  }
}

export function inGroups(accountId: string, ...groupIds: readonly string[]): readonly Row[] {
  // The place of the group in the account's list, from 1.
  return groupIds.map((groupId, i) => ({ account_id: accountId, group_id: groupId, priority: String(i + 1) }))
}
