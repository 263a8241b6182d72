/** What an upstream says of a request that it refuses, as the clients of other wires may hear it. */
import { expect, test } from 'vitest'
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
