/** Reads a call as the hub does: what it asks for, in the words of no protocol. */
import { Fault } from '../../src/core/faults.ts'
import type { HubWire } from '../../src/core/wire.ts'
import { type NeutralRequest, readSimulatedRequest } from '../../src/protocols/chat-simulation.ts'
import { type JsonFields, listOf, objectOf } from '../../src/upstreams/demo/json.ts'
import { type CallableTool, lastToolResult } from '../../src/upstreams/demo/question.ts'

export type WireName = 'chat' | 'responses' | 'messages' | 'gemini' | 'converse'

export const CHAT_WIRE_OF: Readonly<Record<WireName, HubWire>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini',
  converse: 'bedrock-converse',
}

export interface Ask {
  readonly stream: boolean
  /** Whether a stream ends with usage: always, except on the chat wire where it must be asked for. */
  readonly includeUsage: boolean
  /** The tools that may be called; empty where calling was forbidden. */
  readonly tools: readonly CallableTool[]
  /** Texts of the users, oldest first, piece by piece. */
  readonly spoken: readonly string[]
  /** Text of the last message of a user. */
  readonly lastText: string
  /** Texts of the results of tools that the conversation ends with; null when it ends otherwise. */
  readonly toolResult: string | null
  /** The most tokens that the answer may have; null: the call says none. */
  readonly outputLimit: number | null
  readonly request: NeutralRequest
}

/** A request of each wire that says nothing, in place of one that the hub cannot read. */
const BARE: Readonly<Record<WireName, JsonFields>> = {
  chat: { messages: [{ role: 'user', content: '' }] },
  responses: { input: '' },
  messages: { messages: [{ role: 'user', content: '' }], max_tokens: 1 },
  gemini: { contents: [{ role: 'user', parts: [{ text: '' }] }] },
  converse: { messages: [{ role: 'user', content: [{ text: '' }] }] },
}

/** Returns what the body asks for. On wires with the model in the path that decides on `stream`, which is false here. */
export function readAsk(wire: WireName, body: JsonFields): Ask {
  const request = readRequest(wire, body)
  const users = request.turns.filter(({ role }) => role === 'user')
  const pieces = users.map(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])))
  return {
    stream: wire !== 'gemini' && wire !== 'converse' && body['stream'] === true,
    includeUsage: wire !== 'chat' || objectOf(body['stream_options'])['include_usage'] === true,
    tools: callableTools(request, body),
    spoken: pieces.flat(),
    lastText: pieces.at(-1)?.join('') ?? '',
    toolResult: lastToolResult(request.turns),
    outputLimit: request.settings.get('maxOutputTokens'),
    request,
  }
}

function readRequest(wire: WireName, body: JsonFields): NeutralRequest {
  try {
    return readSimulatedRequest(CHAT_WIRE_OF[wire], body)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return readSimulatedRequest(CHAT_WIRE_OF[wire], BARE[wire])
  }
}

/** A tool that is deferred cannot be called before it was searched for. */
function callableTools({ tools, toolChoice }: NeutralRequest, body: JsonFields): readonly CallableTool[] {
  if (toolChoice?.kind === 'none') return []
  const written = listOf(body['tools']).map(objectOf)
  const deferred = new Set(written.flatMap((tool) => (tool['defer_loading'] === true ? [tool['name']] : [])))
  return tools.flatMap((tool) => (tool.kind === 'hosted' || deferred.has(tool.name) ? [] : [tool]))
}
