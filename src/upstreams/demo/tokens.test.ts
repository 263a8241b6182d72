import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countTokens, cutToTokens, wordsOf } from './tokens.ts'

test.for([
  ['', 0],
  ['sixsix', 1],
  ['sevenly', 2],
  ['hello world', 2],
  ['a, b', 3],
  ['{"a":1}', 5],
  ['====', 1],
  ['=====', 2],
  ['   ', 1],
  [`a${' '.repeat(17)}b`, 3],
  [`a${' '.repeat(18)}b`, 4],
  ['дом', 2],
  ['你好', 2],
  ['👋👋', 2],
  ['line\nnext', 2],
] as const)('%j has %d tokens by the rule of the docstring', ([text, tokens]) => {
  expect(countTokens(text)).toBe(tokens)
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 200 })

test('the words of a stream are the text, and a text never has more tokens than bytes', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect([...wordsOf(text)].join('')).toBe(text)
      expect(countTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text))
    }),
  )
})

test('a text cut to a number of tokens is a beginning of it that has just that many', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, limit) => {
      const cut = cutToTokens(text, limit)
      expect(text.startsWith(cut)).toBe(true)
      expect(countTokens(cut)).toBe(Math.min(limit, countTokens(text)))
    }),
  )
})

test('words keep the blank before them, and text without blanks comes in portions too', () => {
  expect([...wordsOf('to be, or')]).toEqual(['to', ' be,', ' or'])
  expect([...wordsOf('x'.repeat(30))].map((word) => word.length)).toEqual([12, 12, 6])
})
