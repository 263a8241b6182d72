import { expect, test } from 'vitest'
import { speaks, wiresTo } from './route.ts'

test('an anthropic upstream speaks messages and nothing else', () => {
  expect(speaks('anthropic', 'anthropic-messages')).toBe(true)
  expect(speaks('anthropic', 'openai-chat')).toBe(false)
  expect(speaks('openai-chat', 'openai-responses')).toBe(false)
})

test('a chat client reaches every upstream, on the same wire where it can; others only their own', () => {
  expect(wiresTo('openai', 'openai-chat')).toEqual(['openai-chat'])
  expect(wiresTo('openai', 'anthropic-messages')).toEqual(['openai-responses', 'openai-chat'])
  expect(wiresTo('anthropic', 'gemini')).toEqual(['anthropic-messages'])
  expect(wiresTo('anthropic', 'openai-embeddings')).toEqual([])
})
