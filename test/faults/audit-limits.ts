import { type Evidence, lifeOf, wasInTrouble } from './evidence.ts'
import type { LoadKey } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

/** Counts live as long as a process, and these laws hold for a minute of it. */
const MINUTE_MS = 60_000
/** Times of records are whole milliseconds by two clocks. */
const ROUNDING_MS = 3
/**
 * A thread may be taken off its core between an end that it notes and the place that it gives back, and another thread refuses
 * meanwhile. A place that was never given back is found all the same.
 */
const OFF_THE_CORE_MS = 250
/** A client that is gone left a request behind that may have gone on for so long. */
const UNSEEN_MS = 1_000

/**
 * Requests and tokens per minute, and requests at once: never more than the limit, and no request is refused while there is
 * room. For each life of the gateway by itself, of which all are shorter than a minute or not looked at.
 */
export function auditLimits(evidence: Evidence): string[] {
  const { sightings, keys, lives, books } = evidence
  const byTag = new Map(books.records.map((record) => [record.client ?? '', record]))
  const limited = keys.filter(({ limits }) => limits !== undefined)
  return [...Map.groupBy(sightings, (sighting) => lifeOf(sighting, evidence))].flatMap(([life, ofLife]) =>
    limited.flatMap((key) => {
      const asked = ofLife.filter(({ order }) => order.key.id === key.id)
      const times = asked.flatMap(({ beganAt, endedAt }) => [beganAt, endedAt])
      if (times.length === 0 || Math.max(...times) - Math.min(...times) > MINUTE_MS) return []
      const seen = asked.map((sighting) => ({ sighting, record: byTag.get(sighting.order.tag) }))
      const slack = evidence.threads > 1 ? OFF_THE_CORE_MS : ROUNDING_MS
      const isWhole = lives[life]?.ending !== 'killed' && !asked.some((sighting) => wasInTrouble(sighting, evidence))
      return [...auditKey(key, seen, isWhole ? slack : null)].map((what) => `key ${key.id} in life ${life}: ${what}`)
    }),
  )
}

interface Seen {
  readonly sighting: Sighting
  readonly record: WrittenRecord | undefined
}

/**
 * `slack`: by how many milliseconds times may be apart that belong together; null: not every request of this life is in the
 * books with times that can be compared.
 */
function* auditKey(key: LoadKey, seen: readonly Seen[], slack: number | null): Generator<string, void> {
  const { requestsPerMinute, tokensPerMinute, concurrency } = key.limits ?? {}
  const admitted = seen.filter((each) => wasAdmitted(each))
  const isRefused = seen.some((each) => wasRefusedBy('requests', each))
  if (requestsPerMinute !== undefined) {
    if (admitted.length > requestsPerMinute) yield `${admitted.length} of ${requestsPerMinute} requests were let in`
    if (slack !== null && isRefused && admitted.length < requestsPerMinute) yield `only ${admitted.length} were let in`
  }
  if (tokensPerMinute !== undefined) {
    const used = admitted.reduce((sum, { record }) => sum + tokensOf(record), 0)
    // Let in is whose input fits; what those write that run when the limit is reached comes on top.
    const most = tokensPerMinute + mostWrittenAtOnce(admitted)
    if (used > most) yield `${used} of ${tokensPerMinute} tokens were used, and ${most} are explained`
  }
  if (concurrency !== undefined && slack !== null) yield* auditConcurrency(concurrency, seen, slack)
}

function* auditConcurrency(concurrency: number, seen: readonly Seen[], slack: number): Generator<string, void> {
  const peak = mostAtOnce(certainSpans(seen))
  if (peak > concurrency) yield `${peak} requests ran at once, of ${concurrency}`
  const apart = clocksApart(seen)
  // Bodies that arrive count as well, also of requests that are refused then; and the refused one itself is one of them.
  const spans = seen.map(({ sighting, record }) =>
    record === undefined ? unseenSpan(sighting, apart) : spanOf(record),
  )
  for (const { record } of seen.filter((each) => wasRefusedBy('concurrency', each))) {
    if (record === undefined) continue
    const { begin, end: at } = spanOf(record)
    const present = spans.filter((span) => span.begin - ROUNDING_MS <= at && begin <= span.end + slack)
    if (present.length > concurrency) continue
    const gone = spans.filter((span) => span.end < begin).map((span) => begin - span.end)
    const since = gone.length === 0 ? '' : `, and the last before it was gone for ${Math.min(...gone)} ms`
    return yield `one was refused while ${present.length - 1} of ${concurrency} were there${since}`
  }
}

