import { expect, test } from 'vitest'
import { POOLED_TOKENS_LENGTH, PooledTokenWindow } from './pooled-token-window.ts'
import { SlidingCount } from '../../core/sliding-count.ts'

test('what two requests give back is taken out once, also where one takes what the other was counted with', () => {
  const window = new PooledTokenWindow(new SlidingCount(), new Float64Array(POOLED_TOKENS_LENGTH))
  window.ceiling = 100
  window.begin(100, 0)
  // There is no room for it before the first has left the minute.
  const owing = window.begin(50, 10_000)
  expect(window.at(60_250)).toBe(50)
  const fitting = window.begin(50, 61_000)
  window.end(owing, 0, 62_000)
  window.end(fitting, 0, 63_000)
  const later = [63_000, 119_000, 120_300, 120_600, 121_000, 130_000]
  expect(later.map((elapsed) => window.at(elapsed))).toEqual(later.map(() => 0))
})
