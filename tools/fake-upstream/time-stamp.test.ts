import { expect, test } from 'vitest'
import { readStamps, stamped, UNSTAMPED } from './time-stamp.ts'

const EVENT = Buffer.from(`data: {"content":"${UNSTAMPED}"}\n\n`)

function agesOf(bytes: Buffer, nowUs: number): number[] {
  const ages: number[] = []
  readStamps(bytes, (ageUs) => ages.push(ageUs), nowUs)
  return ages
}

test('the age of a stamp is the time since it was written, over the turn of its digits too', () => {
  const first = stamped(EVENT, 99_999_999_990)
  const second = stamped(EVENT, 100_000_000_005)
  expect(first).toHaveLength(EVENT.length)
  expect(agesOf(Buffer.concat([first, second]), 100_000_000_010)).toEqual([20, 5])
})

test('a stamp that is cut off is left out, and bytes without one stay as they are', () => {
  const one = stamped(EVENT, 7)
  expect(agesOf(one.subarray(0, one.length - 5), 9)).toEqual([])
  const plain = Buffer.from('data: [DONE]\n\n')
  expect(stamped(plain, 7)).toBe(plain)
})
