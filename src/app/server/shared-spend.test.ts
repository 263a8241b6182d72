import { beforeEach, expect, test } from 'vitest'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { Spending } from '../../routing/spender.ts'
import { SharedSpend } from './shared-spend.ts'

const A = { kind: 'credential', upstreamId: 'ups_1', name: 'a' } as const
const clock = { now: () => Date.UTC(2026, 10, 23, 12), elapsed: () => 0 }

let total: NanoUsd
let asked: number
let isAway: boolean
beforeEach(() => {
  total = nanoUsd(0n)
  asked = 0
  isAway = false
})

const store = {
  shareSpend: async (_day: number, spent: readonly Spending[]) => {
    asked += 1
    if (isAway) throw new Error('away')
    for (const { amount } of spent) total = nanoUsd(total + amount)
    return [{ ...A, amount: total }]
  },
}
const process = () => new SharedSpend({ store, clock })

test('two processes hear of what the other spent, and one that starts anew of what both did', async () => {
  const [one, two] = [process(), process()]
  one.of(A).add(nanoUsd(5n))
  two.of(A).add(nanoUsd(7n))
  await one.share()
  await two.share()
  await one.share()
  expect([one.of(A).today, two.of(A).today]).toEqual([12n, 12n])
  const again = process()
  again.of(A)
  await again.share()
  expect(again.of(A).today).toBe(12n)
})

test('what a store that is away did not take is stored later, once', async () => {
  const one = process()
  one.of(A).add(nanoUsd(5n))
  isAway = true
  await expect(one.share()).rejects.toThrow('away')
  expect(one.of(A).today).toBe(5n)
  isAway = false
  one.of(A).add(nanoUsd(1n))
  await one.share()
  await one.share()
  expect([total, one.of(A).today]).toEqual([6n, 6n])
})

test('the store is not asked where no credential has a cap', async () => {
  const one = process()
  one.of(A)
  one.keepOnly([])
  await one.share()
  expect(asked).toBe(0)
})
