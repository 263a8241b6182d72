import { expect, test } from 'vitest'
import { BOUNDS } from '../core/bounds.ts'
import { KEY_TAG } from '../core/key-tags.ts'
import { MODEL_NAME } from '../core/model-name.ts'
import { givenName, time, usdAmount } from './wire-values.ts'

test.for([
  ['2026-11-21T08:30:00Z', true],
  ['9999-12-31T23:59:59Z', true],
  ['0000-01-01T00:00:00Z', true],
  ['9999-12-31T23:59:59-14:00', false],
  ['0000-01-01T00:00:00+14:00', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-11-21', false],
] as const)('a time that could not be written again is refused: %s', ([text, isTaken]) => {
  expect(time.safeParse(text).success).toBe(isTaken)
})

test.for([
  ['日本語 🔑', true],
  ['x'.repeat(100), true],
  ['a\nb', false],
  ['a\u0000b', false],
  ['a\u2028b', false],
  ['a\u2029b', false],
  ['half of a character: \ud83d', false],
] as const)('a name that a database would not keep as it came is refused: %j', ([text, isTaken]) => {
  expect(givenName(BOUNDS.key.name).safeParse(text).success).toBe(isTaken)
  expect(MODEL_NAME.test(text)).toBe(isTaken)
  expect(KEY_TAG.test(text)).toBe(isTaken)
})

test.for(['9000000000.000000001', '9999999999', '0.1234567891', '-1', '1e3'])(
  'what is refused as an amount hears its bounds: %s',
  (text) => {
    expect(usdAmount.safeParse(text).error?.issues[0]?.message).toMatch(/up to nine places and at most 9000000000$/)
  },
)
