import type { CliHost } from './cli-host.ts'
import type { Invocation } from './command.ts'
import { textTable } from './text-table.ts'

/** How many rows a command lists at most. */
export const LISTED = 1000

/** A field that is a text, or what makes a text of a row. */
type PrintedColumn<Row> = (string & keyof Row) | ((row: Row) => string)

/** Prints rows as JSON where that is asked for, else as a table with these columns. Returns the exit code. */
export function printRows<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, PrintedColumn<Row>>>,
  { call, host }: { readonly call: Invocation; readonly host: CliHost },
): number {
  if (call.has('json')) {
    host.print(`${JSON.stringify(rows)}\n`)
    return 0
  }
  const cellsOf = (row: Row) =>
    Object.values(columns).map((column) => (typeof column === 'function' ? column(row) : String(row[column])))
  host.print(textTable([Object.keys(columns), ...rows.map(cellsOf)]))
  if (rows.length === LISTED) host.remark(`Only the newest ${LISTED} are shown.\n`)
  return 0
}
