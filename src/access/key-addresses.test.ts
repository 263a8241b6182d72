import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/durations.ts'
import { KeyAddresses } from './key-addresses.ts'
import type { AddressUse } from './key-store.ts'

const KEY = { id: 'key_1', accountId: 'acc_1' }

function addresses(): { written: AddressUse[]; of: KeyAddresses; fails(): void } {
  const written: AddressUse[] = []
  let isFailing = false
  const noteAddresses = async (uses: readonly AddressUse[]) => {
    if (isFailing) throw new Error('no database')
    written.push(...uses)
  }
  return { written, of: new KeyAddresses({ noteAddresses }), fails: () => (isFailing = !isFailing) }
}

test('requests from one address are one write in ten minutes, and another address is one more', async () => {
  const { written, of } = addresses()
  for (let second = 0; second < 540; second++) {
    of.note(KEY, '192.0.2.1', second * 1_000)
    await of.write()
  }
  expect(written.map(({ usedAt }) => usedAt)).toEqual([0])
  of.note(KEY, '192.0.2.2', 9 * MINUTE_MS)
  of.note(KEY, '192.0.2.1', 9 * MINUTE_MS + 1)
  await of.write()
  await of.write()
  expect(written.slice(1)).toEqual([
    { keyId: 'key_1', accountId: 'acc_1', address: '192.0.2.1', usedAt: 9 * MINUTE_MS + 1 },
  ])
  of.note(KEY, '192.0.2.1', 20 * MINUTE_MS)
  await of.write()
  expect(written).toHaveLength(3)
})

test('what could not be written is written the next time', async () => {
  const { written, of, fails } = addresses()
  of.note(KEY, '192.0.2.1', 0)
  fails()
  await expect(of.write()).rejects.toThrow('no database')
  fails()
  await of.write()
  expect(written).toHaveLength(1)
})

test('ever so many keys take no more memory than some, and none is written twice for that alone', async () => {
  const { written, of } = addresses()
  for (let key = 0; key < 25_000; key++) of.note({ ...KEY, id: `key_${key}` }, '192.0.2.1', 0)
  for (let turn = 0; turn < 60; turn++) await of.write()
  expect(written).toHaveLength(10_000)
})
