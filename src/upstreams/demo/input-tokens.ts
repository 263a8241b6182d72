import type { WireFamily } from '../../core/wire.ts'
import { isObject, listOf } from './json.ts'
import { Refusal } from './refusal.ts'
import { countTokens } from './tokens.ts'

/**
 * Tokens of a request's input, the same for the same conversation on every wire: all strings of the messages and
 * instructions but ids, roles and other words of the protocol; of tool definitions the names of the fields too. An image
 * or a file counts 32, however large, and never more than the characters that carry it.
 */
export function countInputTokens(input: { conversation: readonly unknown[]; tools: unknown }): number {
  let count = 0
  eachString(input.conversation, (text, name) => {
    if (MEDIA.has(name)) count += Math.min(MEDIA_TOKENS, text.length)
    else if (!PROTOCOL_WORDS.has(name)) count += countTokens(text)
  })
  eachString(input.tools, (text, name) => {
    count += countTokens(text) + countTokens(name)
  })
  return count
}

/** Refuses a conversation that no context window holds, in the words by which each vendor's clients know it. */
export function refuseLongInput(tokens: number, family: WireFamily): void {
  if (tokens <= CONTEXT_TOKENS) return
  const openai = `This model's maximum context length is ${CONTEXT_TOKENS} tokens. However, your messages resulted in ${tokens} tokens.`
  const anthropic = `prompt is too long: ${tokens} tokens > ${CONTEXT_TOKENS} maximum`
  throw new Refusal(family === 'openai' ? openai : anthropic, { param: 'messages', code: 'context_length_exceeded' })
}

/** Refuses a body that code which calls itself could not walk: JSON.parse takes any depth, JSON.stringify does not. */
export function refuseDeepNesting(body: unknown): void {
  eachString(body, () => {})
}

const CONTEXT_TOKENS = 128_000
const MEDIA_TOKENS = 32
const MEDIA = new Set(['data', 'url', 'image_url', 'file_data', 'file_url', 'file_id'])
const PROTOCOL_WORDS = new Set(
  'type role id call_id tool_call_id tool_use_id status detail media_type format signature encrypted_content ttl'.split(
    ' ',
  ),
)
const NESTING_LIMIT = 100

/** Visits each string with the name of the field it stands in, in no particular order, without calling itself. */
function eachString(root: unknown, visit: (text: string, name: string) => void): void {
  const waiting: { value: unknown; name: string; depth: number }[] = [{ value: root, name: '', depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, name, depth } = next
    if (typeof value === 'string') visit(value, name)
    if (depth === NESTING_LIMIT) throw new Refusal(`The request is nested deeper than ${NESTING_LIMIT} levels.`)
    for (const element of listOf(value)) waiting.push({ value: element, name, depth: depth + 1 })
    if (isObject(value)) {
      for (const field of Object.keys(value)) waiting.push({ value: value[field], name: field, depth: depth + 1 })
    }
  }
}
