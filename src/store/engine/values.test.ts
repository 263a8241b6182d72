import { describe, expect, test } from 'vitest'
import { bindable, decodeRows, storableText } from './values.ts'

describe('a value that is bound', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [12, 12n],
    [-0, 0n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    [2n ** 63n - 1n, 2n ** 63n - 1n],
    [true, 1n],
    [false, 0n],
    [null, null],
  ])('%s becomes %s', (value, bound) => {
    expect(bindable(value)).toBe(bound)
  })

  test.each([[0.5], [Number.NaN], [Infinity], [2 ** 53], [undefined], [new Date(0)], [{}], [[1]], [Symbol('s')]])(
    '%s is refused',
    (value) => {
      expect(() => bindable(value)).toThrow(TypeError)
    },
  )
})

test('a text is stored as it is, but for what no text can hold', () => {
  expect(storableText('Ünï 漢字 🦆 {"a":1}')).toBe('Ünï 漢字 🦆 {"a":1}')
  expect(storableText('\0a\0')).toBe('\uFFFDa\uFFFD')
  expect(storableText('a\uD83E')).toBe('a\uFFFD')
})

describe('a row that is read', () => {
  test('is decoded by the names of its columns', () => {
    const row = {
      cost_nano: 2n ** 60n,
      multiplier_ppm: 1n,
      is_stream: 1n,
      is_capped: 0n,
      total_ms: 12n,
      models_json: '["1"]',
    }
    expect(decodeRows([row])).toEqual([
      { cost_nano: 2n ** 60n, multiplier_ppm: 1n, is_stream: true, is_capped: false, total_ms: 12, models_json: ['1'] },
    ])
  })

  test('keeps text that looks like something else', () => {
    const row = { name: '{"a":1}', model: '12', reason: 'null', client: 'true' }
    expect(decodeRows([row])).toEqual([row])
  })

  test('keeps null in every kind of column', () => {
    const row = { cost_nano: null, is_stream: null, models_json: null, total_ms: null, name: null }
    expect(decodeRows([row])).toEqual([row])
  })

  test('is refused rather than rounded', () => {
    expect(decodeRows([{ total_ms: 2n ** 53n - 1n }])).toEqual([{ total_ms: 2 ** 53 - 1 }])
    expect(() => decodeRows([{ total_ms: 2n ** 53n }])).toThrow(/total_ms/)
    expect(() => decodeRows([{ total_ms: -(2n ** 60n) }])).toThrow(RangeError)
    expect(() => decodeRows([{ cost_nano: 1.5 }])).toThrow(TypeError)
  })
})
