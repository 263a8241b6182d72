import { expect, test } from 'vitest'
import { farMove } from './far-move.ts'

// nanbingxyz/5ire#382: a price for a thousand tokens was entered where one for a million belongs.
test.each([
  ['2.50', '25', 'far'],
  ['2.50', '7.50', 'far'],
  ['2.50', '7.49', null],
  ['3', '1', 'far'],
  ['3', '1.01', null],
  ['2.50', '0', 'zero'],
  ['0', '0.000001', 'zero'],
  ['0', '0.00', null],
])('%s to %s is %s', (before, after, move) => {
  expect(farMove(before, after)).toBe(move)
})
