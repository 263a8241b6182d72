import type { Stop } from '../../hub/neutral-answer.ts'
import { readStopWord, type StopReason } from '../../reading/stop-words.ts'
import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { writeOpaque } from '../../hub/opaque-reasoning.ts'
import { totalOutput } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StreamUsage } from '../../hub/spoke.ts'

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
interface SeenContent {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

const WRITTEN = {
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  filtered: 'refusal',
  paused: 'pause_turn',
} as const satisfies Record<Exclude<StopReason, 'end' | 'tool_calls'>, string>

/**
 * The `signature` of a thinking block. Reasoning that came without anything to send back is marked as another vendor's, so
 * that it is known when the conversation goes on with a Claude, which would refuse it.
 */
export function signatureOf(opaque: ProviderSignature | null): string {
  return writeOpaque(opaque ?? NOTHING_GIVEN, 'anthropic')
}

const NOTHING_GIVEN: ProviderSignature = { vendor: 'chat', data: '' }

/** Whether the block is written as `redacted_thinking`. */
export function isRedacted(opaque: ProviderSignature | null): opaque is ProviderSignature {
  return opaque?.isRedacted === true && opaque.vendor === 'anthropic'
}

/** The `usage` of an answer. Its clients need each of these numbers, so what was not reported is 0, but for the output. */
export function writtenUsage({ reported, estimatedOutputTokens }: StreamUsage): JsonObject {
  const { input, cacheRead, cacheWrite, cacheWrite1h, reasoning, other } = reported
  return {
    input_tokens: (input ?? 0) + (other?.audioInput ?? 0) + (other?.imageInput ?? 0),
    cache_creation_input_tokens: (cacheWrite ?? 0) + (cacheWrite1h ?? 0),
    cache_read_input_tokens: cacheRead ?? 0,
    output_tokens: totalOutput(reported) ?? estimatedOutputTokens,
    ...(reasoning === null ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}
