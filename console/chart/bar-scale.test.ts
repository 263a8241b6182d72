import { describe, expect, test } from 'vitest'
import { labelledBars } from './axis-steps.ts'
import { barScale, FULL_HEIGHT, heightOf } from './bar-scale.ts'

describe('a scale', () => {
  test.each([
    [1n, [0n, 1n]],
    [7n, [0n, 2n, 4n, 6n, 8n]],
    [10n, [0n, 2n, 4n, 6n, 8n, 10n]],
    [92n, [0n, 20n, 40n, 60n, 80n, 100n]],
  ])('for %s has round steps', (largest, ticks) => {
    expect(barScale(largest)).toEqual({ top: ticks.at(-1), ticks })
  })

  test.each([
    [10_270_000_000n, [0n, 5_000_000_000n, 10_000_000_000n]],
    [6_940_000_000n, [0n, 2_000_000_000n, 4_000_000_000n, 6_000_000_000n]],
  ])('for %s ends near it where the next mark is far above', (largest, ticks) => {
    expect(barScale(largest)).toEqual({ top: largest + largest / 20n, ticks })
  })

  test('has room for every value, is not left empty above it, and has few ticks', () => {
    for (let value = 1n; value < 10n ** 24n; value = value * 3n + 1n) {
      const scale = barScale(value)
      expect(scale.ticks.length).toBeGreaterThanOrEqual(2)
      expect(scale.ticks.length).toBeLessThanOrEqual(6)
      expect(heightOf(value, scale)).toBeLessThanOrEqual(FULL_HEIGHT)
      expect(heightOf(value, scale)).toBeGreaterThan(FULL_HEIGHT * 0.86)
    }
  })

  test('of nothing says zero alone', () => {
    expect(barScale(0n).ticks).toEqual([0n])
  })
})

test('labels stand at round places, as many as fit', () => {
  const hours = Array.from({ length: 48 }, (_, index) => index + 5)
  const shown = labelledBars(hours, { widthPx: 600, labelPx: 64 }).map((index) => (hours[index] ?? 0) % 24)
  expect(shown).toEqual([6, 12, 18, 0, 6, 12, 18, 0])
  expect(labelledBars([6, 5, 4, 3, 2, 1, 0], { widthPx: 2000, labelPx: 64 })).toHaveLength(7)
})
