import { expect, test } from 'vitest'
import { retried } from './database.ts'

function failing(times: number, code: string) {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries <= times) throw Object.assign(new Error('given up'), { code })
    return tries
  }
  return { work, tries: () => tries }
}

test.each(['40P01', '40001'])('a transaction given up with %s is tried again', async (code) => {
  expect(await retried(failing(2, code).work)).toBe(3)
})

test('a conflict that does not end is an error in the end', async () => {
  const { work, tries } = failing(100, '40P01')
  await expect(retried(work)).rejects.toThrow('given up')
  expect(tries()).toBe(6)
})

test('what is wrong with the statement itself is not tried again', async () => {
  const { work, tries } = failing(1, '23505')
  await expect(retried(work)).rejects.toThrow('given up')
  expect(tries()).toBe(1)
})
