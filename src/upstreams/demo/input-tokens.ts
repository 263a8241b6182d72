import type { AnswerBlock, NeutralRequest, Tool, Turn } from '../../protocols/chat-simulation.ts'
import type { WireFamily } from '../../core/wire.ts'
import { isObject, listOf } from './json.ts'
import { Refusal } from './refusal.ts'
import { countTokens } from './tokens.ts'

/**
 * Tokens of a request's input, the same for the same conversation on every wire: the texts of the messages and
 * instructions, names and inputs of calls, and of tool definitions the names of the fields too. An image, a sound or a file
 * counts 32, however large, and never more than the characters that carry it.
 */
export function countInputTokens({ turns, tools }: NeutralRequest): number {
  let count = 0
  for (const turn of turns) for (const part of turn.parts) count += tokensOfPart(part)
  for (const tool of tools) count += tokensOfTool(tool)
  return count
}

/** Refuses a conversation that no context window holds, in the words by which each vendor's clients know it. */
export function refuseLongInput(tokens: number, family: WireFamily): void {
  if (tokens <= CONTEXT_TOKENS) return
  throw new Refusal(TOO_LONG[family](tokens), { param: 'messages', code: 'context_length_exceeded' })
}

/** Refuses a body that code which calls itself could not walk: JSON.parse takes any depth, JSON.stringify does not. */
export function refuseDeepNesting(body: unknown): void {
  eachString(body, () => {})
}

const CONTEXT_TOKENS = 128_000
const MEDIA_TOKENS = 32
const NESTING_LIMIT = 100

const TOO_LONG: Readonly<Record<WireFamily, (tokens: number) => string>> = {
  openai: (tokens) =>
    `This model's maximum context length is ${CONTEXT_TOKENS} tokens. However, your messages resulted in ${tokens} tokens.`,
  anthropic: (tokens) => `prompt is too long: ${tokens} tokens > ${CONTEXT_TOKENS} maximum`,
  gemini: (tokens) =>
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${CONTEXT_TOKENS}).`,
}

function tokensOfPart(part: Turn['parts'][number] | AnswerBlock): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return countTokens(part.text)
    case 'tool_call':
      return countTokens(part.name) + countTokens(part.input)
    case 'tool_result':
      return part.parts.reduce((sum, piece) => sum + tokensOfPart(piece), 0)
    case 'image':
    case 'file':
    case 'audio': {
      const { source } = part
      return Math.min(MEDIA_TOKENS, source.kind === 'data' ? source.base64.length : source.url.length)
    }
  }
}

function tokensOfTool(tool: Tool): number {
  let count = countTokens(tool.name)
  if (tool.kind === 'hosted') return count
  count += countTokens(tool.description ?? '')
  if (tool.kind === 'custom') return count + countTokens(tool.grammar?.definition ?? '')
  eachString(tool.schema, (text, name) => {
    count += countTokens(text) + countTokens(name)
  })
  return count
}

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
