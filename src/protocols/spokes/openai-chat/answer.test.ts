import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { AnswerBlock, NeutralRequest } from '../../hub/neutral-request.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import { Notes } from '../../hub/notes.ts'
import { RequestSettings } from '../../hub/request-settings.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { openaiChatSpoke } from '../openai-chat.ts'

const REQUEST: NeutralRequest = { turns: [], tools: [], toolChoice: null, settings: new RequestSettings() }
const CALL: ClientCall = {
  requestId: 'req_1',
  model: 'm',
  nowMs: 17_900,
  includeUsage: false,
  asked: {},
  request: REQUEST,
}
const USED = { ...NO_TOKENS, input: 10, cacheRead: 5, cacheWrite: 2, output: 7, reasoning: 3 }
const FUNCTION_CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }

function read(message: object, rest: object = {}): unknown {
  return openaiChatSpoke.readAnswer({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop', ...rest }] })
    .choices[0]
}

function write(
  blocks: readonly AnswerBlock[],
  { reason = 'end', asked = {} }: { reason?: StopReason; asked?: JsonObject } = {},
): JsonObject {
  const answer = { choices: [{ blocks, stop: { reason, sequence: null } }] }
  return openaiChatSpoke.writeAnswer(answer, { ...CALL, asked }, USED)
}

function choiceOf(answer: JsonObject): JsonObject {
  const [choice] = answer['choices'] as JsonObject[]
  return choice ?? {}
}

function withoutPlace(part: object): object {
  return { ...part, at: undefined }
}

const stop = (reason: StopReason): object => ({ reason, sequence: null })
const text = (said: string): AnswerBlock => ({ kind: 'text', text: said })
const called = (id: string): AnswerBlock => ({ kind: 'tool_call', id, name: 'f', input: '{"a":1}', isCustom: false })

test('DeepSeek’s answer is read: reasoning, text, then a call that ends it', () => {
  expect(read({ content: 'I look.', reasoning_content: 'hm', tool_calls: [FUNCTION_CALL] })).toEqual({
    blocks: [{ kind: 'reasoning', text: 'hm', opaque: null }, text('I look.'), called('c1')],
    stop: stop('tool_calls'),
  })
})

test('OpenRouter’s answer keeps what goes back to the vendor of its reasoning', () => {
  const details = [
    { type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'x', id: 'r', format: 'anthropic-claude-v1', index: 1 },
  ]
  expect(read({ content: 'said', reasoning: 'hm', reasoning_details: details })).toEqual({
    blocks: [
      {
        kind: 'reasoning',
        text: 'hm',
        opaque: { vendor: 'chat', data: JSON.stringify({ field: 'reasoning', details }) },
      },
      text('said'),
    ],
    stop: stop('end'),
  })
})

test('the signature at Google’s compatible endpoint stands before its call, Mistral’s thinking before its text', () => {
  const signed = { ...FUNCTION_CALL, extra_content: { google: { thought_signature: 'sig' } } }
  expect(read({ content: null, tool_calls: [signed] })).toMatchObject({
    blocks: [{ kind: 'reasoning', text: '', opaque: { vendor: 'google', data: 'sig' } }, called('c1')],
  })
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
  expect(read({ content: [thinking, { type: 'text', text: 'said' }] })).toMatchObject({
    blocks: [{ kind: 'reasoning', text: 'hm', opaque: null }, text('said')],
  })
})

test.each([
  ['length', { content: 'a' }, 'length'],
  ['content_filter', { content: 'a' }, 'filtered'],
  ['stop', { content: null, refusal: 'No.' }, 'filtered'],
  ['stop', { content: null, tool_calls: [FUNCTION_CALL] }, 'tool_calls'],
  ['function_call', { content: null, function_call: { name: 'f', arguments: '' } }, 'tool_calls'],
  ['constructor', { content: 'a' }, 'length'],
  ['eos', { content: null, tool_calls: [FUNCTION_CALL] }, 'tool_calls'],
  ['stop_sequence', { content: null, tool_calls: [FUNCTION_CALL] }, 'tool_calls'],
  ['tool_calls', { content: 'a' }, 'end'],
  [null, { content: 'a' }, 'end'],
] as const)('finish_reason %s of %j is %s', (finish_reason, message, reason) => {
  expect(read(message, { finish_reason })).toMatchObject({ stop: stop(reason) })
})

test('a call without arguments has empty ones, and one with an object has its text', () => {
  const message = { tool_calls: [{ function: { name: 'f' } }, { function: { name: 'f', arguments: { a: 1 } } }] }
  expect(read(message)).toMatchObject({ blocks: [{ input: '{}' }, { input: '{"a":1}' }] })
})

test('an answer is written as OpenAI’s, with the whole input in its usage', () => {
  expect(write([{ kind: 'reasoning', text: 'hm', opaque: null }, text('I look.'), called('c1')])).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 17,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I look.',
          refusal: null,
          reasoning_content: 'hm',
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'f', arguments: '{"a":1}' },
            },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 17,
      completion_tokens: 7,
      total_tokens: 24,
      prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  })
  const answer = { choices: [{ blocks: [], stop: { reason: 'end', sequence: null } }] } as const
  expect(openaiChatSpoke.writeAnswer(answer, CALL, NO_TOKENS)).not.toHaveProperty('usage')
})

