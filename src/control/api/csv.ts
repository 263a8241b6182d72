/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + '\r\n'
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Spreadsheets run what begins like a formula, and names of keys, models and programs are arbitrary text. An apostrophe in
 * front keeps it text (OWASP, "CSV Injection"); the full-width forms are taken for the same signs in some languages.
 */
export function csvText(value: string | null): string {
  if (value === null) return ''
  return /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
}
