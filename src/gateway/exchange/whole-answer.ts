import type { Fault } from '../../core/faults.ts'
import type { Answer } from '../../protocols/protocol.ts'
import { asFault, brokenOff, faultOfNoAnswer, isGood, lacksEndpoint } from '../upstream-faults.ts'
import type { Attempts } from './attempts.ts'
import type { ExchangeState } from './state.ts'

/** What an upstream's answer is that came whole. */
export type WholeAnswer =
  | { readonly kind: 'answer'; readonly read: Extract<Answer, { kind: 'answer' }>; readonly forClient: Buffer }
  /** Nothing of it is counted: it goes to the client as it is. */
  | { readonly kind: 'unmetered'; readonly body: Buffer }
  /** The upstream lacks the endpoint, and the gateway can answer in its place. */
  | { readonly kind: 'local'; readonly answerLocally: () => void }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly mayRetry: boolean }

/** Reads the answer that was collected. */
export function readWholeAnswer(
  { received, answer, request, answerLocally }: ExchangeState,
  attempts: Attempts,
): WholeAnswer {
  const { status } = received
  if (!isGood(status)) {
    if (answerLocally !== null && lacksEndpoint(status)) return { kind: 'local', answerLocally }
    return failed(attempts.refusal(received.collected.whole(), status))
  }
  // The head of a stream is out already, because this took so long: it cannot become a whole answer any more.
  if (answer.hasBegun) return { ...failed(brokenOff('the upstream answered a stream with a whole')), mayRetry: false }
  const body = received.collected.whole()
  const { adapter } = attempts
  if (request.reservation === null || adapter === null) return { kind: 'unmetered', body }
  const read = adapter.readAnswer(body)
  if (read.kind === 'failed') return failed(attempts.failure(read.error))
  if (read.kind !== 'answer') return failed(faultOfNoAnswer())
  try {
    return { kind: 'answer', read, forClient: adapter.forClient(read.rewritten ?? body, read.usage) }
  } catch (error) {
    return failed(asFault(error))
  }
}

function failed(fault: Fault): Extract<WholeAnswer, { kind: 'failed' }> {
  return { kind: 'failed', fault, mayRetry: true }
}
