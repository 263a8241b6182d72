import type { Stop } from '../../hub/neutral-answer.ts'
import { readStopWord } from '../../reading/stop-words.ts'

/** What an answer held when it stopped. */
export interface Held {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** Why it stopped. Upstreams that say `stop` behind calls of tools are common; OpenAI says it behind a refusal too. */
export function readFinishReason(word: unknown, { hasCalls, hasRefusal }: Held): Stop {
  const reason = readStopWord(word, hasCalls)
  if (reason === 'length' || reason === 'filtered' || reason === 'paused') return { reason, sequence: null }
  return { reason: hasCalls ? 'tool_calls' : hasRefusal ? 'filtered' : 'end', sequence: null }
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
