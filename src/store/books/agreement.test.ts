import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agreement } from './agreement.ts'

const sums = fc.array(fc.tuple(fc.stringMatching(/^[a-d]$/), fc.bigInt({ min: -3n, max: 3n })), { maxLength: 12 })

test('two sides agree exactly when each name has the same sum on both, and the others are named', () => {
  fc.assert(
    fc.property(sums, sums, (one, other) => {
      const agreement = new Agreement()
      const give = () => {
        for (const [name, amount] of one) agreement.one(name, amount)
        for (const [name, amount] of other) agreement.other(name, amount)
      }
      const sum = (side: typeof one, name: string) =>
        side.reduce((all, [of, amount]) => (of === name ? all + amount : all), 0n)
      const different = ['a', 'b', 'c', 'd'].filter((name) => sum(one, name) !== sum(other, name))
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

test('amounts beyond 64 bits of weight are told apart', () => {
  const agreement = new Agreement()
  agreement.one('a', 2n ** 62n)
  agreement.other('a', 2n ** 62n - 1n)
  expect(agreement.holds).toBe(false)
})
