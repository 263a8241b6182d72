import { describe, expect, test } from 'vitest'
import { wireNamesInShort } from './wire-names.ts'

describe('the protocols of a group on its card', () => {
  test('a few are all named', () => {
    expect(wireNamesInShort(['gemini', 'openai-chat', 'openai-embeddings'])).toBe('Chat, Gemini, Embeddings')
  })

  test('of many, those of chat clients are named and the others are counted', () => {
    const wires = ['anthropic-messages', 'gemini', 'openai-chat', 'openai-completions', 'openai-images']
    expect(wireNamesInShort([...wires, 'openai-responses'])).toBe('Chat, Responses, Messages, Gemini +2')
  })
})
