import type { Fault } from '../../core/faults.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import { brokenOff, faultOfNoAnswer, isEventStream, isGood } from '../upstream-faults.ts'
import type { ResponseAdapter } from '../request/outbound.ts'

/** The head of an upstream's answer, and whether its client asked for a stream. */
interface AnswerHead {
  readonly status: number
  readonly contentType: string
  readonly isStream: boolean
  /** False for a count of tokens, which is taken whole whatever its content type says. */
  readonly isMetered: boolean
}

/**
 * Whether an answer is read as a stream. What was asked for decides, where the wire's answers are taken in either form: upstreams
 * send events of any content type, and JSON in their place. On other wires the content type says what came.
 */
export function isReadAsStream(
  adapter: ResponseAdapter | null,
  { status, contentType, isStream, isMetered }: AnswerHead,
): boolean {
  if (adapter === null || adapter.openStream === null || !isMetered || !isGood(status)) return false
  return adapter.takesEitherForm ? isStream : isEventStream(contentType)
}

/** The Fault for a stream that stopped before its end: nothing of it was an answer, or the answer was cut off. */
export function faultOfCut(reader: StreamReader, contentType: string): Fault {
  if (reader.hasBegun || isEventStream(contentType)) return brokenOff('the stream ended before its end')
  return faultOfNoAnswer()
}
