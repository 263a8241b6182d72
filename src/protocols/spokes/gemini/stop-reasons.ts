import type { Stop } from '../../hub/neutral-answer.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import { readStopWord } from '../../reading/stop-words.ts'

/** Google's `finishReason`. It has no word of its own for calls: an answer with some stops like any other. */
export function readFinishReason(finishReason: string, hasCalls: boolean): Stop {
  return { reason: readStopWord(finishReason, hasCalls), sequence: null }
}

/** Whether a candidate says that it is finished. */
export function isFinished(finishReason: unknown): finishReason is string {
  return typeof finishReason === 'string' && finishReason !== '' && finishReason !== 'FINISH_REASON_UNSPECIFIED'
}

/** The `finishReason` of an answer that stopped for this reason. `isMalformed`: a call's arguments were not JSON, which this wire cannot hold. */
export function writeFinishReason(reason: StopReason, isMalformed: boolean): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filtered') return 'SAFETY'
  return isMalformed ? 'MALFORMED_FUNCTION_CALL' : 'STOP'
}
