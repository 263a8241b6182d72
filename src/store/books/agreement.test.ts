import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agreement } from './agreement.ts'

const figure = fc.bigInt({ min: -3n, max: 3n })
const sums = fc.array(fc.tuple(fc.stringMatching(/^[a-d]$/), figure, figure), { maxLength: 12 })

test('two sides agree exactly when each name has the same sums on both, and the others are named', () => {
  fc.assert(
    fc.property(sums, sums, (one, other) => {
      const agreement = new Agreement()
      const give = () => {
        for (const [name, ...figures] of one) agreement.one(name, ...figures)
        for (const [name, ...figures] of other) agreement.other(name, ...figures)
      }
      const sum = (side: typeof one, name: string) =>
        [1 as const, 2 as const].map((at) => side.reduce((all, each) => (each[0] === name ? all + each[at] : all), 0n))
      const different = ['a', 'b', 'c', 'd'].filter((name) => String(sum(one, name)) !== String(sum(other, name)))
      give()
      expect(agreement.holds).toBe(different.length === 0)
      agreement.beginAgain()
      give()
      const found = agreement.differing()
      expect(found.map(({ name }) => name).sort()).toEqual(different)
      for (const { name, sides } of found) expect(sides).toEqual({ one: sum(one, name), other: sum(other, name) })
    }),
  )
})

test('amounts beyond 64 bits of weight are kept apart', () => {
  const agreement = new Agreement()
  agreement.one('a', 2n ** 62n)
  agreement.other('a', 2n ** 62n - 1n)
  expect(agreement.holds).toBe(false)
})

test('a figure that stands in the place of another is a difference', () => {
  const agreement = new Agreement()
  agreement.one('a', 1n, 2n)
  agreement.other('a', 2n, 1n)
  expect(agreement.holds).toBe(false)
})
