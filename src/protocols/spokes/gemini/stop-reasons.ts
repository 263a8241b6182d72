import type { Stop, StopReason } from '../../hub/neutral-answer.ts'

/**
 * Google's `finishReason`. It has no word of its own for calls: an answer with some stops like any other. A call that went
 * wrong is nothing that a client could go on with, so that its answer just ends.
 */
export function readFinishReason(finishReason: string, hasCalls: boolean): Stop {
  const reason = FINISHED[finishReason] ?? 'end'
  return { reason: reason === 'end' && hasCalls ? 'tool_calls' : reason, sequence: null }
}

/** Whether a candidate says that it is finished. */
export function isFinished(finishReason: unknown): finishReason is string {
  return typeof finishReason === 'string' && finishReason !== '' && finishReason !== 'FINISH_REASON_UNSPECIFIED'
}

const FINISHED: Readonly<Record<string, StopReason>> = {
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'filtered',
  RECITATION: 'filtered',
  LANGUAGE: 'filtered',
  BLOCKLIST: 'filtered',
  PROHIBITED_CONTENT: 'filtered',
  SPII: 'filtered',
  IMAGE_SAFETY: 'filtered',
  IMAGE_PROHIBITED_CONTENT: 'filtered',
  IMAGE_RECITATION: 'filtered',
}

/** The same, written. `isMalformed`: a call's arguments were not JSON, which this wire cannot hold. */
export function writeFinishReason(reason: StopReason, isMalformed: boolean): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filtered') return 'SAFETY'
  return isMalformed ? 'MALFORMED_FUNCTION_CALL' : 'STOP'
}
