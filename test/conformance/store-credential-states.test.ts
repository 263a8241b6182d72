import { REMEMBERED_MS, type RefusalNote } from '../../src/routing/learned-refusals.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nanoUsd } from '../../src/core/money.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const UPSTREAM: Upstream = {
  id: 'ups_1',
  name: 'pool',
  protocol: 'openai',
  baseUrl: 'https://api.example.test/v1',
  credentials: [unlimitedCredential('sealed', 'a')],
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  timeoutMs: null,
  maxConcurrency: null,
  headers: {},
  isManaged: false,
}
const A = { upstreamId: 'ups_1', name: 'a' }
const SPENDER = { kind: 'credential', ...A } as const
const HOLD = { because: 'credential', since: NOON, until: NOON + 60_000, times: 1, of: 'x' } as const

describe.each(ENGINES)('states of credentials on %s', (engine) => {
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await store.catalog.putUpstream(UPSTREAM)
  })
  afterAll(() => place.leave())

  test('what nodes spend under a cap in a day is added up, and forgotten when two days have passed', async () => {
    const other = await place.open()
    const B = { ...SPENDER, name: 'b' }
    await store.catalog.shareSpend(100, [{ ...SPENDER, amount: nanoUsd(5n) }])
    await store.catalog.shareSpend(101, [
      { ...B, amount: nanoUsd(1n) },
      { ...SPENDER, amount: nanoUsd(7n) },
    ])
    const all = await other.catalog.shareSpend(101, [{ ...SPENDER, amount: nanoUsd(9n) }])
    expect(all.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { ...SPENDER, amount: 16n },
      { ...B, amount: 1n },
    ])
    expect(await store.catalog.shareSpend(100, [])).toEqual([{ ...SPENDER, amount: 5n }])
    await store.catalog.shareSpend(102, [{ ...SPENDER, amount: nanoUsd(1n) }])
    expect(await store.catalog.shareSpend(100, [])).toEqual([])
    const both = [store, other].map(({ catalog }) => catalog.shareSpend(103, [{ ...SPENDER, amount: nanoUsd(4n) }]))
    await Promise.all(both)
    expect(await store.catalog.shareSpend(103, [])).toEqual([{ ...SPENDER, amount: 8n }])
  })

  test('what one node notes, and what a person changes, is read by all, and each is a change to follow', async () => {
    const other = await place.open()
    const seqBefore = (await store.nodes.changesAfter(0)).length
    await store.catalog.noteHolds([{ ...A, hold: HOLD }])
    expect(await other.catalog.credentialStates()).toEqual([{ ...A, isDisabled: false, hold: HOLD }])
    const disabled = await other.catalog.changeCredential({ ...A, isDisabled: true })
    expect(disabled).toMatchObject({ before: { isDisabled: false }, after: { isDisabled: true, hold: HOLD } })
    expect(disabled.seq).not.toBeNull()
    expect((await other.catalog.changeCredential({ ...A, isDisabled: true })).seq).toBeNull()
    await other.catalog.changeCredential({ ...A, isReleased: true })
    expect(await store.catalog.credentialStates()).toEqual([{ ...A, isDisabled: true, hold: null }])
    await store.catalog.noteHolds([{ ...A, hold: HOLD }])
    await store.catalog.noteHolds([{ ...A, hold: null }])
    expect(await store.catalog.credentialStates()).toEqual([{ ...A, isDisabled: true, hold: null }])
    expect((await store.nodes.changesAfter(0)).length).toBe(seqBefore + 5)
  })

  test('what a node learns of a target’s limits is read by all, and that it passed one is never taken back', async () => {
    const other = await place.open()
    const [big, small] = [
      { upstreamId: 'ups_1', model: 'a:b/c%' },
      { upstreamId: 'ups_1', model: 'd' },
    ] as const
    const seqBefore = (await store.nodes.changesAfter(0)).length
    await store.catalog.noteLimit({ ...big, verdict: 'keeps' })
    await other.catalog.noteLimit({ ...small, verdict: 'keeps' })
    await other.catalog.noteLimit({ ...big, verdict: 'ignores' })
    await store.catalog.noteLimit({ ...big, verdict: 'keeps' })
    const known = (await other.catalog.limitNotes()).toSorted((a, b) => a.model.localeCompare(b.model))
    expect(known).toEqual([
      { ...big, verdict: 'ignores' },
      { ...small, verdict: 'keeps' },
    ])
    expect((await store.nodes.changesAfter(0)).length).toBe(seqBefore + 4)
  })

  test('what a node learns of a target’s refusals is read by all, once each, and is forgotten after a day', async () => {
    const other = await place.open()
    const of = { upstreamId: 'ups_1', model: 'a:b/c%', mark: 'm1', said: 'It’s “not” supported.' }
    const note: RefusalNote = { ...of, setting: 'temperature', value: null, refusedAt: NOON }
    const value: RefusalNote = { ...of, setting: 'reasoning_effort', value: '"low"', refusedAt: NOON + 1 }
    const seqBefore = (await store.nodes.changesAfter(0)).length
    await store.catalog.noteRefusal(note, NOON)
    await other.catalog.noteRefusal(value, NOON)
    await other.catalog.noteRefusal({ ...note, refusedAt: NOON + 2 }, NOON)
    expect(await store.catalog.refusalNotes()).toEqual([note, value])
    expect((await store.nodes.changesAfter(0)).length).toBe(seqBefore + 2)
    const later: RefusalNote = { ...note, setting: 'seed', refusedAt: NOON + REMEMBERED_MS }
    await store.catalog.noteRefusal(later, NOON + REMEMBERED_MS)
    expect(await other.catalog.refusalNotes()).toEqual([value, later])
  })

  test('they stay where their upstream may not be deleted', async () => {
    const targets = [{ upstreamId: 'ups_1', model: 'm', priority: 0, weight: 1 }]
    const model = { id: 'mdl_1', name: 'm', prices: null, contextTokens: null, maxOutputTokens: null, targets }
    await store.catalog.putModel({ ...model, createdAt: NOON, isManaged: false })
    await store.catalog.changeCredential({ ...A, isDisabled: true })
    expect((await store.catalog.deleteUpstream('ups_1')).kind).toBe('in_use')
    expect(await store.catalog.credentialStates()).toMatchObject([{ ...A, isDisabled: true }])
    await store.catalog.deleteModel('mdl_1')
  })

  test('they go with their upstream, and nothing is noted of one that is gone', async () => {
    await store.catalog.deleteUpstream('ups_1')
    expect(await store.catalog.credentialStates()).toEqual([])
    await store.catalog.noteHolds([{ ...A, hold: HOLD }])
    expect(await store.catalog.credentialStates()).toEqual([])
    await store.catalog.noteLimit({ upstreamId: 'ups_1', model: 'd', verdict: 'keeps' })
    expect(await store.catalog.limitNotes()).toEqual([])
    const refusal = { setting: 'seed', value: null, refusedAt: NOON, said: '', mark: 'm1' } as const
    await store.catalog.noteRefusal({ upstreamId: 'ups_1', model: 'd', ...refusal }, NOON)
    expect(await store.catalog.refusalNotes()).toEqual([])
  })
})
