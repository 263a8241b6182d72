import { expect, test } from 'vitest'
import { protocolOf } from './protocol-of.ts'

const usage = { completion_tokens: 9, output_tokens: 9 }

const CASES = [
  ['openai-chat', { choices: [{ finish_reason: 'length' }, { finish_reason: 'length' }], usage }, true],
  ['openai-chat', { choices: [{ finish_reason: 'length' }, { finish_reason: 'stop' }] }, false],
  ['openai-chat', { choices: [{ finish_reason: 'stop', message: { content: '"finish_reason":"length"' } }] }, false],
  ['openai-chat', { choices: [] }, false],
  ['openai-completions', { choices: [{ text: 'a', finish_reason: 'length' }] }, true],
  ['anthropic-messages', { type: 'message', stop_reason: 'max_tokens', usage }, true],
  ['anthropic-messages', { type: 'message', stop_reason: 'end_turn' }, false],
  ['anthropic-messages', { type: 'message', stop_reason: 'model_context_window_exceeded' }, false],
  [
    'openai-responses',
    {
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 9 },
    },
    true,
  ],
  ['openai-responses', { object: 'response', status: 'completed', usage: { output_tokens: 9 } }, false],
  ['gemini', { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'MAX_TOKENS' }] }, true],
  ['gemini', { candidates: [{ finishReason: 'STOP' }] }, false],
] as const

test.each(CASES)(
  'an answer of %s says that it was cut at its limit by its own fields alone: %j',
  (wire, body, isCut) => {
    const answer = protocolOf(wire).readAnswer(Buffer.from(JSON.stringify(body)))
    expect(answer.kind === 'answer' && answer.isCut?.()).toBe(isCut)
  },
)
