import type { Stop } from '../../hub/neutral-answer.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import { readStopWord } from '../../reading/stop-words.ts'

/** The `stop_reason` of an answer; where it is missing it follows from whether tools were called. */
export function readStop(word: unknown, sequence: unknown, hasCalls: boolean): Stop {
  return { reason: readStopWord(word, hasCalls), sequence: typeof sequence === 'string' ? sequence : null }
}

/**
 * `stop_reason` and `stop_sequence`. Clients run tools when the reason says so, so it agrees with what the answer holds,
 * whatever an upstream said.
 */
export function writeStop(
  stop: Stop,
  { hasCalls, hasRefusal }: SeenContent,
): { stop_reason: string; stop_sequence: string | null } {
  if (hasRefusal) return { stop_reason: 'refusal', stop_sequence: null }
  if (stop.reason === 'end' || stop.reason === 'tool_calls') {
    return { stop_reason: hasCalls ? 'tool_use' : 'end_turn', stop_sequence: null }
  }
  return { stop_reason: WRITTEN[stop.reason], stop_sequence: stop.reason === 'stop_sequence' ? stop.sequence : null }
}

/** What an answer held. */
export interface SeenContent {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

const WRITTEN = {
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  filtered: 'refusal',
  paused: 'pause_turn',
} as const satisfies Record<Exclude<StopReason, 'end' | 'tool_calls'>, string>
