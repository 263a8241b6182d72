import type { ChatWire } from '../../src/core/wire.ts'

/** What tells a client of each protocol that an answer is whole, or that a call in it is to be run. */
const SUCCESS: Readonly<Record<ChatWire, RegExp>> = {
  'openai-chat': /\[DONE\]|"finish_reason":\s*"(?:stop|tool_calls|function_call)"/,
  'openai-responses':
    /"response\.completed"|"type":"function_call","status":"completed"|"response\.function_call_arguments\.done"/,
  'anthropic-messages':
    /"message_stop"|"stop_reason":\s*"(?:end_turn|tool_use|stop_sequence)"|"name":"write_file".*"content_block_stop"/s,
  gemini: /"finishReason":\s*"STOP"|"functionCall"/,
}

/** Good ends of the answer as a whole. */
const GOOD_ENDS: Readonly<Record<ChatWire, RegExp>> = {
  'openai-chat': /"finish_reason":\s*"(?:stop|tool_calls|function_call)"/,
  'openai-responses': /"type":"response\.completed"/,
  'anthropic-messages': /"type":"message_stop"|"stop_reason":\s*"(?:end_turn|tool_use|stop_sequence)"/,
  gemini: /"finishReason":\s*"STOP"/,
}

/** Whether the bytes tell a client that the answer as a whole is good. */
export function hasGoodEnd(client: ChatWire, bytes: string): boolean {
  return GOOD_ENDS[client].test(bytes)
}

/** Whether the bytes tell a client so. */
export function saysSuccess(client: ChatWire, bytes: string): boolean {
  return SUCCESS[client].test(bytes)
}

/** The last event of a stream of each protocol that has one. */
const ENDS: Readonly<Record<ChatWire, RegExp | null>> = {
  'openai-chat': /\[DONE\]/,
  'openai-responses': /"response\.(?:completed|incomplete)"/,
  'anthropic-messages': /"message_stop"/,
  gemini: null,
}

/** Whether the bytes end a stream of that protocol. */
export function isEnded(client: ChatWire, bytes: string): boolean {
  return ENDS[client]?.test(bytes) ?? false
}
