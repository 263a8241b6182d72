/** RFC 3339, UTC, of epoch milliseconds. */
export function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOnWire(ms)
}

/** Epoch milliseconds of a time that its schema has checked. */
export function readTime(text: string): number {
  return Date.parse(text)
}
