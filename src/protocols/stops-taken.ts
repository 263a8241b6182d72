import type { ChatWire } from '../core/wire.ts'
import type { StopsTaken } from './hub/stop-at.ts'
import { modelFamily } from './spokes/openai-chat/model-name.ts'

/**
 * What an upstream of this wire takes of stop sequences for a model of this name: the facts of OpenAI's, Anthropic's and
 * Google's API references, and of what they refuse.
 */
export function stopsTakenBy(wire: ChatWire, model: string): StopsTaken {
  return TAKEN[wire](model)
}

const NONE: StopsTaken = { most: 0, blank: false }

const TAKEN: Readonly<Record<ChatWire, (model: string) => StopsTaken>> = {
  'openai-chat': (model) => {
    const family = modelFamily(model)
    if (family === 'openai-reasoning') return NONE
    return { most: family === 'openai-plain' ? 4 : Infinity, blank: true }
  },
  'openai-responses': () => NONE,
  'anthropic-messages': () => ({ most: Infinity, blank: false }),
  gemini: () => ({ most: 5, blank: true }),
}
