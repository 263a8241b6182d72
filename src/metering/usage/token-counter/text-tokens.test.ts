import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { TextTokens } from './text-tokens.ts'

const PROSE = 'The quick brown fox jumps over the lazy dog while the rain keeps falling. '.repeat(40)

test('a text has the tokens of its encoding, however short and however often it comes', () => {
  const texts = new TextTokens()
  for (const text of ['', 'user', 'user', 'Hello there.', PROSE, '你好，世界。'.repeat(20), '<|endoftext|>']) {
    expect(texts.of(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length)
  }
})

test('behind the bound of work a text counts by its bytes, which is no less', () => {
  const exact = encode(PROSE).length
  for (const work of [0, 1, 100, PROSE.length / 2]) {
    const tokens = new TextTokens(work).of(PROSE)
    expect(tokens).toBeGreaterThanOrEqual(exact)
    expect(tokens).toBeLessThanOrEqual(Math.ceil(PROSE.length / 3) + 1)
  }
  const texts = new TextTokens(1_000)
  const words = PROSE.trim().split(' ')
  const one = words.reduce((sum, word) => sum + texts.of(`${word} `), 0)
  expect(one).toBeGreaterThanOrEqual(words.length)
})

test('a run without a border between words takes no more than its share of the work', () => {
  const texts = new TextTokens(100_000)
  const run = 'ab'.repeat(200_000)
  expect(texts.of(run)).toBeGreaterThanOrEqual(Math.floor((run.length * 7) / 8 / 3))
  expect(texts.of(PROSE)).toBe(Math.ceil(PROSE.length / 3))
})
