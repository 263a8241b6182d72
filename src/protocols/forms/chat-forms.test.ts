import { expect, test } from 'vitest'
import { openaiChat } from '../openai-chat.ts'

interface Message {
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly function_call?: unknown
  readonly reasoning?: unknown
  readonly reasoning_details?: unknown
}

const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`
const STOP = `${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`

function choices(events: string): readonly { readonly message: Message; readonly finish_reason: unknown }[] {
  const answer = openaiChat.readAnswer(Buffer.from(events + STOP))
  if (answer.kind !== 'answer' || answer.rewritten === undefined) throw new Error(`it is ${answer.kind}`)
  const whole = JSON.parse(answer.rewritten.toString()) as { choices: ReturnType<typeof choices> }
  return whole.choices
}

const messageOf = (...events: readonly string[]): Message | undefined => choices(events.join(''))[0]?.message

const piece = (fields: object) => chunk({ tool_calls: [fields] })
const called = (id: string, name: string, json: string) => ({
  id,
  type: 'function',
  function: { name, arguments: json },
})

test('calls in pieces are whole calls without an index, however they are kept apart', () => {
  const expected = [called('a', 'f', '{"x":1}'), called('b', 'g', '{}')]
  // By index, mixed, with the name said twice.
  expect(
    messageOf(
      piece({ index: 0, ...called('a', 'f', '') }),
      piece({ index: 1, ...called('b', 'g', '{') }),
      piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      piece({ index: 1, function: { arguments: '}' } }),
      piece({ index: 0, function: { arguments: ':1}' } }),
    )?.tool_calls,
  ).toEqual(expected)
  // Without an index, one after the other.
  expect(
    messageOf(
      piece(called('a', 'f', '{"x"')),
      piece({ function: { arguments: ':1' } }),
      piece({ id: 'a', function: { arguments: '}' } }),
      piece(called('b', 'g', '{}')),
    )?.tool_calls,
  ).toEqual(expected)
})

test('the form of 2023 is put together as well', () => {
  const pieces = [{ name: 'f', arguments: '' }, { arguments: '{"x"' }, { arguments: ':1}' }]
  expect(messageOf(...pieces.map((call) => chunk({ function_call: call })))).toMatchObject({
    content: null,
    function_call: { name: 'f', arguments: '{"x":1}' },
  })
})

test('reasoning and its details go on where they were, and take their signature', () => {
  const detail = (text: string, more: object = {}) => ({ type: 'reasoning.text', text, index: 0, ...more })
  const message = messageOf(
    chunk({ reasoning: 'a', reasoning_details: [detail('a')] }),
    chunk({ reasoning: 'b', reasoning_details: [detail('b', { signature: 's' })] }),
    chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] }),
    chunk({ content: 'c' }),
  )
  expect(message).toMatchObject({ content: 'c', reasoning: 'ab' })
  expect(message?.reasoning_details).toEqual([
    { type: 'reasoning.text', text: 'ab', index: 0, signature: 's' },
    { type: 'reasoning.encrypted', data: 'x', index: 1 },
  ])
})

test('parts of a content stay parts, and text between them becomes one', () => {
  const part = (text: string) => ({ type: 'text', text })
  expect(messageOf(chunk({ content: [part('a')] }), chunk({ content: 'b' }))?.content).toEqual([part('a'), part('b')])
  expect(messageOf(chunk({ content: 'a' }), chunk({ content: [part('b')] }))?.content).toEqual([part('a'), part('b')])
})

test('several choices stand in their order, each with its own end', () => {
  const second = chunk({ content: 'b' }, { index: 1 }) + chunk({}, { index: 1, finish_reason: 'length' })
  expect(
    choices(second + chunk({ content: 'a' })).map((choice) => [choice.message.content, choice.finish_reason]),
  ).toEqual([
    ['a', 'stop'],
    ['b', 'length'],
  ])
})

test('no key of an upstream reaches the prototype of anything', () => {
  const events = `data: {"choices":[{"index":0,"delta":{"__proto__":{"polluted":1},"content":"a"}}],"__proto__":{"polluted":1}}\n\n`
  expect(messageOf(events)?.content).toBe('a')
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})
