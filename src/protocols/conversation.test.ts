import { expect, test } from 'vitest'
import { conversationIn } from './conversation.ts'

const of = (request: object) => conversationIn(Buffer.from(JSON.stringify(request)))
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

test('a body with neither, or that cannot be read, has none', () => {
  expect(of({ model: 'm' })).toBeNull()
  expect(of({ model: 'm', metadata: { topic: 'x' }, prompt_cache_key: 7 })).toBeNull()
  expect(conversationIn(Buffer.from('{"prompt_cache_key":"x'))).toBeNull()
  expect(conversationIn(Buffer.from('[]'))).toBeNull()
})
