import { describe, expect, test } from 'vitest'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import { readAnswer } from './read-answer.ts'
import { clientCall } from '../../../../test/support/responses-stream.ts'
import { writeAnswer } from './write-answer.ts'

/** Required by the Open Responses schema `ResponseResource`. */
const REQUIRED = (
  'id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools ' +
  'tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature ' +
  'reasoning user usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier ' +
  'prompt_cache_key'
).split(' ')

describe('an answer of the responses wire', () => {
  test('has all fields, with what the request said and else what is so by default', () => {
    const response = write([{ kind: 'text', text: 'Hi' }], 'end', {
      instructions: 'Be short.',
      temperature: 0.3,
      tools: [{ type: 'function', name: 'read' }, { type: 'web_search' }],
      text: { verbosity: 'low' },
      reasoning: { effort: 'low' },
      metadata: null,
    })
    expect(Object.keys(response)).toEqual(expect.arrayContaining(REQUIRED))
    expect(response).toMatchObject({
      id: 'resp_abc',
      created_at: 1_790_000_000,
      completed_at: 1_790_000_000,
      instructions: 'Be short.',
      temperature: 0.3,
      top_p: 1,
      tools: [
        { type: 'function', name: 'read', description: null, parameters: null, strict: null },
        { type: 'web_search' },
      ],
      text: { verbosity: 'low', format: { type: 'text' } },
      reasoning: { effort: 'low', summary: null },
      metadata: {},
      store: false,
    })
  })

  test('what is too long to be repeated reads as empty', () => {
    const response = write([], 'end', {
      instructions: 'x'.repeat(200_000),
      tools: [{ type: 'custom', name: 'x'.repeat(200_000) }],
    })
    expect(response).toMatchObject({ instructions: null, tools: [] })
  })

  test.for([
    ['end', 'completed', null],
    ['stop_sequence', 'completed', null],
    ['tool_calls', 'completed', null],
    ['paused', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['filtered', 'incomplete', { reason: 'content_filter' }],
  ] as const)('that stopped at its %s is %s', ([reason, status, incomplete_details]) => {
    expect(write([{ kind: 'text', text: 'Hi' }], reason)).toMatchObject({ status, incomplete_details })
  })

  test('is read as it was written', () => {
    const blocks: AnswerBlock[] = [
      { kind: 'reasoning', text: 'Hm.', opaque: { vendor: 'google', data: 'c2ln' } },
      { kind: 'text', text: 'Hi', logprobs: [{ token: 'Hi', logprob: -1, bytes: [72, 105], top: [] }] },
      { kind: 'refusal', text: 'No.' },
      { kind: 'tool_call', id: 'call_1', name: 'read', input: '{"a":1}', isCustom: false },
      { kind: 'tool_call', id: 'call_2', name: 'patch', input: '***', isCustom: true },
    ]
    expect(readAnswer(write(blocks, 'tool_calls')).choices).toEqual([
      { blocks, stop: { reason: 'tool_calls', sequence: null } },
    ])
  })

  test('without a word is a message without a word, so that no client asks again', () => {
    expect(write([], 'end')['output']).toMatchObject([
      { type: 'message', content: [{ type: 'output_text', text: '' }] },
    ])
    expect(write([], 'length')['output']).toEqual([])
  })

  test('a call without arguments has empty ones', () => {
    const [call] = write([{ kind: 'tool_call', id: 'a', name: 'read', input: '', isCustom: false }], 'tool_calls')[
      'output'
    ] as JsonObject[]
    expect(call).toMatchObject({ call_id: 'a', arguments: '{}' })
  })
})

function write(blocks: readonly AnswerBlock[], reason: StopReason, asked: JsonObject = {}): JsonObject {
  const answer = { choices: [{ blocks, stop: { reason, sequence: null } }] }
  return writeAnswer(answer, clientCall({ asked }), { ...NO_TOKENS, input: 1, output: 1 })
}
