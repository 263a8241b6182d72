import { expect, test } from 'vitest'
import { keysEn } from '../../../dictionaries/keys-en.ts'
import { cardText, environmentText } from './key-card.ts'

const card = {
  key: { name: 'laptop', group: 'default' },
  setup: {
    base_urls: { openai: 'http://127.0.0.1:8787/v1', anthropic: 'http://127.0.0.1:8787' },
    models: ['gpt-5.5', 'claude-sonnet-5'].map((name) => ({
      name,
      protocols: [],
      context_tokens: null,
      max_output_tokens: null,
    })),
  },
  secret: 'sk-tg-secret',
}

test('an .env file gives each family its own form of the address', () => {
  expect(environmentText(card).split('\n')).toEqual([
    'OPENAI_BASE_URL=http://127.0.0.1:8787/v1',
    'OPENAI_API_KEY=sk-tg-secret',
    'ANTHROPIC_BASE_URL=http://127.0.0.1:8787',
    'ANTHROPIC_API_KEY=sk-tg-secret',
    'ANTHROPIC_AUTH_TOKEN=sk-tg-secret',
    '',
  ])
})

test('a card has everything that a client asks for', () => {
  const text = cardText(card, keysEn.secret.cardFields)
  for (const part of ['laptop', 'default', '/v1', 'sk-tg-secret', 'gpt-5.5, claude-sonnet-5']) {
    expect(text).toContain(part)
  }
})
