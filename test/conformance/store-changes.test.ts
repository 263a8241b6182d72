import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '../../src/access/changes.ts'
import { parseMultiplier } from '../../src/core/money.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const NODE = { host: 'here', processId: 1 }

describe.each(ENGINES)('changes and nodes on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    // What this one may still ask for is kept.
    await store.nodes.join({ ...NODE, id: 'nod_keeper' })
  })
  afterAll(() => place.leave())

  async function lastSeq(): Promise<number> {
    const [row] = await place.sql('select seq from change_counter')
    return Number(row?.['seq'])
  }

  test('every change of a key, an account or the catalogue is recorded, once, in its order', async () => {
    const start = await lastSeq()
    const account = anAccount()
    const key = aKey(account.id)
    const group = {
      id: 'grp_a',
      name: 'a',
      multiplier: parseMultiplier('1'),
      models: [],
      isEnabled: true,
      isOpen: true,
      isManaged: false,
    }
    await store.accounts.create(account, null)
    await store.accounts.create({ ...account, id: 'acc_other' }, null)
    await store.keys.create(key, aSecret('hash'))
    await store.keys.create(aKey(account.id), aSecret('hash'))
    await store.keys.setStatus(key.id, 'disabled', NOON)
    await store.groups.putGroup(group)
    await store.groups.putGroup(group)
    const { accessTokensEnded: _, ...change } = await store.accounts.update(account, null)
    const changes = await store.nodes.changesAfter(start)
    expect(changes.map(({ subject, subjectId }) => [subject, subjectId])).toEqual([
      ['account', account.id],
      ['key', key.id],
      ['key', key.id],
      ['catalog', 'grp_a'],
      ['account', account.id],
    ])
    expect(changes.map(({ seq }) => seq - start)).toEqual([1, 2, 3, 4, 5])
    expect(changes.at(-1)).toEqual(change)
    expect(await store.nodes.changesAfter(change.seq)).toEqual([])
  })

  test('what fails leaves no change and no gap', async () => {
    const start = await lastSeq()
    await expect(store.accounts.update(anAccount(), null)).rejects.toThrow()
    await expect(store.keys.create(aKey('acc_none'), aSecret())).rejects.toThrow()
    expect(await lastSeq()).toBe(start)
  })

  test('who has seen a number never finds a lower one later, however many write at once', async () => {
    const writers = await Promise.all([place.open(), place.open(), place.open(), place.open()])
    const start = await lastSeq()
    const seen: Change[] = []
    const writing = { isOver: false }
    const reading = (async () => {
      while (!writing.isOver) seen.push(...(await store.nodes.changesAfter(seen.at(-1)?.seq ?? start)))
    })()
    await Promise.all(
      writers.map(async (writer) => {
        for (let i = 0; i < 25; i++) await writer.accounts.create(anAccount(), null)
      }),
    )
    writing.isOver = true
    await reading
    seen.push(...(await store.nodes.changesAfter(seen.at(-1)?.seq ?? start)))
    expect(seen.map(({ seq }) => seq - start)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
  })

  test('at most a thousand changes come at once', async () => {
    const start = await lastSeq()
    await place.sql(
      engine === 'sqlite'
        ? `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
           insert into changes select i + ${start}, 'key', 'k' from n`
        : `insert into changes select i + ${start}, 'key', 'k' from generate_series(1, 1200) as n (i)`,
    )
    await place.sql(`update change_counter set seq = seq + 1200`)
    const first = await store.nodes.changesAfter(start)
    expect(first).toHaveLength(1_000)
    expect(await store.nodes.changesAfter(first.at(-1)?.seq ?? 0)).toHaveLength(200)
  })

  test('a commit of this process or of another is heard within moments', async () => {
    const other = await place.open()
    let tell = () => {}
    let last = await lastSeq()
    const look = async () => {
      const changes = await store.nodes.changesAfter(last)
      last = changes.at(-1)?.seq ?? last
      if (changes.length > 0) tell()
    }
    const stop = store.nodes.onCommit(() => {
      void look()
    })
    const heardAfterMs = async (writer: Store): Promise<number> => {
      const news = Promise.withResolvers<void>()
      tell = news.resolve
      await writer.accounts.create(anAccount(), null)
      const committed = performance.now()
      await news.promise
      return performance.now() - committed
    }
    // Looking once a second, as PostgreSQL's listener does beside listening, hears of each round a second after the last.
    for (const writer of [store, other]) {
      await heardAfterMs(writer)
      await expect.poll(() => heardAfterMs(writer), { interval: 0 }).toBeLessThan(500)
    }
    stop()
  })

  test('a node begins with the changes after it joined, is seen by all, and leaves', async () => {
    const other = await place.open()
    await store.accounts.create(anAccount(), null)
    const { seq } = await store.nodes.join({ ...NODE, id: 'nod_1' })
    expect(seq).toBe(await lastSeq())
    const seen = async () => (await other.nodes.all()).find(({ id }) => id === 'nod_1')
    expect(await seen()).toEqual({ id: 'nod_1', host: 'here', processId: 1, seenSeq: seq, beat: 0, standing: null })
    await store.nodes.acknowledge('nod_1', seq + 3)
    await store.nodes.acknowledge('nod_1', seq + 2)
    expect(await seen()).toMatchObject({ seenSeq: seq + 3 })
    await expect(other.nodes.join({ ...NODE, id: 'nod_1' })).rejects.toThrow()
    await store.nodes.remove(['nod_1', 'nod_none'])
    expect(await other.nodes.all()).toMatchObject([{ id: 'nod_keeper' }])
  })

  test('a node that beats is seen to live, and hears when it is not registered any more', async () => {
    const other = await place.open()
    await store.nodes.join({ ...NODE, id: 'nod_1' })
    expect(await store.nodes.beat('nod_1')).toBe(true)
    expect(await store.nodes.beat('nod_1')).toBe(true)
    expect((await other.nodes.all()).map(({ id, beat }) => [id, beat])).toEqual([
      ['nod_1', 2],
      ['nod_keeper', 0],
    ])
    await other.nodes.remove(['nod_1'])
    expect(await store.nodes.beat('nod_1')).toBe(false)
    // What it says afterwards brings it back no more.
    await store.nodes.acknowledge('nod_1', 10 ** 6)
    expect(await other.nodes.all()).toHaveLength(1)
  })

  test('a node is buried only as it was seen: not when it has beaten since', async () => {
    const other = await place.open()
    await store.nodes.join({ ...NODE, id: 'nod_dead' })
    await store.nodes.join({ ...NODE, id: 'nod_late' })
    const seen = await other.nodes.all()
    await store.nodes.beat('nod_late')
    await other.nodes.retire(seen.filter(({ id }) => id !== 'nod_keeper'))
    expect((await store.nodes.all()).map(({ id }) => id)).toEqual(['nod_keeper', 'nod_late'])
    expect(await store.nodes.beat('nod_dead')).toBe(false)
    expect(await store.nodes.beat('nod_late')).toBe(true)
    await store.nodes.remove(['nod_late'])
  })

  test('when a node is buried at the moment it beats, exactly one of both happens', async () => {
    const other = await place.open()
    for (let round = 0; round < 20; round++) {
      await store.nodes.join({ ...NODE, id: `nod_${round}` })
      const [isRegistered] = await Promise.all([
        store.nodes.beat(`nod_${round}`),
        other.nodes.retire([{ id: `nod_${round}`, beat: 0 }]),
      ])
      expect((await other.nodes.all()).some(({ id }) => id === `nod_${round}`)).toBe(isRegistered)
      await store.nodes.remove([`nod_${round}`])
    }
  })

  test('old changes are thrown away, but none that a registered node has not seen', async () => {
    const empty = await newPlace(engine)
    const alone = await empty.open()
    const counts = async () => Number((await empty.sql('select count(*) as n from changes'))[0]?.['n'])
    const { seq } = await alone.nodes.join({ ...NODE, id: 'nod_slow' })
    const account = anAccount()
    await alone.accounts.create(account, null)
    for (let i = 1; i < 300; i++) await alone.accounts.update(account, null)
    expect(await alone.nodes.changesAfter(seq)).toHaveLength(300)
    await alone.nodes.acknowledge('nod_slow', 290)
    for (let i = 300; i < 520; i++) await alone.accounts.update(account, null)
    expect((await alone.nodes.changesAfter(290))[0]?.seq).toBe(291)
    expect(await counts()).toBe(230)
    await empty.leave()
  })
})
