import { HOUR_MS, type SpanTable } from './span-tables.ts'

/** A stretch of time, epoch milliseconds. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** How a stretch is read: spans of one length that lie together, or hours (`lengthMs` null). */
export interface PlannedPart extends Stretch {
  readonly lengthMs: number | null
}

/** What is known of the sums in a stretch. */
export interface KnownSpans {
  /** How many requests each hour has, by its beginning; hours without any are left out. */
  readonly hours: ReadonlyMap<number, number>
  /** How many requests were in each span of a table when it was summed: see `madeName`. */
  readonly made: ReadonlyMap<string, number>
}

/** How `KnownSpans` names a span. */
export function madeName({ table }: SpanTable, lengthMs: number, startsAt: number): string {
  return `${table} ${lengthMs} ${startsAt}`
}

/**
 * The fewest parts that make up a stretch of whole hours. Whatever settles later adds a request to its hour, so a span is
 * good while it has as many requests as its hours have. Hours without requests are in no part.
 */
export function planStretch(spans: SpanTable, { fromMs, toMs }: Stretch, known: KnownSpans): readonly PlannedPart[] {
  const parts: PlannedPart[] = []
  for (let at = fromMs; at < toMs;) {
    const lengthMs = longestAt(spans, { fromMs: at, toMs }, known)
    const next = at + (lengthMs ?? HOUR_MS)
    const last = parts.at(-1)
    const isEmpty = lengthMs === null && !known.hours.has(at)
    if (last !== undefined && last.lengthMs === lengthMs && last.toMs === at && !isEmpty) {
      parts[parts.length - 1] = { ...last, toMs: next }
    } else if (!isEmpty) parts.push({ fromMs: at, toMs: next, lengthMs })
    at = next
  }
  return parts
}

/** The longest good span that begins there and ends in time; null: there is none. */
function longestAt(spans: SpanTable, { fromMs, toMs }: Stretch, known: KnownSpans): number | null {
  for (const lengthMs of spans.lengths.toReversed()) {
    if (fromMs % lengthMs !== 0 || fromMs + lengthMs > toMs) continue
    if (isGood(spans, { lengthMs, startsAt: fromMs }, known)) return lengthMs
  }
  return null
}

/** Whether a span has all requests of its hours. One without requests has no rows, and need not be made. */
export function isGood(
  spans: SpanTable,
  { lengthMs, startsAt }: { readonly lengthMs: number; readonly startsAt: number },
  known: KnownSpans,
): boolean {
  return (known.made.get(madeName(spans, lengthMs, startsAt)) ?? 0) === requestsIn(known, startsAt, startsAt + lengthMs)
}

export function requestsIn({ hours }: KnownSpans, fromMs: number, toMs: number): number {
  let sum = 0
  for (let at = fromMs; at < toMs; at += HOUR_MS) sum += hours.get(at) ?? 0
  return sum
}