test.each([
  [[text('a')], 'stop_sequence', 'stop'],
  [[text('a')], 'length', 'length'],
  [[text('a')], 'tool_calls', 'stop'],
  [[called('c')], 'end', 'tool_calls'],
  [[called('c')], 'length', 'length'],
  [[], 'filtered', 'content_filter'],
  [[{ kind: 'refusal', text: 'No.' }], 'filtered', 'stop'],
] as const)('%j that stopped for %s finishes with %s', (blocks, reason, finish) => {
  expect(choiceOf(write(blocks, { reason }))['finish_reason']).toBe(finish)
})

test('a client that asked for functions gets its call as one', () => {
  const choice = choiceOf(write([called('c')], { asked: { functions: [{ name: 'f' }] } }))
  expect(choice).toMatchObject({
    message: { content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
    finish_reason: 'function_call',
  })
  expect(choice['message']).not.toHaveProperty('tool_calls')
})

test('log probabilities come through', () => {
  const content = [{ token: 'a', logprob: -0.1, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: null }] }]
  const block = read({ content: 'a' }, { logprobs: { content } }) as { blocks: AnswerBlock[] }
  expect(choiceOf(write(block.blocks))['logprobs']).toEqual({ content, refusal: null })
})

const opaque = fc.record({ vendor: fc.constantFrom('anthropic', 'openai'), data: fc.string({ minLength: 1 }) })
const reasoning = fc.record({ kind: fc.constant('reasoning' as const), text: fc.string({ minLength: 1 }), opaque })
const thoughts = fc.array(reasoning, { maxLength: 2 })

test('a client that sends an answer back gives every block of reasoning its place, text and signature again', () => {
  fc.assert(
    fc.property(thoughts, thoughts, fc.array(thoughts, { maxLength: 3 }), (front, behindText, beforeCalls) => {
      const calls = beforeCalls.flatMap((each, index) => [...(index === 0 ? [] : each), called(`c${index}`)])
      const blocks = [...front, text('said'), ...behindText, ...calls] as AnswerBlock[]
      const message = JSON.parse(JSON.stringify(choiceOf(write(blocks))['message'])) as JsonObject
      const request = openaiChatSpoke.readRequest({ model: 'm', messages: [message] }, new Notes({}))
      expect(request.turns[0]?.parts.map(withoutPlace)).toEqual(blocks)
    }),
    { numRuns: 200 },
  )
})

test('a signature stays with its own text behind reasoning that has none', () => {
  const signed = { kind: 'reasoning', text: 'c', opaque: { vendor: 'anthropic', data: 'x' } } as const
  const blocks = [{ kind: 'reasoning', text: 'ab', opaque: null } as const, signed, text('said')]
  const message = choiceOf(write(blocks))['message'] as JsonObject
  const { turns } = openaiChatSpoke.readRequest({ model: 'm', messages: [message] }, new Notes({}))
  expect(turns[0]?.parts.map(withoutPlace)).toEqual(blocks)
})

test('Google’s signature goes out on its call too, and comes back once', () => {
  const signature = { kind: 'reasoning', text: '', opaque: { vendor: 'google', data: 'sig' } } as const
  const blocks = [signature, called('c1'), called('c2')]
  const message = choiceOf(write(blocks))['message'] as JsonObject
  expect(message['tool_calls']).toMatchObject([{ extra_content: { google: { thought_signature: 'sig' } } }, {}])
  for (const sent of [message, { ...message, reasoning_details: null }]) {
    const { turns } = openaiChatSpoke.readRequest({ model: 'm', messages: [sent] }, new Notes({}))
    expect(turns[0]?.parts.map(withoutPlace)).toEqual(blocks)
  }
})

test('any JSON is read without a throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (message, calls) => {
      openaiChatSpoke.readAnswer({
        choices: [message, { message }, { message: { content: message, tool_calls: calls } }],
      })
      openaiChatSpoke.readAnswer({ choices: message, id: calls })
    }),
    { numRuns: 200 },
  )
})
