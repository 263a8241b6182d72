import { expect, test } from 'vitest'
import { converseFrame, judgeConverse } from './bedrock-converse.ts'

const HEADERS = { 'content-type': 'application/json' }
const user = (...content: readonly object[]) => ({ role: 'user', content })
const model = (...content: readonly object[]) => ({ role: 'assistant', content })
const call = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look_up', input: {} } })
const result = (toolUseId: string, more: object = {}) => ({
  toolResult: { toolUseId, content: [{ text: '7' }], ...more },
})
const HELLO = user({ text: 'Hi' })

function judged(...messages: readonly object[]): string | null {
  return judgeConverse(HEADERS, { messages: [HELLO, ...messages], toolConfig: {} })?.message ?? null
}

test('calls are good where the message behind them has the results of all', () => {
  expect(judged(model(call('a'), call('b.c:0')), user(result('b.c:0'), result('a'), { text: 'Go on.' }))).toBeNull()
  expect(judged(model({ text: 'Hello' }))).toBeNull()
})

test.each([
  ['a result is missing', [model(call('a'), call('b')), user(result('a'))], 'Expected toolResult blocks at messages.2'],
  [
    'results are in two messages',
    [model(call('a')), user({ text: 'Wait' }), model({ text: 'Yes' }), user(result('a'))],
    'Expected',
  ],
  ['a result has no call', [model({ text: 'Hello' }), user(result('a'))], 'exceeds the number of toolUse blocks'],
  ['a result comes twice', [model(call('a')), user(result('a'), result('a'))], 'exceeds the number of toolUse blocks'],
  ['an error says nothing', [model(call('a')), user(result('a', { content: [], status: 'error' }))], 'cannot be empty'],
  ['a result is blank', [model(call('a')), user(result('a', { content: [{ text: ' ' }] }))], 'is blank'],
  ['an id is too long', [model(call('a'.repeat(65)))], 'failed to satisfy constraint'],
  ['an id has other letters', [model(call('a|b'))], 'failed to satisfy constraint'],
])('it is refused where %s', (_, messages, words) => {
  expect(judged(...messages)).toContain(words)
})

test('an event is a frame with all of its data, also where they hold what other languages take for the end of a line', () => {
  const data = JSON.stringify({ delta: { text: 'one\u2028two' }, contentBlockIndex: 0 })
  expect(converseFrame(`event: contentBlockDelta\ndata: ${data}`)?.toString()).toContain('one\u2028two')
})
