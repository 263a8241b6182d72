/** What an upstream says of a request that it refuses, as the clients of other wires may hear it. */
import { expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { translationOf } from './translation-by-hand.ts'

test('the field that an upstream finds fault with is not named to clients that sent another', () => {
  const translation = translationOf('openai-responses', { model: 'llama-4', input: 'Hi' })
  const translated = translation.to('openai-chat', { model: 'llama-4', maxOutputTokens: null })
  const error = { message: 'bad', type: 'invalid_request_error', param: 'messages', code: 'unsupported_value' }
  const answer = translated.readError(Buffer.from(JSON.stringify({ error })))
  expect(answer).toMatchObject({ message: 'bad', param: null, code: 'unsupported_value' })
})

test('nor is a status taken for the name of an error', () => {
  const translation = translationOf('openai-chat', { model: 'gemini-3', messages: [{ role: 'user', content: 'Hi' }] })
  const translated = translation.to('gemini', { model: 'gemini-3', maxOutputTokens: null })
  const error = { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' }
  expect(translated.readError(Buffer.from(JSON.stringify({ error })))).toMatchObject({ message: 'bad', code: null })
})

test('a whole answer of which nothing can be read, and that counts nothing, is none', () => {
  const translation = translationOf('openai-chat', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
  const translated = translation.to('anthropic-messages', { model: 'm', maxOutputTokens: null })
  const answer = (type: string | null): Buffer =>
    Buffer.from(JSON.stringify({ role: 'assistant', content: [{ type, text: 'Hello' }], stop_reason: 'end_turn' }))
  expect(() => translated.answer(answer(null), NO_TOKENS)).toThrow(Fault)
  expect(() => translated.answer(answer(null), NO_TOKENS)).toThrow('cannot be read')
  expect(translated.answer(answer(null), { ...NO_TOKENS, output: 3 }).toString()).toContain('"finish_reason":"stop"')
  expect(translated.answer(answer('text'), NO_TOKENS).toString()).toContain('Hello')
})
