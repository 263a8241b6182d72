import type { UsageRecordView } from '../../../src/contract/usage.ts'

export interface AttemptTime {
  /** Parts of the whole time, from 0 to 1. */
  readonly start: number
  readonly length: number
}

type AttemptView = UsageRecordView['attempts'][number]
type TimedAttempt = Pick<AttemptView, 'at_ms' | 'connect_ms' | 'head_ms' | 'total_ms'> &
  Partial<Pick<AttemptView, 'hedged_away'>>
type TimedRecord = Pick<UsageRecordView, 'first_byte_ms' | 'total_ms'> & { readonly attempts: readonly TimedAttempt[] }

/**
 * Where the attempts lie in the whole time. Records of older versions do not say when each began: then they come one after
 * the other, and the last ends with the request.
 */
export function attemptTimes(record: Omit<TimedRecord, 'first_byte_ms'>): readonly AttemptTime[] {
  // Two may have run at a time: then the whole is shorter than their sum.
  const isKnown = record.attempts.every(({ at_ms: at }) => at !== null)
  const triedMs = isKnown ? 0 : record.attempts.reduce((sum, attempt) => sum + attempt.total_ms, 0)
  const wholeMs = Math.max(1, record.total_ms, triedMs)
  let nextMs = wholeMs - triedMs
  return record.attempts.map(({ at_ms: at, total_ms: ms }) => {
    const startMs = at === null ? nextMs : Math.min(at, wholeMs - Math.min(ms, wholeMs))
    nextMs = startMs + ms
    return { start: startMs / wholeMs, length: Math.min(ms, wholeMs) / wholeMs }
  })
}

/** The way of a request, one part after the other. */
export const STEPS = ['queue', 'earlier', 'connect', 'wait', 'answer'] as const
export type TimedStep = (typeof STEPS)[number]

/**
 * How long each part of the way took, in milliseconds: until the first attempt began, the attempts that failed before the
 * last one, opening a connection, waiting for the first byte, and the answer until its end. What there was not, or what is
 * not known, is left out; the sum is the whole time.
 */
export function stepTimes(record: TimedRecord): readonly { readonly step: TimedStep; readonly ms: number }[] {
  const { attempts, total_ms: totalMs, first_byte_ms: firstMs } = record
  const last = attempts.at(-1)
  if (last === undefined) return []
  const triedMs = attempts.reduce((sum, attempt) => sum + attempt.total_ms, 0)
  const startMs = bounded(Math.min(attempts[0]?.at_ms ?? totalMs - triedMs, last.at_ms ?? totalMs), totalMs)
  // Where two ran at a time, none had failed by then: either was waited for.
  const together = attempts.flatMap(({ at_ms: at, hedged_away: isAway }) =>
    isAway === true && at !== null ? [at] : [],
  )
  const lastMs = bounded(Math.min(last.at_ms ?? totalMs - last.total_ms, ...together), totalMs, startMs)
  const connectedMs = bounded(lastMs + (last.connect_ms ?? 0), totalMs, lastMs)
  const answersMs = bounded(firstMs ?? totalMs, totalMs, connectedMs)
  const parts: Readonly<Record<TimedStep, number>> = {
    queue: startMs,
    earlier: lastMs - startMs,
    connect: connectedMs - lastMs,
    wait: answersMs - connectedMs,
    answer: totalMs - answersMs,
  }
  const isThere: Readonly<Record<TimedStep, boolean>> = {
    queue: true,
    earlier: attempts.length > 1 && lastMs > startMs,
    connect: last.connect_ms !== null,
    wait: true,
    answer: firstMs !== null,
  }
  return STEPS.filter((step) => isThere[step]).map((step) => ({ step, ms: parts[step] }))
}

function bounded(ms: number, most: number, least = 0): number {
  return Math.min(Math.max(ms, least), most)
}
