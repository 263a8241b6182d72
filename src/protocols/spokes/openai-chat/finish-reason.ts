import type { Stop, StopReason } from '../../hub/neutral-answer.ts'

/** What an answer held when it stopped. */
export interface Held {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** Reasons beyond OpenAI's: of Mistral, GLM, DeepSeek and servers of open models. */
const REASONS: Readonly<Record<string, StopReason>> = {
  length: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  insufficient_system_resource: 'length',
  network_error: 'length',
  content_filter: 'filtered',
  sensitive: 'filtered',
}

/** Why it stopped. Upstreams that say `stop` behind calls of tools are common; OpenAI says it behind a refusal too. */
export function readFinishReason(reason: unknown, { hasCalls, hasRefusal }: Held): Stop {
  const known = typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  const otherwise = hasCalls ? 'tool_calls' : hasRefusal ? 'filtered' : 'end'
  return { reason: known ?? otherwise, sequence: null }
}

/**
 * The `finish_reason` of a choice: `tool_calls` whenever calls are to be run, since some clients drop them otherwise, and
 * never behind calls that were cut. A refusal is an answer with words of its own, which OpenAI ends with `stop`.
 */
export function writeFinishReason({ reason }: Stop, { hasCalls, hasRefusal }: Held): string {
  switch (reason) {
    case 'length':
      return 'length'
    case 'filtered':
      return hasRefusal ? 'stop' : 'content_filter'
    case 'end':
    case 'stop_sequence':
    case 'tool_calls':
    case 'paused':
      return hasCalls ? 'tool_calls' : 'stop'
  }
}
