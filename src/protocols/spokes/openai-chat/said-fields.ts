import { fieldsOf, textOf } from '../../json/json-object.ts'
import type { ReasoningField } from './chat-opaque.ts'
import { textOfDetails } from './reasoning-detail.ts'

/** What a message or a delta of a stream says, whatever the provider. Empty where it says nothing of the kind. */
export interface MessageFields {
  readonly reasoning: string
  readonly field: ReasoningField
  readonly details: readonly unknown[]
  readonly text: string
  readonly refusal: string
}

/**
 * Reads a message or a delta. Reasoning is `reasoning_content` at DeepSeek, Kimi, Qwen and older vLLM, `reasoning` at
 * OpenRouter, Groq and newer vLLM, often under both names at once; Mistral has it as parts of the content.
 */
export function readSaid(message: Readonly<Record<string, unknown>>): MessageFields {
  const { content, refusal, reasoning_details: list } = message
  const details = Array.isArray(list) ? (list as readonly unknown[]) : NONE
  const parts = Array.isArray(content) ? readParts(content) : null
  const named = textOf(message['reasoning_content'])
  const plain = named === '' ? textOf(message['reasoning']) : ''
  const shown = named + plain
  return {
    reasoning: shown === '' ? (parts?.thinking ?? textOfDetails(details)) : shown,
    field: plain === '' ? 'reasoning_content' : 'reasoning',
    details,
    text: parts?.text ?? textOf(content),
    refusal: textOf(refusal),
  }
}

const NONE: readonly unknown[] = []

function readParts(content: readonly unknown[]): { text: string; thinking: string } {
  let said = ''
  let thinking = ''
  for (const part of content) {
    const { type, text: own, thinking: inner } = fieldsOf(part)
    if (type === 'text') said += textOf(own)
    if (type === 'thinking') thinking += Array.isArray(inner) ? readParts(inner).text : textOf(inner)
  }
  return { text: said, thinking }
}
