import { expect, test } from 'vitest'
import { ImportNotes } from '../import-plan.ts'
import { rational } from '../rational.ts'
import { QuotaInUsd } from './options.ts'

function read(perUsd: bigint, quotas: readonly bigint[]) {
  const quota = new QuotaInUsd(rational(perUsd))
  const amounts = quotas.map((units) => quota.nano(units))
  const notes = new ImportNotes()
  quota.noteRest(notes)
  return { amounts, said: notes.approximations.flatMap(({ name, subjects }) => [name, ...subjects]) }
}

test('what a unit is worth in parts of a nano-USD is rounded down, and the sum of the rests is said', () => {
  // 1 unit is 1,666 2/3 nano-USD.
  expect(read(600_000n, [1n, 2n, 3n, -1n])).toEqual({
    amounts: [1_666n, 3_333n, 5_000n, -1_667n],
    // 2/3, 1/3 and 1/3.
    said: ['rounding', '1 unit is 1/600000 USD; 3 amounts are cut by 2 nano-USD in all, rounded up'],
  })
})

test('nothing is said where each unit is a whole number of nano-USD', () => {
  expect(read(500_000n, [1n, 7n, -3n])).toEqual({ amounts: [2_000n, 14_000n, -6_000n], said: [] })
})
