import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostAtMoments } from './audit-caps.ts'

const span = (from: number, to: number, beyond: bigint) => ({ from, to, beyond })

test('one thread explains what ran at one moment, each further one those of another moment', () => {
  const spans = [span(0, 10, 5n), span(8, 20, 3n), span(15, 30, 4n), span(40, 50, 6n)]
  expect([1, 2, 3, 4].map((threads) => mostAtMoments(spans, threads))).toEqual([8n, 14n, 18n, 18n])
  expect(mostAtMoments([], 4)).toBe(0n)
})

test('it is the most that any choice of moments has, and no request counts twice', () => {
  const spans = fc.array(fc.record({ from: fc.nat(20), length: fc.nat(8), beyond: fc.bigInt({ min: 0n, max: 9n }) }), {
    maxLength: 7,
  })
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 3 }), (drawn, threads) => {
      const all = drawn.map(({ from, length, beyond }) => span(from, from + length, beyond))
      const choices = Array.from({ length: 21 ** threads }, (_, choice) =>
        Array.from({ length: threads }, (__, digit) => Math.floor(choice / 21 ** digit) % 21),
      )
      const sums = choices.map((moments) =>
        all
          .filter(({ from, to }) => moments.some((at) => from <= at && at <= to))
          .reduce((sum, { beyond }) => sum + beyond, 0n),
      )
      expect(mostAtMoments(all, threads)).toBe(sums.reduce((a, b) => (a > b ? a : b), 0n))
    }),
    { numRuns: 60 },
  )
})
