import { expect, test } from 'vitest'
import { conversationIn } from './conversation.ts'
import { CONVERSATION_FIELDS } from './reading/request-head.ts'
import { scanObject } from './json/json-scan.ts'

/** The hash of a conversation in words that differ where the conversations do. */
const of = (request: object): string | null => ofText(JSON.stringify(request))

function ofText(text: string): string | null {
  const body = Buffer.from(text)
  const { noted } = scanObject(body, { wanted: new Set(), noted: CONVERSATION_FIELDS })
  const found = conversationIn(body, noted)
  if (found === null || 'name' in found) return found?.name ?? null
  return found.beginnings.map(({ start, end }) => body.toString('utf8', start, end)).join('\n')
}
const first = { role: 'user', content: 'What is a tollgate? '.repeat(200) }
const more = [
  { role: 'assistant', content: 'A gate.' },
  { role: 'user', content: 'And who pays?' },
]

test('the name that a client gives a conversation is what its requests have in common', () => {
  const named = [
    { prompt_cache_key: 'session-1' },
    { metadata: { user_id: 'user_1_account__session_2' } },
    { conversation: 'conv_1' },
    { conversation: { id: 'conv_1' } },
  ]
  const found = named.map((name) => of({ model: 'm', ...name, messages: [first] }))
  expect(found).toEqual(named.map((name) => of({ model: 'm', ...name, messages: [first, ...more] })))
  expect(new Set(found).size).toBe(3)
})

test('without a name it is how the conversation begins', () => {
  const begin = { model: 'm', system: 'Be brief.' }
  expect(of({ ...begin, messages: [first, ...more] })).toBe(of({ ...begin, messages: [first] }))
  expect(of({ ...begin, messages: [{ ...first, content: 'Another question' }] })).not.toBe(
    of({ ...begin, messages: [first] }),
  )
  expect(of({ model: 'm', system: 'Be long.', messages: [first] })).not.toBe(of({ ...begin, messages: [first] }))
})

test('it begins with its first question, however short, and whatever stands before that', () => {
  const asked = [
    { role: 'system', content: [{ type: 'text', text: 'Say "]}" at the end, \\\\.' }] },
    { role: 'user', content: 'Hi' },
  ]
  const later = of({ model: 'm', messages: [...asked, ...more] })
  expect(of({ model: 'm', messages: asked })).toBe(later)
  expect(of({ model: 'm', messages: [asked[0], { role: 'user', content: 'Ho' }, ...more] })).not.toBe(later)
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  expect(of({ contents })).toBe(of({ contents: [...contents, { role: 'model', parts: [{ text: 'Ho' }] }] }))
  expect(of({ input: 'Hi' })).not.toBe(of({ input: 'Ho' }))
})

test('its question distinguishes it behind instructions of 60 KB, and behind reminders in the same message', () => {
  const long = (bytes: number) => 'Be "brief", \\ and kind. '.repeat(bytes / 24)
  const instructions = (bytes: number) => ({ role: 'system', content: long(bytes) })
  for (const bytes of [1_000, 5_000, 60_000]) {
    const begun = (question: string) => [instructions(bytes), { role: 'user', content: question }]
    expect(of({ messages: [...begun('Hi'), ...more] })).toBe(of({ messages: begun('Hi') }))
    expect(of({ messages: begun('Ho') })).not.toBe(of({ messages: begun('Hi') }))
    const spaced = (question: string) => JSON.stringify(begun(question)).replaceAll('":', '": ')
    expect(ofText(`{"messages": ${spaced('Hi')}}`)).not.toBe(ofText(`{"messages": ${spaced('Ho')}}`))
  }
  const reminded = (question: string) => ({
    role: 'user',
    content: [
      { type: 'text', text: long(9_000) },
      { type: 'text', text: question },
    ],
  })
  expect(of({ messages: [reminded('Hi'), ...more] })).toBe(of({ messages: [reminded('Hi')] }))
  expect(of({ messages: [reminded('Ho'), ...more] })).not.toBe(of({ messages: [reminded('Hi'), ...more] }))
})

test('a question ends where its text does, whatever quotes, brackets and backslashes are in it', () => {
  const parts = [
    '"',
    '\\',
    '\\\\',
    '}',
    '"}',
    '},',
    '":"',
    ']',
    'word ',
    'as source code has them, one near the other ',
  ]
  for (let seed = 0; seed < 500; seed++) {
    const content = Array.from(
      { length: 3 + (seed % 40) },
      (_, i) => parts[(seed * 7 + i * (1 + (seed % 9))) % parts.length],
    ).join('')
    const asked = { role: 'user', content }
    const alone = of({ messages: [asked] })
    expect(of({ messages: [asked, ...more] })).toBe(alone)
    expect(of({ messages: [{ ...asked, content: `${content}.` }, ...more] })).not.toBe(alone)
  }
})

test('its question is found wherever the beginning of the list ends, and what comes next need not begin with a role', () => {
  const call = { type: 'function_call', name: 'f', arguments: '{}' }
  for (let bytes = 400; bytes < 560; bytes++) {
    const begun = (content: string) => [
      { role: 'system', content: 'x'.repeat(bytes) },
      { role: 'user', content },
    ]
    const alone = of({ input: begun('Hi') })
    expect(of({ input: [...begun('Hi'), call, ...more] })).toBe(alone)
    expect(of({ input: [...begun('Hi'), ...more] })).toBe(alone)
    expect(of({ input: begun('Ho') })).not.toBe(alone)
  }
})

test('a body with neither has none', () => {
  expect(of({ model: 'm' })).toBeNull()
  expect(of({ model: 'm', metadata: { topic: 'x' }, prompt_cache_key: 7 })).toBeNull()
  expect(conversationIn(Buffer.from('{}'), new Map())).toBeNull()
})

test('a message is its user’s by its own role, wherever that stands, and by nothing that its text quotes', () => {
  const quoting = { role: 'system', content: 'Say {"role":"user"} and "role":"user" to them.' }
  const nested = { role: 'assistant', content: [{ type: 'x', role: 'user' }] }
  for (const before of [[quoting], [nested], [quoting, nested]]) {
    const short = of({ messages: [...before, { content: 'Hi "there"', role: 'user' }] })
    expect(of({ messages: [...before, { content: 'Hi "there"', role: 'user' }, ...more] })).toBe(short)
    expect(of({ messages: [...before, { content: 'Ho', role: 'user' }, ...more] })).not.toBe(short)
  }
})

test('a question behind more than 16 messages, or in something that is not a message, is not looked for', () => {
  const before = (count: number) => Array.from({ length: count }, () => ({ role: 'system', content: 'x'.repeat(100) }))
  const asked = (count: number, question: string) =>
    of({ messages: [...before(count), { role: 'user', content: question }] })
  expect(asked(15, 'Ho')).not.toBe(asked(15, 'Hi'))
  expect(asked(16, 'Ho')).toBe(asked(16, 'Hi'))
  const flawed = '[{"content": , "role": "user"}]'
  expect(ofText(`{"messages": ${flawed}}`)).toBe(flawed)
})
