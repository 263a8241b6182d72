/** Requests with very many of one thing: carried in the time that their size takes, and never a defect. */
import { describe, expect, test } from 'vitest'
import { CHAT_WIRES, type ChatWire, type HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import { ABOUT_LINEAR, growthOf, type Sizes } from '../support/growth.ts'
import { MODELS, translationOf, WIRES } from './translation-by-hand.ts'

/** The larger numbers are about as many as fit into what is translated at all. */
const MANY: Sizes = { few: 900, many: 13_500 }
const MANY_CALLS: Sizes = { few: 300, many: 4_500 }

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

const SYSTEM: Record<ChatWire, (many: number) => JsonObject> = {
  'openai-chat': (many) => ({
    messages: [
      { role: 'system', content: times(many, () => ({ type: 'text', text: 'a' })) },
      { role: 'user', content: 'Hi' },
    ],
  }),
  'openai-responses': (many) => ({
    input: [
      { role: 'system', content: times(many, () => ({ type: 'input_text', text: 'a' })) },
      { role: 'user', content: 'Hi' },
    ],
  }),
  'anthropic-messages': (many) => ({
    max_tokens: 16,
    system: times(many, () => ({ type: 'text', text: 'a' })),
    messages: [{ role: 'user', content: 'Hi' }],
  }),
  gemini: (many) => ({
    systemInstruction: { parts: times(many, () => ({ text: 'a' })) },
    contents: [{ parts: [{ text: 'Hi' }] }],
  }),
}

/** Results of tools, without the calls that asked for them. */
const RESULTS: Record<'openai-responses' | 'anthropic-messages', (many: number) => JsonObject> = {
  'openai-responses': (many) => ({
    input: times(many, (i) => ({ type: 'function_call_output', call_id: `c${i}`, output: 'x' })),
  }),
  'anthropic-messages': (many) => ({
    max_tokens: 16,
    messages: [
      { role: 'user', content: times(many, (i) => ({ type: 'tool_result', tool_use_id: `c${i}`, content: 'x' })) },
    ],
  }),
}

/** Calls of Google's form; the last one's result comes first. */
function googlesCalls(many: number, { nameOf, id }: { nameOf(i: number): string; id(i: number): object }): JsonObject {
  const last = many - 1
  return {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: times(many, (i) => ({ functionCall: { ...id(i), name: nameOf(i), args: {} } })) },
      {
        role: 'user',
        parts: times(many, (i) => ({
          functionResponse: { ...id(last - i), name: nameOf(last - i), response: { output: 'x' } },
        })),
      },
    ],
  }
}

function carry(from: ChatWire, to: HubWire, json: JsonObject): void {
  const translation = translationOf(from, from === 'gemini' ? json : { model: MODELS[from], ...json })
  translation.to(to, { model: MODELS[to], maxOutputTokens: 64_000 })
}

const PAIRS = CHAT_WIRES.flatMap((from) => WIRES.filter((to) => to !== from).map((to) => [from, to] as const))

describe.for(PAIRS)('%s to %s', ([from, to]) => {
  test('very many system texts are carried', () => {
    const growth = growthOf((many) => carry(from, to, SYSTEM[from](many)), MANY)
    expect(growth).toBeLessThan(ABOUT_LINEAR)
  })
})

test.for(['openai-responses', 'anthropic-messages'] as const)('so are very many results of tools of %s', (from) => {
  const growth = growthOf((many) => carry(from, 'openai-chat', RESULTS[from](many)), MANY)
  expect(growth).toBeLessThan(ABOUT_LINEAR)
})

test.for([
  ['with one name for all', { nameOf: () => 'f', id: (i: number) => ({ id: `c${i}` }) }],
  ['without ids', { nameOf: (i: number) => `f${i}`, id: () => ({}) }],
] as const)('calls of Google’s clients, %s and in another order, take no square of their number', ([, call]) => {
  const growth = growthOf((many) => carry('gemini', 'openai-chat', googlesCalls(many, call)), MANY_CALLS)
  expect(growth).toBeLessThan(ABOUT_LINEAR)
})

test('nor do calls of chat completions with as much reasoning between them', () => {
  const opaque = '~tollgate.reasoning.' + Buffer.from('{"vendor":"openai","data":"a"}').toString('base64url')
  const jsonOf = (many: number): JsonObject => ({
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        reasoning_details: times(many, () => ({ type: 'reasoning.encrypted', data: opaque })),
        tool_calls: times(many, (i) => ({
          id: `c${i}`,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      },
    ],
  })
  const growth = growthOf((many) => carry('openai-chat', 'anthropic-messages', jsonOf(many)), MANY_CALLS)
  expect(growth).toBeLessThan(ABOUT_LINEAR)
})
