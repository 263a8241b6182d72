import { expect, test } from 'vitest'
import { readPastedLine } from './pasted-line.ts'

const HERE = { origin: 'https://gateway.example', also: 'https://gateway.example' }
const read = (text: string) => readPastedLine(text, HERE)
const OWN = `sk-tg-${'a1B2'.repeat(12)}`

test.for([
  OWN,
  OWN.slice(0, 12),
  'sk-',
  'sk-proj-abcdefghijklmnop1234',
  'sk-ant-api03-abcdefghijklmnop',
  'Authorization: Bearer abcdefgh12345',
  'bearer abcd',
  'tg-pat-abcdef123456',
  'AIzaSyA1234567890abcdefghijklmnopqrstuv',
  'x 9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  `OPENAI_API_KEY=${OWN}`,
  'see "sk-tg-abc',
])('what may be a secret is never sent as words to search for: %s', (text) => {
  expect(read(text).isSearchable).toBe(false)
})

test.for(['laptop', 'build server 2', 'claude-sonnet-4-20250514', 'gpt', '密钥', 'key_01hzy8k3v9q2w4e6r8t0y1u3i5'])(
  'a name is searched for, and reports nothing: %s',
  (text) => {
    expect(read(text)).toEqual({ request: null, clues: null, isSearchable: true })
  },
)

test('a request ID leads to its record, alone or in an error', () => {
  const id = 'req_01h8xgjwbwbaq4z6t0v3k5m7n9'
  expect(read(id).request).toBe(id)
  expect(read(`401 Unauthorized (request ${id})`).request).toBe(id)
  expect(read(id).isSearchable).toBe(false)
})

test.for([
  '{"error":{"code":"model_unknown","message":"no such model"}}',
  'curl: (7) Failed to connect to localhost port 1',
])('an error is diagnosed: %s', (text) => {
  expect(read(text).clues).not.toBeNull()
})

test('what is diagnosed keeps no secret', () => {
  expect(JSON.stringify(read(`401 with ${OWN}`))).not.toContain(OWN.slice(0, -4))
})
