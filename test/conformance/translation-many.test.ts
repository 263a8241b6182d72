/** Requests with very many of one thing: carried in the time that their size takes, and never a defect. */
import { describe, expect, test } from 'vitest'
import type { ChatWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/hub/json-object.ts'
import { MODELS, translationOf, WIRES } from './translation-by-hand.ts'

/** More than a function takes as arguments. */
const MANY = 150_000
/** What takes the square of its number takes a minute and more with as many; what does not, less than a second. */
const MANY_CALLS = 45_000
const AT_MOST_MS = 10_000

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

const OPERATOR: Record<ChatWire, JsonObject> = {
  'openai-chat': {
    messages: [
      { role: 'system', content: times(MANY, () => ({ type: 'text', text: 'a' })) },
      { role: 'user', content: 'Hi' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'system', content: times(MANY, () => ({ type: 'input_text', text: 'a' })) },
      { role: 'user', content: 'Hi' },
    ],
  },
  'anthropic-messages': {
    max_tokens: 16,
    system: times(MANY, () => ({ type: 'text', text: 'a' })),
    messages: [{ role: 'user', content: 'Hi' }],
  },
  gemini: {
    systemInstruction: { parts: times(MANY, () => ({ text: 'a' })) },
    contents: [{ parts: [{ text: 'Hi' }] }],
  },
}

/** Results of tools, and of the calls before them nothing: those have been left away. */
const RESULTS = {
  'openai-responses': {
    input: times(MANY, (i) => ({ type: 'function_call_output', call_id: `c${i}`, output: 'x' })),
  },
  'anthropic-messages': {
    max_tokens: 16,
    messages: [
      { role: 'user', content: times(MANY, (i) => ({ type: 'tool_result', tool_use_id: `c${i}`, content: 'x' })) },
    ],
  },
}

/** Calls of Google's form; the last one's result comes first. */
function googlesCalls(nameOf: (i: number) => string, id: (i: number) => object): JsonObject {
  const last = MANY_CALLS - 1
  return {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: times(MANY_CALLS, (i) => ({ functionCall: { ...id(i), name: nameOf(i), args: {} } })) },
      {
        role: 'user',
        parts: times(MANY_CALLS, (i) => ({
          functionResponse: { ...id(last - i), name: nameOf(last - i), response: { output: 'x' } },
        })),
      },
    ],
  }
}

/** Milliseconds, where it is carried. */
function timeOf(from: ChatWire, to: ChatWire, json: JsonObject): number {
  const translation = translationOf(from, from === 'gemini' ? json : { model: MODELS[from], ...json })
  const began = performance.now()
  translation.to(to, { model: MODELS[to], maxOutputTokens: 64_000 })
  return performance.now() - began
}

const PAIRS = WIRES.flatMap((from) => WIRES.filter((to) => to !== from).map((to) => [from, to] as const))

describe.for(PAIRS)('%s to %s', ([from, to]) => {
  test('very many texts of the operator are carried', () => {
    expect(timeOf(from, to, OPERATOR[from])).toBeLessThan(AT_MOST_MS)
  })
})

test.for(['openai-responses', 'anthropic-messages'] as const)('so are very many results of tools of %s', (from) => {
  expect(timeOf(from, 'openai-chat', RESULTS[from])).toBeLessThan(AT_MOST_MS)
})

test('calls of Google’s clients, without ids or in another order, take no square of their number', () => {
  const named = googlesCalls(
    () => 'f',
    (i) => ({ id: `c${i}` }),
  )
  expect(timeOf('gemini', 'openai-chat', named)).toBeLessThan(AT_MOST_MS)
  const nameless = googlesCalls(
    (i) => `f${i}`,
    () => ({}),
  )
  expect(timeOf('gemini', 'openai-chat', nameless)).toBeLessThan(AT_MOST_MS)
}, 120_000)

test('nor do calls of chat completions with as much reasoning between them', () => {
  const opaque = '~tollgate.reasoning.' + Buffer.from('{"vendor":"openai","data":"a"}').toString('base64url')
  const json = {
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        reasoning_details: times(MANY_CALLS, () => ({ type: 'reasoning.encrypted', data: opaque })),
        tool_calls: times(MANY_CALLS, (i) => ({
          id: `c${i}`,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      },
    ],
  }
  expect(timeOf('openai-chat', 'anthropic-messages', json)).toBeLessThan(AT_MOST_MS)
}, 120_000)

test('more than anybody says is refused by name, before it takes everybody’s time', () => {
  const messages = times(500_000, () => ({ role: 'user', content: 'a' }))
  const began = performance.now()
  expect(() => timeOf('openai-chat', 'gemini', { messages })).toThrow(
    expect.objectContaining({ code: 'request_invalid', details: { param: 'messages' } }),
  )
  expect(performance.now() - began).toBeLessThan(AT_MOST_MS)
})
