import { expect, test } from 'vitest'
import type { KeyWithOwner } from './api-key.ts'
import type { PreviousUse } from './key-store.ts'
import { PreviousSecretUse } from './previous-secret-use.ts'

const MINUTE_MS = 60_000

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

test('the first use is written soon, later ones once a minute with the newest time', async () => {
  const written: PreviousUse[] = []
  const use = useOver(written)
  const key = caller('key_1', 10 * MINUTE_MS)
  use.note(key, 1)
  await use.write(5_000)
  expect(written).toEqual([{ keyId: 'key_1', overlapEndsAt: 10 * MINUTE_MS, lastUsedAt: 1 }])
  for (const at of [6_000, 7_000, 8_000]) use.note(key, at)
  await use.write(10_000)
  expect(written).toHaveLength(1)
  await use.write(5_000 + MINUTE_MS)
  expect(written.at(-1)?.lastUsedAt).toBe(8_000)
  await use.write(5_000 + 3 * MINUTE_MS)
  expect(written).toHaveLength(2)
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
