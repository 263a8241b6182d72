import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/durations.ts'
import type { KeyWithOwner } from './api-key.ts'
import type { PreviousUse } from './key-store.ts'
import { PreviousSecretUse } from './previous-secret-use.ts'

const INTERVAL_MS = 10_000

function caller(id: string, endsAt: number): KeyWithOwner {
  return { key: { id, overlap: { secretEnd: 'wxyz', endsAt, lastUsedAt: null } } } as KeyWithOwner
}

function useOver(written: PreviousUse[], fails = () => false) {
  return new PreviousSecretUse({
    notePreviousUse: async (uses) => {
      if (fails()) throw new Error('the database is away')
      written.push(...uses)
    },
  })
}

test('later uses are written every ten seconds with the newest time', async () => {
  const written: PreviousUse[] = []
  const use = useOver(written)
  const key = caller('key_1', 10 * MINUTE_MS)
  use.note(key, 1)
  await use.write(5_000)
  expect(written).toEqual([{ keyId: 'key_1', overlapEndsAt: 10 * MINUTE_MS, lastUsedAt: 1 }])
  for (const at of [6_000, 7_000, 8_000]) use.note(key, at)
  await use.write(14_000)
  expect(written).toHaveLength(1)
  await use.write(5_000 + INTERVAL_MS)
  expect(written.at(-1)?.lastUsedAt).toBe(8_000)
  await use.write(5_000 + 3 * INTERVAL_MS)
  expect(written).toHaveLength(2)
})

test('the first use after a while is to be written at once, and is asked for once for many', async () => {
  const written: PreviousUse[] = []
  let asked = 0
  const use = new PreviousSecretUse({ notePreviousUse: async (uses) => void written.push(...uses) }, () => (asked += 1))
  for (const at of [1, 2, 3]) use.note(caller('key_1', 10 * MINUTE_MS), at)
  use.note(caller('key_2', 10 * MINUTE_MS), 4)
  expect(asked).toBe(1)
  await use.write(5)
  expect(written.map(({ lastUsedAt }) => lastUsedAt)).toEqual([3, 4])
  use.note(caller('key_1', 10 * MINUTE_MS), 6)
  expect(asked).toBe(1)
  await use.write(20_000)
  await use.write(40_000)
  use.note(caller('key_1', 10 * MINUTE_MS), 40_001)
  expect(asked).toBe(2)
})

test('a use after the end of the overlap is none', async () => {
  const written: PreviousUse[] = []
  const use = useOver(written)
  use.note(caller('key_1', 100), 100)
  await use.write(101)
  expect(written).toEqual([])
})

test('what could not be written is written later, and everything is when the node leaves', async () => {
  const written: PreviousUse[] = []
  let isAway = true
  const use = useOver(written, () => isAway)
  use.note(caller('key_1', MINUTE_MS), 1)
  await expect(use.write(2)).rejects.toThrow('away')
  isAway = false
  await use.write(3)
  use.note(caller('key_1', MINUTE_MS), 4)
  await use.finish()
  expect(written.map(({ lastUsedAt }) => lastUsedAt)).toEqual([1, 4])
})
