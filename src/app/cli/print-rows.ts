import type { CliHost } from './cli-host.ts'
import type { Invocation } from './command.ts'
import { shownText } from '../../core/shown-text.ts'

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

/** Rows under each other, columns aligned, for people. The first row is the heading. */
export function textTable(written: readonly (readonly string[])[]): string {
  const rows = written.map((row) => row.map(shownText))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line) => `${line}\n`).join('')
}
