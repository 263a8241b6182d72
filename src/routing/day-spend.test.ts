import { expect, test } from 'vitest'
import { nanoUsd } from '../core/money.ts'
import { DaySpend } from './day-spend.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const DAY = Math.floor(NOON / 86_400_000)

function spendAt(nowMs: number) {
  const time = { now: nowMs }
  return { time, spend: new DaySpend({ now: () => time.now, elapsed: () => 0 }) }
}

test('what is stored is counted once, with what is spent meanwhile', () => {
  const { spend } = spendAt(NOON)
  spend.add(nanoUsd(5n))
  expect(spend.take(DAY)).toBe(5n)
  spend.add(nanoUsd(3n))
  expect(spend.today).toBe(8n)
  spend.stored(DAY, nanoUsd(105n))
  expect(spend.today).toBe(108n)
  expect(spend.take(DAY)).toBe(3n)
})

test('what could not be stored is given again', () => {
  const { spend } = spendAt(NOON)
  spend.add(nanoUsd(5n))
  expect(spend.take(DAY)).toBe(5n)
  spend.add(nanoUsd(1n))
  expect(spend.take(DAY)).toBe(6n)
  expect(spend.today).toBe(6n)
})

test('a day begins with nothing, whatever was on its way to the store', () => {
  const { time, spend } = spendAt(NOON)
  spend.add(nanoUsd(5n))
  expect(spend.take(DAY)).toBe(5n)
  time.now += 86_400_000
  spend.add(nanoUsd(2n))
  spend.stored(DAY, nanoUsd(500n))
  expect(spend.today).toBe(2n)
  expect(spend.take(DAY)).toBe(0n)
  expect(spend.take(DAY + 1)).toBe(2n)
})
