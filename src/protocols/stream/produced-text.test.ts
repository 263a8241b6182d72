import { expect, test } from 'vitest'
import { PRODUCED_TEXT_LIMIT_BYTES, ProducedText, type TextShape } from './produced-text.ts'

const SHAPE: TextShape = {
  fields: ['content', 'thought', 'hint', 'arguments'],
  twins: ['thought', 'hint'],
  finish: /end":"/,
}

function textOf(...deltas: unknown[]): string {
  const text = new ProducedText(SHAPE)
  for (const delta of deltas) text.add(Buffer.from(`data: ${JSON.stringify({ id: 1, delta })}\n\n`).toString('latin1'))
  return text.toString()
}

test.for([
  [['Hé', 'llo "你"\n\\'], 'Héllo "你"\n\\'],
  [[{ content: 'a' }, { role: 'x', content: 'b' }, { content: null }, {}, null, 7], 'ab'],
  [
    [{ tool_calls: [{ id: 'no', function: { arguments: '{"delta":"x"}' } }, { function: { arguments: '2' } }] }],
    '{"delta":"x"}2',
  ],
  [[{ thought: 'hm', hint: 'hm' }, { thought: 'hm' }, { hint: 'hm', thought: 'so' }], 'hmhmhmso'],
  [[{ content: 'same' }, { content: 'same' }], 'samesame'],
  [[{ content: '\\"delta":"no"' }], '\\"delta":"no"'],
] as const)('the text of %j is %s', ([deltas, text]) => {
  expect(textOf(...deltas)).toBe(text)
})

test('characters whose halves come in two deltas are whole', () => {
  const text = new ProducedText(SHAPE)
  text.add('data: {"delta":"\\ud83d"}\n\ndata: {"delta":"\\ude00"}\n\n')
  expect(text.toString()).toBe('😀')
})

test('long streams are read in parts, with the same result', () => {
  const text = new ProducedText(SHAPE)
  for (let i = 0; i < 3_000; i++) text.add(`data: {"pad":"${'x'.repeat(50)}","delta":{"content":"<${i}>"}}\n\n`)
  expect(text.toString()).toBe(Array.from({ length: 3_000 }, (_, i) => `<${i}>`).join(''))
  expect(text.bytes).toBe(text.toString().length)
})

test('memory is bounded, and what is beyond is counted', () => {
  const text = new ProducedText(SHAPE)
  for (let i = 0; i < 300; i++) text.add(`data: {"delta":"${'\\n'.repeat(2_500)}"}\n\n`)
  expect(text.bytes).toBe(300 * 5_000)
  expect(text.toString().length).toBeLessThanOrEqual(PRODUCED_TEXT_LIMIT_BYTES / 2)
  expect(text.toString()).toMatch(/^\n+$/)
})

test('tells that the model has finished, also when that was long ago', () => {
  const text = new ProducedText(SHAPE)
  expect(text.finished).toBe(false)
  text.add('data: {"end":"stop","delta":{}}\n\n')
  for (let i = 0; i < 1_000; i++) text.add(`data: {"end":null,"delta":"${'x'.repeat(50)}"}\n\n`)
  expect(text.finished).toBe(true)
})

test('text that JSON does not know is kept as it is written', () => {
  const text = new ProducedText(SHAPE)
  text.add('data: {"delta":"a\\xb"}\n\ndata: {"delta":"c')
  expect(text.toString()).toBe('a\\xbc')
})
