/** Judges one answer, and sums up how long all of them took. */
import type { RecordableHistogram } from 'node:perf_hooks'
import type { Expectation, Latency } from './job.ts'
import type { Answer } from './response-reader.ts'

/** What an answer lacks, in words; null when it is right. */
export function whatIsWrong(answer: Answer, expect: Expectation): string | null {
  if (answer.status !== 200) return `status ${answer.status}`
  if (expect.kind === 'object')
    return answer.tail.trimEnd().endsWith('}') ? null : 'the body is not a whole JSON object'
  if (!answer.tail.endsWith(expect.end)) return 'the stream has no right end'
  return answer.events === expect.events ? null : `${answer.events} events instead of ${expect.events}`
}

/** From a histogram of nanoseconds. */
export function latencyOf(histogram: RecordableHistogram): Latency {
  if (histogram.count === 0) return { p50Us: 0, p90Us: 0, p99Us: 0, maxUs: 0 }
  return {
    p50Us: microseconds(histogram.percentile(50)),
    p90Us: microseconds(histogram.percentile(90)),
    p99Us: microseconds(histogram.percentile(99)),
    maxUs: microseconds(histogram.max),
  }
}

function microseconds(ns: number): number {
  return Math.round(ns / 100) / 10
}
