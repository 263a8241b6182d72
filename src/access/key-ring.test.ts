import { expect, test } from 'vitest'
import type { KeyWithOwner } from './api-key.ts'
import type { BroughtSecret } from './brought-key.ts'
import { KeyRing } from './key-ring.ts'
import type { KeyStore } from './key-store.ts'

function entry(keyId: string, accountId: string): KeyWithOwner {
  return { key: { id: keyId }, account: { id: accountId } } as KeyWithOwner
}

function ringOver(rows: Map<string, KeyWithOwner>) {
  let reads = 0
  let onRead = async () => {}
  const store = {
    findByHash: async (hash: string) => {
      reads += 1
      const found = rows.get(hash) ?? null
      await onRead()
      return found
    },
    isRetired: async (hash: string) => hash === 'retired',
  } as Partial<KeyStore> as KeyStore
  return { ring: new KeyRing(store), reads: () => reads, during: (act: () => Promise<void>) => (onRead = act) }
}

test('a key is read once and then found in memory', async () => {
  const { ring, reads } = ringOver(new Map([['h', entry('key_1', 'acc_1')]]))
  expect(ring.find('h')).toBeUndefined()
  await Promise.all([ring.load('h'), ring.load('h')])
  expect(ring.find('h')?.key.id).toBe('key_1')
  expect(reads()).toBe(1)
})

test('an unknown secret is remembered as unknown until any key changes', async () => {
  const { ring } = ringOver(new Map())
  await ring.load('h')
  expect(ring.find('h')).toBeNull()
  ring.forgetKey('key_new')
  expect(ring.find('h')).toBeUndefined()
})

test('a secret from before the last two rotations is known to be replaced', async () => {
  const { ring } = ringOver(new Map())
  await Promise.all([ring.load('retired'), ring.load('h')])
  expect([ring.find('retired'), ring.isReplaced('retired'), ring.isReplaced('h')]).toEqual([null, true, false])
  ring.forgetKey('key_new')
  expect(ring.isReplaced('retired')).toBe(false)
})

test('a change of the account makes the ring forget its keys and no others', async () => {
  const rows = new Map([
    ['a', entry('key_1', 'acc_1')],
    ['b', entry('key_2', 'acc_2')],
  ])
  const { ring } = ringOver(rows)
  await ring.load('a')
  await ring.load('b')
  ring.forgetAccount('acc_1')
  expect(ring.find('a')).toBeUndefined()
  expect(ring.find('b')).toBeDefined()
})

test('what was read before a change is not remembered after it', async () => {
  const rows = new Map([['h', entry('key_1', 'acc_1')]])
  const { ring, reads, during } = ringOver(rows)
  let isFirst = true
  during(async () => {
    if (!isFirst) return
    isFirst = false
    rows.delete('h')
    ring.forgetKey('key_1')
  })
  expect(await ring.load('h')).toBeNull()
  expect(reads()).toBe(2)
})

test('a key is held by its secret and by the one before the last rotation, and forgotten by both', async () => {
  const now = entry('key_1', 'acc_1')
  const before = { ...entry('key_1', 'acc_1'), isByPreviousSecret: true } as const
  const { ring } = ringOver(
    new Map<string, KeyWithOwner>([
      ['new', now],
      ['old', before],
    ]),
  )
  await Promise.all([ring.load('new'), ring.load('old')])
  expect([ring.find('new'), ring.find('old')]).toEqual([now, before])
  expect([ring.isCurrent(now), ring.isCurrent(before)]).toEqual([true, true])
  ring.forgetKey('key_1')
  expect([ring.find('new'), ring.find('old')]).toEqual([undefined, undefined])
  expect([ring.isCurrent(now), ring.isCurrent(before)]).toEqual([false, false])
  await Promise.all([ring.load('new'), ring.load('old')])
  ring.forgetAccount('acc_1')
  expect([ring.find('new'), ring.find('old')]).toEqual([undefined, undefined])
})

test('a key that was brought is stored by its own hash before it is let in, and asked for only by both hashes', async () => {
  const rows = new Map<string, KeyWithOwner>()
  const asked: (string | undefined)[] = []
  const adopted: string[] = []
  const store = {
    findByHash: async (hash: string, brought?: string) => {
      asked.push(brought)
      const own = rows.get(hash)
      const there = brought === undefined ? undefined : rows.get(brought)
      return own ?? (there === undefined ? null : { ...there, isByBroughtHash: true as const })
    },
    isRetired: async () => false,
    adopt: async (brought: BroughtSecret, hash: string) => {
      adopted.push(brought.hash)
      rows.set(hash, entry('key_1', 'acc_1'))
      rows.delete(brought.hash)
      return null
    },
  } as Partial<KeyStore> as KeyStore
  const ring = new KeyRing(store)
  await ring.load('own')
  expect([ring.find('own'), ring.find('own', true)]).toEqual([null, undefined])
  const brought = { hash: 'theirs', start: 'sk-', end: 'abcd' }
  await ring.load('own', brought)
  expect([ring.find('own'), ring.find('own', true)]).toEqual([null, null])
  rows.set('theirs', entry('key_1', 'acc_1'))
  ring.forgetKey('key_1')
  const found = await ring.load('own', brought)
  expect([found?.key.id, found?.isByBroughtHash, adopted]).toEqual(['key_1', undefined, ['theirs']])
  expect(ring.find('own')).toBe(found)
  expect(asked).toEqual([undefined, 'theirs', 'theirs', 'theirs'])
})

test('a key that was brought works by its old hash while its own cannot be written, and gets it afterwards', async () => {
  let isFull = true
  const rows = new Map([['theirs', entry('key_1', 'acc_1')]])
  const store = {
    findByHash: async (hash: string, brought = '') => {
      const there = rows.get(brought)
      return rows.get(hash) ?? (there === undefined ? null : { ...there, isByBroughtHash: true as const })
    },
    isRetired: async () => false,
    adopt: async (brought: BroughtSecret, hash: string) => {
      if (isFull) throw new Error('the disk is full')
      rows.set(hash, entry('key_1', 'acc_1'))
      rows.delete(brought.hash)
      return null
    },
  } as Partial<KeyStore> as KeyStore
  const ring = new KeyRing(store)
  const brought = { hash: 'theirs', start: 'sk-', end: 'abcd' }
  expect((await ring.load('own', brought))?.key.id).toBe('key_1')
  isFull = false
  expect((await ring.load('own', brought))?.key.id).toBe('key_1')
  expect([...rows.keys()]).toEqual(['own'])
})
