import { DAY_MS } from '../../core/durations.ts'
import { fieldProblem } from '../problem.ts'

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

/** The span that a filter names; without an end up to now, and without a beginning the `days` before the end. Throws Problem. */
export function readSpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): { readonly fromMs: number; readonly toMs: number } {
  const toMs = to === undefined ? nowMs : readTime(to)
  const fromMs = from === undefined ? toMs - days * DAY_MS : readTime(from)
  if (fromMs >= toMs) throw fieldProblem('from', 'from must be before to.')
  return { fromMs, toMs }
}
