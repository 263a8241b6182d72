import { expect, test } from 'vitest'
import type { ClientWire } from '../core/wire.ts'
import { kindOf } from './model-kind.ts'

const at = (...endpoints: ClientWire[]) => ({ serving: { endpoints } })

test.for([
  [at('openai-embeddings'), 'embedding', 'endpoints'],
  [at('openai-chat', 'anthropic-messages'), 'chat', 'endpoints'],
  [at('openai-images'), 'image', 'endpoints'],
  [{ ...at('openai-images'), kind: 'video' as const }, 'video', 'set'],
  [at('openai-chat', 'openai-embeddings'), 'chat', 'default'],
  [{ serving: { timeoutMs: 5 } }, 'chat', 'default'],
] as const)('a model with %j is one of %s, by %s', ([about, kind, from]) => {
  expect(kindOf({ name: 'in-house-7', prices: null, ...about })).toEqual({ kind, from })
})

test('what a model may be called at says more than its name', () => {
  expect(kindOf({ name: 'text-embedding-3', prices: null }).kind).toBe('embedding')
  expect(kindOf({ name: 'text-embedding-3', prices: null, ...at('openai-chat') }).kind).toBe('chat')
})
