/** A moment as messages write it, to the second: `2026-11-22T12:00:00Z`. `ms`: epoch milliseconds. */
export function utcTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19) + 'Z'
}
