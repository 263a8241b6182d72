import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broughtHashOf, broughtSecret } from '../../src/access/brought-key.ts'
import { newId } from '../../src/core/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('keys that were brought by the hash of another gateway, on %s', (engine) => {
  let place: Place
  let store: Store
  const account = anAccount()

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await store.nodes.join({ host: 'here', processId: 1, id: 'nod_keeper' })
    await store.accounts.create(account, null)
  })
  afterAll(() => place.leave())

  async function changesOf(act: () => Promise<unknown>) {
    const [row] = await place.sql('select seq from change_counter')
    await act()
    return (await store.nodes.changesAfter(Number(row?.['seq']))).map(({ subject, subjectId }) => [subject, subjectId])
  }

  function brought(secret: string) {
    return { hash: broughtHashOf(secret), start: '', end: secret.slice(-4) }
  }

  test('the first and the last of them are changes of what gateways look for, and one gets its own hash once', async () => {
    const [first, second] = [aKey(account.id), aKey(account.id)]
    expect(await store.keys.hasBroughtHashes()).toBe(false)
    expect(await changesOf(() => store.keys.create(first, brought('sk-first-of-two')))).toEqual([
      ['catalog', first.id],
      ['key', first.id],
    ])
    expect(await changesOf(() => store.keys.create(second, brought('sk-second-of-two')))).toEqual([['key', second.id]])
    expect(await store.keys.create(aKey(account.id), brought('sk-first-of-two'))).toEqual({ kind: 'taken' })
    expect(await store.keys.hasBroughtHashes()).toBe(true)

    expect(await store.keys.findByHash('own-first')).toBeNull()
    const found = await store.keys.findByHash('own-first', broughtHashOf('sk-first-of-two'))
    expect([found?.key.id, found?.isByBroughtHash, found?.key.secretStart]).toEqual([first.id, true, ''])
    const adopt = () => store.keys.adopt(broughtSecret('sk-first-of-two'), 'own-first')
    expect(await changesOf(() => Promise.all([adopt(), adopt()]))).toEqual([['key', first.id]])
    const own = await store.keys.findByHash('own-first')
    expect([own?.key.id, own?.isByBroughtHash, own?.key.secretStart]).toEqual([first.id, undefined, 'sk-first-o'])
    expect(await store.keys.secretHashOf(first.id)).toBe('own-first')

    const last = await changesOf(() => store.keys.adopt(broughtSecret('sk-second-of-two'), 'own-second'))
    expect(last).toEqual([
      ['catalog', second.id],
      ['key', second.id],
    ])
    expect(await store.keys.hasBroughtHashes()).toBe(false)
  })

  test('a rotation keeps the one from before through its overlap, and knows it as replaced after the next', async () => {
    const key = aKey(account.id)
    const secret = 'sk-rotated-before-use'
    await store.keys.create(key, brought(secret))
    await store.keys.rotate(key.id, aSecret(newId('key', NOON)), NOON + 1_000)
    const found = await store.keys.findByHash('own-rotated', broughtHashOf(secret))
    expect([found?.key.id, found?.isByBroughtHash, found?.isByPreviousSecret]).toEqual([key.id, true, true])
    await store.keys.adopt(broughtSecret(secret), 'own-rotated')
    const own = await store.keys.findByHash('own-rotated')
    expect([own?.isByBroughtHash, own?.isByPreviousSecret, own?.key.overlap?.secretEnd]).toEqual([
      undefined,
      true,
      '-use',
    ])
    const unused = aKey(account.id)
    await store.keys.create(unused, brought('sk-twice-rotated'))
    for (let i = 0; i < 2; i++) await store.keys.rotate(unused.id, aSecret(newId('key', NOON)), NOON)
    expect(await store.keys.isRetired(broughtHashOf('sk-twice-rotated'))).toBe(true)
    expect(await store.keys.hasBroughtHashes()).toBe(false)
  })

  test('a key with its own hash of the same secret comes first, and stays apart', async () => {
    const [there, other] = [aKey(account.id), aKey(account.id)]
    await store.keys.create(there, { ...brought('sk-same-secret'), hash: 'own-same' })
    await store.keys.create(other, brought('sk-same-secret'))
    const find = () => store.keys.findByHash('own-same', broughtHashOf('sk-same-secret'))
    expect((await find())?.key.id).toBe(there.id)
    expect(await store.keys.adopt(broughtSecret('sk-same-secret'), 'own-same')).toBeNull()
    expect(await store.keys.secretHashOf(other.id)).toBe(broughtHashOf('sk-same-secret'))
  })
})