interface Span {
  readonly begin: number
  /** When its first attempt began: it certainly had a slot from then on. */
  readonly sent: number
  readonly end: number
}

function spanOf(record: WrittenRecord): Span {
  const attempts = JSON.parse(record.attempts_json) as { readonly totalMs: number }[]
  const begin = Number(record.created_at)
  const end = begin + Number(record.total_ms)
  return { begin, sent: end - attempts.reduce((sum, { totalMs }) => sum + totalMs, 0), end }
}

/** A body that was never whole leaves no record, and counts until the gateway sees that its client is gone. */
function unseenSpan({ beganAt, endedAt }: Sighting, apart: number): Pick<Span, 'begin' | 'end'> {
  return { begin: beganAt + apart, end: endedAt + apart + UNSEEN_MS }
}

/** What the clocks differ by: no request is noted before it was sent, and the quickest is noted in the same moment. */
function clocksApart(seen: readonly Seen[]): number {
  return seen.reduce(
    (least, { sighting, record }) =>
      record === undefined ? least : Math.min(least, Number(record.created_at) - sighting.beganAt),
    Infinity,
  )
}

/** The spans in which requests that were let in certainly had their places: until the end, or until the client hung up. */
function certainSpans(seen: readonly Seen[]): readonly Span[] {
  const recorded = seen.flatMap(({ sighting, record }) => (record === undefined ? [] : [{ sighting, record }]))
  const apart = clocksApart(seen)
  return recorded
    .filter((each) => wasAdmitted(each))
    .map(({ sighting: { hungUpAt }, record }) => {
      const span = spanOf(record)
      return hungUpAt === null ? span : { ...span, end: Math.min(span.end, hungUpAt + apart) }
    })
}

function mostAtOnce(spans: readonly Span[]): number {
  return spans.reduce((most, { sent }) => {
    const at = sent + ROUNDING_MS
    return Math.max(most, spans.filter((span) => span.sent <= sent && at < span.end - ROUNDING_MS).length)
  }, 0)
}

/** A key may have several limits, and only the record says which of them it was. Without one it may have been this. */
function wasRefusedBy(limit: 'requests' | 'concurrency', { sighting, record }: Seen): boolean {
  if (sighting.fault !== 'rate_limited') return false
  const facts: unknown = JSON.parse(record?.fault_facts ?? 'null')
  return typeof facts !== 'object' || facts === null || !('limit' in facts) || facts.limit === limit
}

/** What the gateway certainly began to serve. */
function wasAdmitted({ sighting, record }: Seen): boolean {
  if (record !== undefined) return record.outcome !== 'refused'
  return sighting.status === 200
}

/** The most output that requests wrote which ran at the same moment; of a report beyond all bounds, its input too. */
function mostWrittenAtOnce(admitted: readonly Seen[]): number {
  const written = ({ record }: Seen) =>
    record?.is_capped === 1n ? tokensOf(record) : Number(record?.output_tokens ?? 0n)
  return admitted.reduce((most, { sighting: { beganAt: at } }) => {
    const running = admitted.filter(({ sighting }) => sighting.beganAt <= at && at <= sighting.endedAt + UNSEEN_MS)
    return Math.max(
      most,
      running.reduce((sum, each) => sum + written(each), 0),
    )
  }, 0)
}

function tokensOf(record: WrittenRecord | undefined): number {
  if (record === undefined) return 0
  const { input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens } = record
  const kinds = [input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens]
  return kinds.reduce<number>((sum, count) => sum + Number(count ?? 0n), 0)
}
