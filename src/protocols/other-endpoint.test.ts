import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import type { ChatWire } from '../core/wire.ts'
import { protocolOf } from './protocol-of.ts'
import { Translation } from './translation.ts'
import { refusedForOtherEndpoint } from './other-endpoint.ts'

const CHAT = 'POST /v1/chat/completions'
const RESPONSES = 'POST /v1/responses'
const MESSAGES = 'POST /v1/messages'
const GEMINI = 'POST /v1beta/models/{model}:generateContent'

const FLAT_TOOL = { type: 'function', name: 'read', parameters: { type: 'object' } }
const USER = [{ role: 'user', content: 'Hi' }]

/** What no upstream of the endpoint could answer is refused before one is asked. */
test.for<readonly [ChatWire, object, string, string | null]>([
  [
    'openai-chat',
    { input: [{ role: 'user', content: 'Hi' }], tools: [FLAT_TOOL], stream: true, include: [] },
    RESPONSES,
    'gabrii/Cursor-Azure-GPT-5#69',
  ],
  ['openai-chat', { input: 'Hi', instructions: 'Be brief.', store: false }, RESPONSES, 'Soju06/codex-lb#833'],
  ['openai-chat', { input: [], stream_options: { include_usage: true } }, RESPONSES, 'BerriAI/litellm#18200'],
  ['openai-chat', { input: USER, user: 'u', metadata: {} }, RESPONSES, 'Helicone/helicone#5629'],
  ['openai-chat', { input: USER, tools: [FLAT_TOOL] }, RESPONSES, 'nsxdavid/anthropic-max-router#2'],
  ['openai-chat', { contents: [{ parts: [{ text: 'Hi' }] }] }, GEMINI, null],
  ['openai-responses', { messages: USER }, CHAT, 'madox2/vim-ai#162'],
  ['openai-responses', { messages: USER, max_completion_tokens: 5, prompt_cache_key: 'k' }, CHAT, null],
  ['openai-responses', { messages: USER, system: 'Be brief.', max_tokens: 5 }, MESSAGES, null],
  ['openai-responses', { contents: [{ parts: [{ text: 'Hi' }] }] }, GEMINI, null],
  ['anthropic-messages', { input: USER, max_tokens: 5 }, RESPONSES, null],
  ['anthropic-messages', { contents: [{ parts: [{ text: 'Hi' }] }] }, GEMINI, null],
  ['gemini', { messages: USER }, CHAT, null],
  ['gemini', { messages: USER, system: [{ type: 'text', text: 'Be brief.' }] }, MESSAGES, null],
  ['gemini', { input: 'Hi' }, RESPONSES, null],
])('at %s %j belongs to %s', ([wire, fields, endpoint]) => {
  const fault = faultOf(() => read(wire, { model: 'm', ...fields }))
  expect(fault).toMatchObject({ code: 'request_invalid' })
  expect(fault.message).toMatch(/^This is a .* request: /)
  expect(fault.message).toContain(`Send it to ${endpoint}.`)
})

test('a body without a model hears of the endpoint first, since Google’s have it in their path', () => {
  const contents = [{ parts: [{ text: 'Hi' }] }]
  expect(faultOf(() => read('openai-chat', { contents })).message).toContain(GEMINI)
})

test.for<readonly [ChatWire, object]>([
  ['openai-chat', { messages: USER, input: 'a field of some provider' }],
  ['openai-responses', { prompt: { id: 'pmpt_1' } }],
  ['openai-responses', { previous_response_id: 'resp_1' }],
  ['openai-responses', { input: 'Hi', messages: [] }],
  ['anthropic-messages', { messages: USER, input: 1 }],
  ['gemini', { generateContentRequest: { contents: [] } }],
  ['openai-chat', { messages: null, input: 'Hi' }],
])('at %s %j is left to the upstream', ([wire, fields]) => {
  expect(read(wire, { model: 'm', ...fields })).toMatchObject({ model: 'm' })
})

/** Where both have `messages`, what cannot be translated tells whose request it is. */
test.for<readonly [ChatWire, object, string | null, string | null]>([
  [
    'openai-chat',
    { messages: USER, tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }] },
    MESSAGES,
    'automazeio/vibeproxy#411',
  ],
  [
    'openai-chat',
    {
      messages: [
        ...USER,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
      ],
    },
    MESSAGES,
    'askalf/dario#203',
  ],
  ['openai-chat', { system: 'Be brief.', messages: USER, max_tokens: 5 }, MESSAGES, null],
  ['openai-chat', { messages: USER, stop_sequences: ['END'] }, MESSAGES, null],
  [
    'anthropic-messages',
    { messages: USER, tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }] },
    CHAT,
    'langchain-ai/langchainjs#5849',
  ],
  ['anthropic-messages', { messages: USER, response_format: { type: 'json_object' } }, CHAT, null],
  [
    'anthropic-messages',
    {
      messages: [
        ...USER,
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    },
    CHAT,
    null,
  ],
  [
    'anthropic-messages',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test/a.png' } }] }] },
    CHAT,
    null,
  ],
  // Responses-style tools alone do not tell: the reader names the field.
  ['openai-chat', { messages: USER, tools: [FLAT_TOOL] }, null, 'anomalyco/opencode#42231'],
])('what %s cannot read of %j belongs to %s', ([wire, fields, endpoint]) => {
  const fault = faultOf(() => translate(wire, { model: 'm', ...fields }))
  expect(fault.code).toBe('request_invalid')
  if (endpoint === null) expect(fault.message).not.toContain('Send it to')
  else expect(fault.message).toContain(`Send it to ${endpoint}.`)
})

test('a list of anything else is not a sign of another wire', () => {
  const odd = { messages: [null, 'text', { content: [null, 1] }], tools: 'none' }
  expect(refusedForOtherEndpoint('openai-chat', odd)).toBeNull()
  expect(refusedForOtherEndpoint('anthropic-messages', odd)).toBeNull()
  expect(refusedForOtherEndpoint('openai-responses', { messages: USER, system: 'x' })).toBeNull()
})

function read(wire: ChatWire, fields: object): object {
  const body = Buffer.from(JSON.stringify(fields))
  return protocolOf(wire).readRequest(body, { fromPath: { model: 'm', isStream: false } })
}

function translate(wire: ChatWire, fields: object): void {
  const body = Buffer.from(JSON.stringify(fields))
  const head = protocolOf(wire).readRequest(body)
  new Translation({ wire, body, head, requestId: 'req_1', nowMs: 0 }).to('gemini', {
    model: 'gemini-3-pro',
    maxOutputTokens: null,
  })
}

function faultOf(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('no fault was thrown')
}
