import type { UsageRecordView } from '../../../src/contract/usage.ts'

export interface AttemptTime {
  /** Parts of the whole time, from 0 to 1. */
  readonly start: number
  readonly length: number
}

/**
 * Where the attempts lie in the whole time. They come one after the other, and the last ends with the request; what is
 * left is before the first: reading the body, waiting.
 */
export function attemptTimes(
  record: Pick<UsageRecordView, 'total_ms'> & { readonly attempts: readonly { readonly total_ms: number }[] },
): readonly AttemptTime[] {
  const triedMs = record.attempts.reduce((sum, attempt) => sum + attempt.total_ms, 0)
  const wholeMs = Math.max(1, record.total_ms, triedMs)
  let atMs = wholeMs - triedMs
  return record.attempts.map(({ total_ms: ms }) => {
    const time = { start: atMs / wholeMs, length: ms / wholeMs }
    atMs += ms
    return time
  })
}
