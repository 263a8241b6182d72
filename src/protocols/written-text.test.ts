import { expect, test } from 'vitest'
import { writtenText } from './written-text.ts'

test.each([
  ['chat completions', { choices: [{ message: { role: 'assistant', content: 'Hello' } }] }],
  ['responses', { output: [{ type: 'reasoning' }, { content: [{ type: 'output_text', text: 'Hello' }] }] }],
  [
    'messages',
    {
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hello' },
      ],
    },
  ],
  ['Gemini', { candidates: [{ content: { parts: [{ text: 'Hel' }, { text: 'lo' }] } }] }],
])('the text of an answer on %s is read', (_, answer) => {
  expect(writtenText(Buffer.from(JSON.stringify(answer)))).toBe('Hello')
})

test.each(['', 'not JSON', '[]', '{"choices":[]}', '{"choices":[{"message":{"content":null}}]}'])(
  '%j has none',
  (body) => {
    expect(writtenText(Buffer.from(body))).toBeNull()
  },
)
