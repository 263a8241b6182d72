import { HOUR_MS, type SpanTable } from './span-tables.ts'

/** A stretch of time, epoch milliseconds. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** How a stretch is read: spans of one length that lie together, or hours (`lengthMs` null). */
export interface PlannedPart extends Stretch {
  readonly lengthMs: number | null
  /** It lies outside the stretch, in a longer span that is read as a whole: what it has is subtracted. */
  readonly isSubtracted: boolean
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

/** One span of a table, or an hour of what the table is made of. */
interface Block {
  readonly lengthMs: number
  readonly startsAt: number
}

/**
 * The parts with the fewest rows that make up a stretch of whole hours: a span that sticks out of it is read as well where
 * little needs to be subtracted from it. Whatever settles later adds a request to its hour, so a span is good while it has as
 * many requests as its hours have. Hours without requests are in no part.
 */
export function planStretch(spans: SpanTable, stretch: Stretch, known: KnownSpans): readonly PlannedPart[] {
  const lengthMs = longestOf(spans)
  const { fromMs, toMs } = touchedSpans(spans, stretch)
  const parts: PlannedPart[] = []
  for (let startsAt = fromMs; startsAt < toMs; startsAt += lengthMs) {
    parts.push(...coversOf({ lengthMs, startsAt }, { spans, stretch, known }).inside)
  }
  return together(parts)
}

/** The stretch, widened to the longest spans that have some of it. */
export function touchedSpans(spans: SpanTable, { fromMs, toMs }: Stretch): Stretch {
  const lengthMs = longestOf(spans)
  return { fromMs: Math.floor(fromMs / lengthMs) * lengthMs, toMs: Math.ceil(toMs / lengthMs) * lengthMs }
}

function longestOf({ lengths }: SpanTable): number {
  return lengths.at(-1) ?? HOUR_MS
}

interface Planning {
  readonly spans: SpanTable
  readonly stretch: Stretch
  readonly known: KnownSpans
}

/** What makes up so much of a block as is in the stretch, and what makes up the rest of it. */
interface Covers {
  readonly inside: readonly PlannedPart[]
  readonly outside: readonly PlannedPart[]
}

function coversOf(block: Block, planning: Planning): Covers {
  const { stretch, spans, known } = planning
  const { lengthMs, startsAt } = block
  const endsAt = startsAt + lengthMs
  if (endsAt <= stretch.fromMs || startsAt >= stretch.toMs) return { inside: [], outside: wholeOf(block, planning) }
  const isWithin = startsAt >= stretch.fromMs && endsAt <= stretch.toMs
  if (isWithin || lengthMs === HOUR_MS) return { inside: wholeOf(block, planning), outside: [] }
  const covers = shorterIn(block, spans).map((each) => coversOf(each, planning))
  const inside = covers.flatMap((each) => each.inside)
  const outside = covers.flatMap((each) => each.outside)
  if (!isGood(spans, block, known)) return { inside, outside }
  return {
    inside: lighter(inside, [spanOf(block), ...outside.map(subtracted)]),
    outside: lighter(outside, [spanOf(block), ...inside.map(subtracted)]),
  }
}

function wholeOf(block: Block, planning: Planning): readonly PlannedPart[] {
  const { spans, known } = planning
  const { lengthMs, startsAt } = block
  if (requestsIn(known, startsAt, startsAt + lengthMs) === 0) return []
  if (spans.lengths.includes(lengthMs) && isGood(spans, block, known)) return [spanOf(block)]
  if (lengthMs === HOUR_MS) return [{ ...spanOf(block), lengthMs: null }]
  return shorterIn(block, spans).flatMap((each) => wholeOf(each, planning))
}

function shorterIn({ lengthMs, startsAt }: Block, spans: SpanTable): readonly Block[] {
  const shorterMs = shorterThan(spans, lengthMs) ?? HOUR_MS
  return Array.from({ length: lengthMs / shorterMs }, (_, at) => ({
    lengthMs: shorterMs,
    startsAt: startsAt + at * shorterMs,
  }))
}

/** The length that spans of this one are made of; null: they are made of hours. */
export function shorterThan({ lengths }: SpanTable, lengthMs: number): number | null {
  return lengths[lengths.indexOf(lengthMs) - 1] ?? null
}

function spanOf({ lengthMs, startsAt }: Block): PlannedPart {
  return { fromMs: startsAt, toMs: startsAt + lengthMs, lengthMs, isSubtracted: false }
}

function subtracted(part: PlannedPart): PlannedPart {
  return { ...part, isSubtracted: !part.isSubtracted }
}

/** A span has more rows than a shorter one, but not as many more as it is longer. */
const ROWS_GROW_BY = 0.45

function lighter(one: readonly PlannedPart[], other: readonly PlannedPart[]): readonly PlannedPart[] {
  const rows = (parts: readonly PlannedPart[]) =>
    parts.reduce((sum, { fromMs, toMs }) => sum + ((toMs - fromMs) / HOUR_MS) ** ROWS_GROW_BY, 0)
  return rows(other) < rows(one) ? other : one
}

/** Those that are read alike and follow each other as one. */
function together(parts: readonly PlannedPart[]): readonly PlannedPart[] {
  const found: PlannedPart[] = []
  for (const part of parts.toSorted((a, b) => rankOf(a) - rankOf(b) || a.fromMs - b.fromMs)) {
    const last = found.at(-1)
    if (last !== undefined && rankOf(last) === rankOf(part) && last.toMs === part.fromMs) {
      found[found.length - 1] = { ...last, toMs: part.toMs }
    } else found.push(part)
  }
  return found
}

function rankOf({ lengthMs, isSubtracted }: PlannedPart): number {
  return isSubtracted ? -1 - (lengthMs ?? 0) : (lengthMs ?? 0)
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
