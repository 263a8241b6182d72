/** A file for spreadsheets. A cell that a spreadsheet would take for a formula is kept from being one. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // Spreadsheets recognise UTF-8 by the mark.
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`
}

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
