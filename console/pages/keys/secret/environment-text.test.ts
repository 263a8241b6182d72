import { expect, test } from 'vitest'
import { environmentText } from './environment-text.ts'

const facts = {
  key: { name: 'laptop' },
  setup: {
    base_urls: { openai: 'http://127.0.0.1:8787/v1', anthropic: 'http://127.0.0.1:8787' },
  },
  secret: 'sk-tg-secret',
}

test('an .env file gives each family its own form of the address, and holds nothing that stops a client', () => {
  expect(environmentText(facts).split('\n')).toEqual([
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
  const odd = { ...facts, key: { name: 'a\nOPENAI_API_KEY=b' } }
  expect(environmentText(odd).split('\n')[0]).toBe('# Tollgate, a OPENAI_API_KEY=b')
})
