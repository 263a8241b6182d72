import type { JsonObject } from '../../hub/json-object.ts'
import { effortOf } from '../../hub/reasoning-scale.ts'
import type { Effort, Reasoning, SettingsToWrite } from '../../hub/request-settings.ts'
import type { ModelFamily } from './model-name.ts'

const OPENAI_EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
/** Those that every provider with `reasoning_effort` knows; DeepSeek takes the rest for one of them. */
const USUAL_EFFORTS: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The wish for reasoning, as the model's provider takes it. It is left out, and named, where the model is one that does
 * not reason, or where it is not known how to turn it off: agents send the wish with every request.
 */
export function writeReasoningWish(settings: SettingsToWrite, family: ModelFamily): JsonObject {
  const reasoning = settings.take('reasoning')
  if (reasoning === null) return {}
  const written = isNone(reasoning) ? noReasoning(family) : someReasoning(reasoning, family)
  if (written === null) settings.drop('reasoning')
  return written ?? {}
}

function isNone({ effort, budgetTokens }: Reasoning): boolean {
  return effort === 'none' || (effort === null && budgetTokens === 0)
}

/** `thinking` is DeepSeek's, Kimi's and GLM's, `enable_thinking` Alibaba's; Google's compatible endpoint has the effort. */
function noReasoning(family: ModelFamily): JsonObject | null {
  switch (family) {
    case 'openai-reasoning':
    case 'gemini':
      return { reasoning_effort: 'none' }
    case 'thinking-switch':
      return { thinking: { type: 'disabled' } }
    case 'qwen':
      return { enable_thinking: false }
    case 'openai-plain':
      return {}
    case 'other':
      return null
  }
}

function someReasoning(reasoning: Reasoning, family: ModelFamily): JsonObject | null {
  if (family === 'openai-plain') return null
  const effort = effortOf(reasoning, family === 'openai-reasoning' ? OPENAI_EFFORTS : USUAL_EFFORTS)
  return effort === null ? {} : { reasoning_effort: effort }
}
