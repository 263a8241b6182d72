import { expect, test } from 'vitest'
import { texts as keysEn } from '../../../dictionaries/keys-en.ts'
import { cardText, environmentText } from './key-card.ts'

const card = {
  key: { name: 'laptop', group: 'default' },
  setup: {
    base_urls: { openai: 'http://127.0.0.1:8787/v1', anthropic: 'http://127.0.0.1:8787' },
    models: [{ name: 'gpt-5.5' }, { name: 'claude-sonnet-5' }],
  },
  secret: 'sk-tg-secret',
}

test('an .env file gives each family its own form of the address, and holds nothing that stops a client', () => {
  expect(environmentText(card).split('\n')).toEqual([
    '# Tollgate, laptop',
    'OPENAI_BASE_URL=http://127.0.0.1:8787/v1',
    'OPENAI_API_KEY=sk-tg-secret',
    'ANTHROPIC_BASE_URL=http://127.0.0.1:8787',
    'ANTHROPIC_AUTH_TOKEN=sk-tg-secret',
    'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787',
    'GEMINI_API_KEY=sk-tg-secret',
    '',
  ])
})

test('the name of a key cannot set a variable of its own', () => {
  const odd = { ...card, key: { ...card.key, name: 'a\nOPENAI_API_KEY=b' } }
  expect(environmentText(odd).split('\n')[0]).toBe('# Tollgate, a OPENAI_API_KEY=b')
})

test('a card has everything that a client asks for', () => {
  const text = cardText(card, keysEn.secret.cardFields)
  for (const part of ['laptop', 'default', '/v1', 'sk-tg-secret', 'gpt-5.5, claude-sonnet-5']) {
    expect(text).toContain(part)
  }
})
