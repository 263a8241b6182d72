import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from './token-estimate.ts'

/** A generator of its own, so that every run sees the same. */
function noise(characters: string, length: number): string {
  let state = 7
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return characters[(state >> 8) % characters.length]
  }).join('')
}

const HEXADECIMAL = '0123456789abcdef'
const CODE =
  'export function joined(pieces: Buffer[]): Buffer | null {\n  return pieces[0] ?? null // the usual case\n}\n'
const texts = {
  prose: 'The quick brown fox jumps over the lazy dog, and then it rests in the shade of an old oak tree. '.repeat(20),
  markdown: '## What must work\n\n1. **One admission**: key state, `concurrency`, and so on\n| a | b |\n'.repeat(20),
  code: CODE.repeat(20),
  json: JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ id: i, name: `n${i}`, tags: ['a'], ok: true }))),
  hexadecimal: noise(HEXADECIMAL, 2_000),
  uuids: `${noise(HEXADECIMAL, 8)}-${noise(HEXADECIMAL, 4)}-${noise(HEXADECIMAL, 12)}\n`.repeat(40),
  csv: Array.from({ length: 200 }, (_, i) => `${i},${(i * 7.31).toFixed(2)},x`).join('\n'),
  formulas: '\\frac{a+b}{c_{ij}} \\le \\sum_{k=1}^{n} x_k^2 + y_k^{-1}'.repeat(20),
  chinese: '今天天气很好，我们去公园散步吧。请帮我写一段代码。'.repeat(30),
  korean: '오늘은 날씨가 정말 좋아서 공원에 산책하러 갔습니다.'.repeat(30),
  russian: 'Сегодня хорошая погода, и мы пошли гулять в парк. Напишите программу.'.repeat(30),
  hindi: 'आज मौसम बहुत अच्छा है और हम पार्क में टहलने गए।'.repeat(30),
  emoji: '😀🎉🚀 done 👩‍💻 '.repeat(50),
}

function literalOf(text: string): string {
  return Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1')
}

test.for(Object.entries(texts))('%s is estimated too high, and at most twice', ([, text]) => {
  const tokens = encode(text).length
  const pieces = text.match(/[^]{1,90}/gu) ?? []
  const estimated = pieces.map((piece) => estimateTokens(literalOf(piece))).reduce((sum, part) => sum + part, 0)
  expect(estimated / tokens).toBeGreaterThan(1.05)
  expect(estimated / tokens).toBeLessThan(2.1)
})

test.for(Object.entries(texts))('%s is estimated as well when there is much at once', ([, text]) => {
  const tokens = encode(text).length
  expect(estimateTokens(literalOf(text)) / tokens).toBeGreaterThan(1)
  expect(estimateTokens(literalOf(text)) / tokens).toBeLessThan(2.1)
})

test.for([0, 128, 300, 512, 896])('dense text hides behind no prose, %s bytes into each kilobyte', (start) => {
  const dense = noise(HEXADECIMAL, 1_024)
  const kilobyte = dense.slice(0, start) + texts.prose.slice(0, 128) + dense.slice(start + 128)
  const text = kilobyte.repeat(20)
  expect(estimateTokens(text) / encode(text).length).toBeGreaterThan(1)
})

/** Characters of a range in no order. */
function scatter(first: number, last: number): string {
  return noise(String.fromCodePoint(...Array.from({ length: last - first }, (_, i) => first + i)), 2_000)
}

const built = {
  'small letters': scatter(0x61, 0x7b),
  capitals: scatter(0x41, 0x5b),
  signs: noise('!#$%&()*+,-./:;<=>?@[]^_{|}~', 2_000),
  accents: scatter(0x100, 0x17f),
  'combining marks': scatter(0x300, 0x36f),
  'old Cyrillic': scatter(0x460, 0x47f),
  Coptic: scatter(0x3d0, 0x3ff),
  'N’Ko': scatter(0x7ca, 0x7ea),
  Samaritan: scatter(0x800, 0x82d),
  Tibetan: scatter(0xf40, 0xf6c),
  Cherokee: scatter(0x13a0, 0x13f4),
  'rare Chinese': scatter(0x3400, 0x4db5),
  spaces: ' '.repeat(8_000),
}

test.for(Object.entries(built))('%s, built to be many tokens, are at most 4.8 times the estimate', ([, text]) => {
  const tokens = encode(text).length
  expect(estimateTokens(literalOf(text)) * 4.8).toBeGreaterThan(tokens * 0.999)
})

test.for(['capitals', 'accents', 'combining marks', 'N’Ko'] as const)(
  '%s are at most 1.7 times the estimate',
  (name) => {
    expect(estimateTokens(literalOf(built[name])) * 1.7).toBeGreaterThan(encode(built[name]).length)
  },
)

test('text that is longer than what is read at once counts the same', () => {
  const text = texts.json.repeat(60)
  expect(text.length).toBeGreaterThan(200_000)
  expect(estimateTokens(text) / (estimateTokens(texts.json) * 60)).toBeCloseTo(1, 2)
})

test('nothing is zero tokens, and spaces are few', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens(' '.repeat(1_000))).toBeLessThan(12)
})
