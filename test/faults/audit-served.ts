import { addUsage, NO_TOKENS, type Usage } from '../../tools/fake-upstream/usage.ts'
import { type Evidence, isOfKilledLife } from './evidence.ts'
import type { WrittenRecord } from './written-books.ts'

/**
 * Compares the fake upstream's totals with the records: everything that it served is in the books, but for what was under
 * way when the gateway was killed. Returns a sentence for each disagreement.
 */
export function auditServed(evidence: Evidence): string[] {
  const { served, books } = evidence
  const records = new Map(books.records.map((record) => [record.id, record]))
  const unknown = Object.entries(served.requests).filter(([id]) => !records.has(id))
  const lost = lostByKills(evidence)
  const attempts = books.records.filter((record) => (served.requests[record.id]?.attempts ?? 0) > attemptsOf(record))
  const whole = books.records.filter((record) => served.requests[record.id]?.completed === true)
  const lostWhole = unknown.flatMap(([, call]) => (call.completed ? [call.reportedUsage ?? NO_TOKENS] : []))
  const usage = whole.map((record) => usageOf(record, served.requests[record.id]?.reportedUsage ?? null))
  const total = [...usage, ...lostWhole].reduce((all, one) => addUsage(all, one), NO_TOKENS)
  const count = whole.length + lostWhole.length
  return [
    ...(unknown.length > lost
      ? [`${unknown.length} requests were served and have no record, and ${lost} were cut`]
      : []),
    ...attempts.map((record) => `request ${record.id} was served more often than its record says`),
    ...(served.running === 0 ? [] : [`${served.running} calls are still running`]),
    ...(served.totals.completed === count
      ? []
      : [`${served.totals.completed} calls were served whole, and ${count} are in the books`]),
    ...(isSame(served.totals.usage, total)
      ? []
      : [`the upstream served ${JSON.stringify(served.totals.usage)}, the records say ${JSON.stringify(total)}`]),
  ]
}

/** How many requests may have been served without a record, because the gateway was killed before it could write it. */
function lostByKills(evidence: Evidence): number {
  const recorded = new Set(evidence.books.records.map(({ client }) => client))
  return evidence.sightings.filter((sighting) => {
    const mayBeLost = isOfKilledLife(sighting, evidence) && !sighting.sawEnd
    return mayBeLost && !recorded.has(sighting.order.tag)
  }).length
}

/** What the record says was used, where the report was taken as it was; else the report itself. */
function usageOf(record: WrittenRecord, reported: Usage | null): Usage {
  if (
    record.outcome !== 'completed' ||
    record.fault !== null ||
    record.usage_source !== 'reported' ||
    record.is_capped !== 0n
  )
    return reported ?? NO_TOKENS
  return {
    input: Number(record.input_tokens),
    cached: Number(record.cache_read_tokens),
    cacheWrite: Number(record.cache_write_tokens),
    output: Number(record.output_tokens),
    reasoning: Number(record.reasoning_tokens),
  }
}

function attemptsOf({ attempts_json, outcome }: WrittenRecord): number {
  // No process lived to note them.
  if (outcome === 'interrupted') return Infinity
  const attempts: unknown = JSON.parse(attempts_json)
  return Array.isArray(attempts) ? attempts.length : 0
}

function isSame(one: Usage, other: Usage): boolean {
  return (Object.keys(NO_TOKENS) as (keyof Usage)[]).every((kind) => one[kind] === other[kind])
}
