import { isObject, type JsonObject } from '../json/json-object.ts'
import { mayHoldForeignReasoning, WRAPPED_PREFIX } from './opaque-reasoning.ts'
import { writeJson } from '../json/exact-json.ts'
import { parseExactly } from '../json/exact-reader.ts'
import { mayBeParsed, tooLargeToRewrite } from '../parse-bounds.ts'
import type { Fault } from '../../core/faults.ts'
import type { Protocol } from '../protocol.ts'

const QUOTED_MARK = `"${WRAPPED_PREFIX}`

type RewriteRequest = Protocol['rewriteRequest']
/** The request without reasoning of other makers; null when it holds none. */
type Drop = (request: JsonObject) => JsonObject | null

/**
 * Requests on their own wire, for upstreams that refuse reasoning they did not make: a conversation that another model has
 * answered in part holds such reasoning in the wire's own field, marked (`hub/opaque-reasoning.ts`). Only a body with the
 * mark in it is parsed and written anew; all others pass as `rewrite` has them. Throws the fault `request_invalid` for one that is too
 * large for that.
 */
export function keepingOwnReasoning(rewrite: RewriteRequest, drop: Drop): RewriteRequest {
  return (body, head, change) => {
    const request = mayHoldForeignReasoning(body) ? parsed(body, QUOTED_MARK) : null
    const rest = request === null ? null : drop(request)
    if (rest === null) return rewrite(body, head, change)
    return [Buffer.from(writeJson(() => ({ ...rest, model: change.model })))]
  }
}

/** See `ProtocolBase.rewriteRefusal`. */
export function ownReasoningRefusal(body: Buffer): Fault | null {
  return largeWith(QUOTED_MARK, body)
}

/** The fault for a body with this mark, which begins with a quote, that is too large to be parsed. */
export function largeWith(mark: string, body: Buffer): Fault | null {
  // Without its quote it is found in a fifth of the time: a body is full of quotes.
  if (!body.includes(mark.slice(1)) || !body.includes(mark)) return null
  return mayBeParsed(body) ? null : tooLargeToRewrite()
}

/** Takes the items of reasoning out of a request of responses. */
export function dropForeignItems(request: JsonObject): JsonObject | null {
  const { input } = request
  if (!Array.isArray(input)) return null
  const own = input.filter((item) => !(isOfType(item, 'reasoning') && isForeign(item['encrypted_content'])))
  return own.length === input.length ? null : { ...request, input: own }
}

/**
 * Takes the blocks of thinking out of a request of messages, and messages that held nothing else. Where the model is in the midst of calling
 * tools and the thought before that is gone, thinking by a budget goes as well, as Anthropic would refuse it.
 */
export function dropForeignThinking(request: JsonObject): JsonObject | null {
  const before: readonly unknown[] = Array.isArray(request['messages']) ? request['messages'] : []
  const messages = before.map(withoutForeignBlocks).filter((message) => !isEmptied(message))
  if (messages.length === before.length && messages.every((message, i) => message === before[i])) return null
  const rest = { ...request, messages }
  return isOfType(request['thinking'], 'enabled') && lacksThinking(messages) ? withoutThinking(rest) : rest
}

function withoutForeignBlocks(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message['content'])) return message
  const blocks: readonly unknown[] = message['content']
  const own = blocks.filter((block) => !isForeignBlock(block))
  return own.length === blocks.length ? message : { ...message, content: own }
}

function isForeignBlock(block: unknown): boolean {
  if (isOfType(block, 'thinking')) return isForeign(block['signature'])
  return isOfType(block, 'redacted_thinking') && isForeign(block['data'])
}

function isForeign(value: unknown): boolean {
  return typeof value === 'string' && mayHoldForeignReasoning(Buffer.from(value))
}

function isEmptied(message: unknown): boolean {
  return isObject(message) && Array.isArray(message['content']) && message['content'].length === 0
}

/** Whether the answers since the user's last own words begin without a thought. `thinking-budget.ts` has the same in parts. */
function lacksThinking(messages: readonly unknown[]): boolean {
  let first: unknown = null
  for (const message of messages.toReversed()) {
    if (!isObject(message)) return false
    if (message['role'] === 'assistant') first = message['content']
    else if (message['role'] === 'user' && !answersCalls(message['content'], first === null)) break
  }
  const block: unknown = Array.isArray(first) ? first[0] : null
  return block !== null && !isOfType(block, 'thinking') && !isOfType(block, 'redacted_thinking')
}

/** Results and nothing else, but in the last message, where other words may stand beside them. */
function answersCalls(content: unknown, isLast: boolean): boolean {
  if (!Array.isArray(content)) return false
  const results = content.filter((block) => isOfType(block, 'tool_result'))
  return results.length > 0 && (isLast || results.length === content.length)
}

/** And without what is allowed beside thinking only. */
function withoutThinking(request: JsonObject): JsonObject {
  const rest: Record<string, unknown> = { ...request }
  delete rest['thinking']
  const management = request['context_management']
  if (!isObject(management) || !Array.isArray(management['edits'])) return rest
  const edits = management['edits'].filter((edit) => !(isObject(edit) && isClearThinking(edit['type'])))
  return { ...rest, context_management: { ...management, edits } }
}

function isClearThinking(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('clear_thinking_')
}

function isOfType(value: unknown, type: string): value is JsonObject {
  return isObject(value) && value['type'] === type
}

/** Null where it is not a JSON object, or too large and has the mark in the midst of a text alone, which means nothing. */
export function parsed(body: Buffer, mark: string): JsonObject | null {
  if (!mayBeParsed(body)) {
    if (body.includes(mark)) throw tooLargeToRewrite()
    return null
  }
  try {
    const request = parseExactly(body, null)
    return isObject(request) ? request : null
  } catch {
    return null
  }
}
