import { Fault } from '../core/faults.ts'
import { CHAT_WIRES, type ChatWire, type HubWire, isChatWire, type Wire, WIRES } from '../core/wire.ts'
import { mayBeParsed } from './parse-bounds.ts'
import { fieldsOf, listOf, parseOrUndefined } from './json/json-object.ts'

/** A request that was sent to the endpoint of another wire than `meant`, its own. */
export class MisdirectedRequest extends Fault {
  readonly meant: ChatWire

  constructor(meant: ChatWire, why: string, param: string) {
    const message = `This is a ${NAMES[meant]} request: ${why}. Send it to ${WIRES[meant].endpoint}.`
    super('request_invalid', message, { param })
    this.meant = meant
  }
}

/**
 * Throws the fault `request_invalid` that names the right endpoint, for a body without this wire's conversation and with
 * another wire's: no upstream could answer it.
 * `has` says whether a field stands at the top of the body.
 */
export function refuseOtherEndpoint(wire: ChatWire, has: (field: string) => boolean): void {
  const own = WIRES[wire].conversation
  if (has(own)) return
  const found = (['messages', 'input', 'contents'] as const).find((field) => field !== own && has(field))
  if (found === undefined) return
  // Only Anthropic's requests have instructions of this name beside the messages.
  const meant = found === 'messages' && has('system') ? 'anthropic-messages' : FIRST_WITH[found]
  throw new MisdirectedRequest(meant, `it has \`${found}\` and no \`${own}\``, found)
}

const FIRST_WITH = {
  messages: 'openai-chat',
  input: 'openai-responses',
  contents: 'gemini',
} as const satisfies Record<'messages' | 'input' | 'contents', ChatWire>

/**
 * The fault that names the right endpoint, for a body that this wire's reader refused and that plainly is another wire's with
 * the same list of messages. Null: it is not.
 */
export function refusedForOtherEndpoint(wire: HubWire, body: Readonly<Record<string, unknown>>): Fault | null {
  for (const meant of CHAT_WIRES) {
    if (meant === wire || WIRES[meant].conversation !== WIRES[wire].conversation) continue
    const sign = SIGNS[meant](body)
    if (sign !== null) return new MisdirectedRequest(meant, `it has \`${sign}\``, sign)
  }
  return null
}

/**
 * Finds the hint for a body that passed untouched and that an upstream refused; in one of more than 1 MB nothing is looked for. Returns
 * the sentence for the caller.
 */
export function hintOfOtherEndpoint(wire: Wire, body: Buffer): string | null {
  if (!isChatWire(wire) || body.length > HINTED_BODY_LIMIT_BYTES || !mayBeParsed(body)) return null
  return refusedForOtherEndpoint(wire, fieldsOf(parseOrUndefined(body.toString())))?.message ?? null
}

const HINTED_BODY_LIMIT_BYTES = 1024 * 1024

/** Signs by which a body with `messages` shows the wire it is of: a path that only that wire has. */
const SIGNS: Readonly<Record<ChatWire, (body: Readonly<Record<string, unknown>>) => string | null>> = {
  'openai-chat': (body) =>
    fieldIn(body, ['max_completion_tokens', 'response_format']) ??
    inList(body['tools'], (tool) => (isThere(tool['function']) ? 'tools[].function' : null)) ??
    inList(body['messages'], (message) => {
      if (isThere(message['tool_calls'])) return 'messages[].tool_calls'
      return isThere(message['tool_call_id']) ? 'messages[].tool_call_id' : null
    }) ??
    inContents(body, ['image_url', 'input_audio']),
  'anthropic-messages': (body) =>
    fieldIn(body, ['system', 'anthropic_version', 'stop_sequences']) ??
    inList(body['tools'], (tool) => (isThere(tool['input_schema']) ? 'tools[].input_schema' : null)) ??
    inContents(body, ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document']),
  'openai-responses': () => null,
  gemini: () => null,
}

function fieldIn(body: Readonly<Record<string, unknown>>, fields: readonly string[]): string | null {
  return fields.find((field) => isThere(body[field])) ?? null
}

function inContents({ messages }: Readonly<Record<string, unknown>>, types: readonly string[]): string | null {
  return inList(messages, ({ content }) =>
    inList(content, ({ type }) => {
      const found = types.find((each) => each === type)
      return found === undefined ? null : `messages[].content[].${found}`
    }),
  )
}

function inList(list: unknown, signOf: (fields: Readonly<Record<string, unknown>>) => string | null): string | null {
  for (const each of listOf(list)) {
    const sign = signOf(fieldsOf(each))
    if (sign !== null) return sign
  }
  return null
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

const NAMES: Readonly<Record<ChatWire, string>> = {
  'openai-chat': 'chat completions',
  'openai-responses': 'Responses API',
  'anthropic-messages': 'Messages API',
  gemini: 'Gemini API',
}
