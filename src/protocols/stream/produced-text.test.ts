import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTokens, MOST_PER_BYTE } from './token-estimate.ts'
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

test('tokens that are said not to have been reached are not reached, whatever is still unread', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', '1', '"', '\\', '{', ' ', '\u00f0', 'word ', '我'),
    fc.string({ maxLength: 8 }),
  )
  const delta = fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.array(fc.tuple(delta, fc.nat(4_000)), { maxLength: 30 }), (deltas) => {
      const text = new ProducedText({ ...SHAPE, objects: ['input'] })
      for (const [written, tokens] of deltas) {
        text.add(
          Buffer.from(`data: ${JSON.stringify({ delta: { content: written, input: { written } } })}\n\n`).toString(
            'latin1',
          ),
        )
        const isOpen = text.mayHaveReached(tokens)
        if (!isOpen) expect(text.estimatedTokens).toBeLessThan(tokens)
        expect(text.mayHaveReached(text.estimatedTokens)).toBe(true)
      }
    }),
  )
})

test('no text of bytes is more tokens than is said of unread ones', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 600 }), (bytes) => {
      const literal = Buffer.from(bytes).toString('latin1')
      expect(estimateTokens(literal)).toBeLessThanOrEqual(literal.length * MOST_PER_BYTE)
    }),
  )
  expect(estimateTokens('\u00f0'.repeat(1_000))).toBe(1_000 * MOST_PER_BYTE)
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

test('what was written at a place is kept apart, whatever came between', () => {
  const text = new ProducedText(SHAPE)
  const say = (place: number, said: string): void => {
    text.turnTo(place)
    text.add(`data: {"delta":"${said}"}\n\n`)
  }
  for (const [place, said] of [
    [0, 'a'],
    [1, 'b'],
    [2, 'c'],
    [1, 'd\\n'],
    [0, 'e'],
  ] as const)
    say(place, said)
  expect([0, 1, 2, 3].map((place) => text.toString(place))).toEqual(['ae', 'bd\n', 'c', ''])
  expect(text.toString()).toBe('abcd\ne')
})

test('an empty delta is a beginning, and other events are none', () => {
  const text = new ProducedText(SHAPE)
  text.add('data: {"choices":[]}\n\n')
  expect(text.begun).toBe(false)
  text.add('data: {"delta":{}}\n\n')
  expect(text.begun).toBe(true)
})

const WORDS = 'The key of an account is read from memory, and the model streams its answer word by word.'.split(/(?= )/)

test.for([
  { events: 'one word in 250 bytes', words: 1, padding: 230 },
  { events: 'five words in 150 bytes', words: 5, padding: 100 },
  { events: 'a paragraph', words: 90, padding: 100 },
])('at any moment the estimate leans upwards and is near: $events', ({ words, padding }) => {
  const text = new ProducedText(SHAPE)
  const pad = 'x'.repeat(padding)
  let written = 0
  for (let event = 0; event < 400; event++) {
    const said = Array.from({ length: words }, (_, i) => WORDS[(event * words + i) % WORDS.length]).join('')
    text.add(`data: {"pad":"${pad}","delta":{"content":"${said}"}}\n\n`)
    written += words
    // A word of these is a token, and the guess about the last events may be off by what stands in 8 KB.
    expect(text.estimatedTokens).toBeGreaterThanOrEqual(written - (8_192 / (padding + 30)) * words * 0.2)
    expect(text.estimatedTokens).toBeLessThanOrEqual(written * 2 + 30)
  }
})

test('the estimate goes on beyond the limit of memory', () => {
  const text = new ProducedText(SHAPE)
  for (let i = 0; i < 3_000; i++) text.add(`data: {"delta":"${' word'.repeat(100)}"}\n\n`)
  expect(text.bytes).toBeGreaterThan(PRODUCED_TEXT_LIMIT_BYTES)
  expect(text.estimatedTokens).toBeGreaterThanOrEqual(300_000)
})

test('much text at once is in the estimate at once, and few events in between don’t spoil the guess', () => {
  const text = new ProducedText(SHAPE)
  const addWords = (events: number): void => {
    for (let i = 0; i < events; i++) text.add(`data: {"pad":"${'x'.repeat(200)}","delta":" word"}\n\n`)
  }
  addWords(500)
  text.turnTo(1)
  const before = text.estimatedTokens
  text.add(`data: {"delta":"${' word'.repeat(500)}"}\n\n`)
  expect(text.estimatedTokens - before).toBeGreaterThan(400)
  addWords(200)
  text.turnTo(2)
  text.add('data: {"note":1}\n\n')
  text.turnTo(3)
  const known = text.estimatedTokens
  addWords(30)
  expect(text.estimatedTokens - known).toBeGreaterThan(25)
})

test('what is beyond the limit of memory counts as its own kind of text does', () => {
  const text = new ProducedText(SHAPE)
  const addWords = (words: string, bytes: number): void => {
    const said = words.repeat(100)
    for (let sent = 0; sent < bytes; sent += said.length) text.add(`data: {"delta":"${said}"}\n\n`)
  }
  addWords('internationalization ', PRODUCED_TEXT_LIMIT_BYTES - 10_000)
  expect(text.wholeCount(100_000)).toBe(100_000)
  addWords('internationalization ', PRODUCED_TEXT_LIMIT_BYTES + 10_000)
  expect(text.wholeCount(100_000)).toBeGreaterThan(198_000)
  expect(text.wholeCount(100_000)).toBeLessThan(202_000)
  addWords('a b c d e ', PRODUCED_TEXT_LIMIT_BYTES)
  // Two and a half times as many tokens in as many bytes, by the same rule.
  expect(text.wholeCount(100_000)).toBeGreaterThan(400_000)
})

test('no beginning makes the rest count next to nothing, or without end', () => {
  const text = new ProducedText(SHAPE)
  for (let i = 0; i < 256; i++) text.add(`data: {"delta":"${' '.repeat(4_096)}"}\n\n`)
  text.add(`data: {"delta":"${' word'.repeat(1_000)}"}\n\n`)
  expect(text.wholeCount(0)).toBeGreaterThan(400)
  expect(text.wholeCount(1_000_000)).toBeLessThan(1_001_500)
})
