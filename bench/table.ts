/** Plain tables for a terminal. */

/** The first column is text, on the left; all others stand on the right. Every row has as many cells as the head. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const write = (line: readonly string[]): string =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return lines.map((line) => `  ${write(line)}`).join('\n')
}

/** Three digits that count: 0.012, 1.23, 12.3, 123, 12345. */
export function writeNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  return size >= 1 ? value.toFixed(2) : value.toFixed(3)
}

export function writePercent(part: number): string {
  return `${(part * 100).toFixed(0)} %`
}
