import { addUsage, NO_TOKENS, type Usage } from '../../tools/fake-upstream/usage.ts'
import type { Evidence } from './evidence.ts'
import type { WrittenRecord } from './written-books.ts'

/**
 * Compares the fake upstream's totals with the records, after a load in which nothing was killed: everything that it
 * served is in the books. Answers a sentence for each disagreement.
 */
export function auditServed({ served, books }: Evidence): string[] {
  const records = new Map(books.records.map((record) => [record.id, record]))
  const unknown = Object.keys(served.requests).filter((id) => !records.has(id))
  const attempts = books.records.filter((record) => (served.requests[record.id]?.attempts ?? 0) > attemptsOf(record))
  const whole = books.records.filter((record) => served.requests[record.id]?.completed === true)
  const usage = whole.map((record) => usageOf(record, served.requests[record.id]?.reportedUsage ?? null))
  const total = usage.reduce((all, one) => addUsage(all, one), NO_TOKENS)
  return [
    ...unknown.map((id) => `request ${id} was served, and has no record`),
    ...attempts.map((record) => `request ${record.id} was served more often than its record says`),
    ...(served.running === 0 ? [] : [`${served.running} calls are still running`]),
    ...(served.totals.completed === whole.length
      ? []
      : [`${served.totals.completed} calls were served whole, and ${whole.length} are in the books`]),
    ...(isSame(served.totals.usage, total)
      ? []
      : [`the upstream served ${JSON.stringify(served.totals.usage)}, the records say ${JSON.stringify(total)}`]),
  ]
}

/** What the record says was used, where the report was taken as it was; else the report itself. */
function usageOf(record: WrittenRecord, reported: Usage | null): Usage {
  if (record.outcome !== 'completed' || record.usage_source !== 'reported') return reported ?? NO_TOKENS
  return {
    input: Number(record.input_tokens),
    cached: Number(record.cache_read_tokens),
    cacheWrite: Number(record.cache_write_tokens),
    output: Number(record.output_tokens),
    reasoning: Number(record.reasoning_tokens),
  }
}

function attemptsOf({ attempts_json }: WrittenRecord): number {
  const attempts: unknown = JSON.parse(attempts_json)
  return Array.isArray(attempts) ? attempts.length : 0
}

function isSame(one: Usage, other: Usage): boolean {
  return (Object.keys(NO_TOKENS) as (keyof Usage)[]).every((kind) => one[kind] === other[kind])
}
