import { shownText } from '../../core/shown-text.ts'

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
