import { expect, test } from 'vitest'
import { time } from './wire-values.ts'

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
