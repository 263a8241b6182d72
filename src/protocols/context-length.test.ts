import { expect, test } from 'vitest'
import { inClientsWords } from './context-length.ts'
import type { UpstreamError } from './protocol.ts'

function said(message: string, code: string | null = null): UpstreamError {
  return { message, type: null, code, param: null }
}

const WORDINGS = [
  said('prompt is too long: 208310 tokens > 200000 maximum'),
  said(
    "This model's maximum context length is 200000 tokens. However, your messages resulted in 208310 tokens. Please reduce the length of the messages.",
    'context_length_exceeded',
  ),
  said('The input token count (208310) exceeds the maximum number of tokens allowed (200000).'),
]

test.for(WORDINGS)('Claude Code reads its own words from: $message', (error) => {
  expect(inClientsWords(error, 'anthropic-messages').message).toBe('prompt is too long: 208310 tokens > 200000 maximum')
})

test.for(WORDINGS)('OpenAI’s clients get its code from: $message', (error) => {
  const worded = inClientsWords(error, 'openai-responses')
  expect(worded.code).toBe('context_length_exceeded')
  expect(worded.message).toContain('200000')
  expect(worded.message).toContain('208310')
})

test('output that is counted in is part of the sum', () => {
  const error = said(
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease one of them',
  )
  expect(inClientsWords(error, 'anthropic-messages').message).toBe('prompt is too long: 209573 tokens > 200000 maximum')
})

test('without numbers the words are enough', () => {
  const error = said('Your input exceeds the context window of this model.', 'context_length_exceeded')
  expect(inClientsWords(error, 'anthropic-messages').message).toBe('prompt is too long')
})

test('any other error stays as it is', () => {
  const error = said('max_tokens is too large: 99999')
  expect(inClientsWords(error, 'gemini')).toBe(error)
})
