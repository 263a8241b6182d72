import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { Group } from '../../src/access/group.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd, ONE_PPM, parseMultiplier, parseUsd } from '../../src/core/money.ts'
import type { Plan } from '../../src/metering/funds/plan.ts'
import type { Model, Upstream } from '../../src/routing/catalog.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON, runningSubscription } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

function aGroup(over: Partial<Group> = {}): Group {
  const id = newId('grp', NOON)
  const shown = { multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true, isManaged: false }
  return { id, name: id, ...shown, ...over }
}

function aModel(over: Partial<Model> = {}): Model {
  const id = newId('mdl', NOON)
  const prices = {
    input: parseUsd('1'),
    output: nanoUsd(1n),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  }
  const rest = { prices, contextTokens: null, maxOutputTokens: 10, targets: [], createdAt: NOON, isManaged: false }
  return { id, name: id, ...rest, ...over }
}

function anUpstream(over: Partial<Upstream> = {}): Upstream {
  const id = newId('ups', NOON)
  const times = { connectTimeoutMs: null, firstByteTimeoutMs: null, timeoutMs: null, maxConcurrency: null }
  const place = { protocol: 'openai', baseUrl: 'https://api.example.test/v1', credentials: [] } as const
  return { id, name: id, ...place, ...times, headers: {}, isManaged: false, ...over }
}

function aPlan(over: Partial<Plan> = {}): Plan {
  const id = newId('pln', NOON)
  return {
    id,
    name: id,
    groupIds: [],
    opensGroups: true,
    days: 30,
    price: parseUsd('20'),
    quotas: [],
    isManaged: false,
    ...over,
  }
}

describe.each(ENGINES)('changing what was set up, on %s', (engine) => {
  let place: Place
  let store: Store
  let other: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    other = await place.open()
    await store.nodes.join({ id: 'nod_keeper', host: 'here', processId: 1 })
  })
  afterAll(() => place.leave())

  async function seqNow(): Promise<number> {
    const [row] = await place.sql('select seq from change_counter')
    return Number(row?.['seq'])
  }

  async function openAccount(over: Partial<Account> = {}): Promise<Account> {
    const account = anAccount(over)
    await store.accounts.create(account, null)
    return account
  }

  async function groupOf(id: string): Promise<Group | undefined> {
    return (await store.groups.groups()).find((group) => group.id === id)
  }

  test('each kind is added, changed under its id and deleted, and nodes hear of what they remember', async () => {
    const [group, model, upstream, plan] = [aGroup(), aModel(), anUpstream(), aPlan()]
    expect(await store.groups.addGroup(group)).toEqual({ kind: 'added', seq: await seqNow() })
    expect(await store.catalog.addModel(model)).toEqual({ kind: 'added', seq: await seqNow() })
    expect(await store.catalog.addUpstream(upstream)).toEqual({ kind: 'added', seq: await seqNow() })
    expect(await store.plans.addPlan(plan)).toEqual({ kind: 'added', seq: null })

    const dearer = { ...group, name: 'dearer', multiplier: parseMultiplier('1.5'), models: ['a', 'b'] }
    const editedGroup = await store.groups.editGroup(group.id, (before) => ({
      ...before,
      name: 'dearer',
      multiplier: parseMultiplier('1.5'),
      models: ['a', 'b'],
    }))
    expect(editedGroup).toEqual({ kind: 'edited', before: group, after: dearer, seq: await seqNow() })
    expect(await groupOf(group.id)).toEqual(dearer)

    const targets = [{ upstreamId: upstream.id, model: 'x', priority: 0, weight: 1 }]
    const editedModel = await store.catalog.editModel(model.id, (before) => ({ ...before, prices: null, targets }))
    expect(editedModel).toMatchObject({ kind: 'edited', after: { ...model, prices: null, targets } })
    const editedUpstream = await store.catalog.editUpstream(upstream.id, (before) => ({ ...before, timeoutMs: 5 }))
    expect(editedUpstream).toMatchObject({ kind: 'edited', after: { ...upstream, timeoutMs: 5 } })
    const quotas = [{ window: '5h', usd: parseUsd('1') }] as const
    const editedPlan = await store.plans.editPlan(plan.id, (before) => ({ ...before, quotas }))
    expect(editedPlan).toMatchObject({ kind: 'edited', after: { ...plan, quotas }, seq: null })

    expect(await store.catalog.deleteModel(model.id)).toMatchObject({ kind: 'deleted', seq: await seqNow() })
    expect(await store.catalog.deleteUpstream(upstream.id)).toMatchObject({ kind: 'deleted' })
    expect(await store.plans.deletePlan(plan.id)).toMatchObject({ kind: 'deleted', seq: null })
    expect(await store.groups.deleteGroup(group.id, NOON)).toMatchObject({ kind: 'deleted', before: dearer })
    expect(await groupOf(group.id)).toBeUndefined()
    expect(await store.groups.deleteGroup(group.id, NOON)).toEqual({ kind: 'unknown' })
    expect(await store.groups.editGroup(group.id, (before) => before)).toEqual({ kind: 'unknown' })
  })

  test('a name stands for one group', async () => {
    const [one, two] = [aGroup(), aGroup()]
    await store.groups.addGroup(one)
    expect(await store.groups.addGroup({ ...two, name: one.name })).toEqual({ kind: 'name_taken' })
    await store.groups.addGroup(two)
    const renamed = await store.groups.editGroup(two.id, (before) => ({ ...before, name: one.name }))
    expect(renamed).toEqual({ kind: 'name_taken' })
    expect((await groupOf(two.id))?.name).toBe(two.name)
  })

  test('what the declarative file says is not changed by hand, but for the status of an account', async () => {
    const group = aGroup({ isManaged: true })
    await store.groups.putGroup(group)
    const edit = () => {
      throw new Error('it was asked')
    }
    expect(await store.groups.editGroup(group.id, edit)).toEqual({ kind: 'managed' })
    expect(await store.groups.deleteGroup(group.id, NOON)).toEqual({ kind: 'managed' })
    const account = await openAccount({ isManaged: true })
    const asked = (change: object, password: string | null = null) =>
      store.accounts.edit(account.id, (before) => ({ ...before, ...change }), password)
    expect(await asked({ role: 'admin' })).toEqual({ kind: 'managed' })
    expect(await asked({ status: 'disabled', role: 'admin' })).toEqual({ kind: 'managed' })
    expect(await asked({ status: 'disabled' }, 'a new hash')).toEqual({ kind: 'managed' })
    expect(await asked({ status: 'disabled' })).toMatchObject({ kind: 'edited', after: { status: 'disabled' } })
  })

  test('what an edit throws leaves everything as it was', async () => {
    const group = aGroup()
    await store.groups.addGroup(group)
    const before = await seqNow()
    const edit = () => {
      throw new RangeError('too dear')
    }
    await expect(store.groups.editGroup(group.id, edit)).rejects.toThrow('too dear')
    expect(await groupOf(group.id)).toEqual(group)
    expect(await seqNow()).toBe(before)
  })

  test('a change to what is there already is none', async () => {
    const group = aGroup()
    await store.groups.addGroup(group)
    const before = await seqNow()
    const edited = await store.groups.editGroup(group.id, (same) => ({ ...same }))
    expect(edited).toEqual({ kind: 'edited', before: group, after: group, seq: null })
    expect(await seqNow()).toBe(before)
  })

  test('of many changes at the same instant none is lost', async () => {
    const group = aGroup({ models: [] })
    await store.groups.addGroup(group)
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? store : other).groups.editGroup(group.id, (before) => ({
          ...before,
          models: [...before.models, `m${i}`],
        })),
      ),
    )
    expect((await groupOf(group.id))?.models.toSorted()).toEqual(
      Array.from({ length: 12 }, (_, i) => `m${i}`).toSorted(),
    )
  })

  test('a group is not deleted while keys, plans or running subscriptions need it', async () => {
    const [first, fallback, planned, covered] = [aGroup(), aGroup(), aGroup(), aGroup({ name: 'covered' })]
    for (const group of [first, fallback, planned]) await store.groups.addGroup(group)
    await store.groups.addGroup({ ...covered, id: 'grp_default' })
    const account = await openAccount()
    const key = aKey(account.id, { groupId: first.id, fallbackGroupIds: [fallback.id] })
    await store.keys.create(key, aSecret())
    await store.plans.putPlan(aPlan({ name: 'over it', groupIds: [planned.id] }))
    await runningSubscription(store, account.id, {})

    const inUse = (by: string, names: string[] = []) => ({ kind: 'in_use', uses: [{ by, count: 1, names }] })
    expect(await store.groups.deleteGroup(first.id, NOON)).toEqual(inUse('keys'))
    expect(await store.groups.deleteGroup(fallback.id, NOON)).toEqual(inUse('keys'))
    expect(await store.groups.deleteGroup(planned.id, NOON)).toEqual(inUse('plans', ['over it']))
    expect(await store.groups.deleteGroup('grp_default', NOON)).toEqual(inUse('subscriptions'))
    await store.keys.setStatus(key.id, 'deleted', NOON)
    expect(await store.groups.deleteGroup(first.id, NOON)).toMatchObject({ kind: 'deleted' })
    const later = NOON + 31 * 86_400_000
    expect(await store.groups.deleteGroup('grp_default', later)).toMatchObject({ kind: 'deleted' })
  })

  test('a group is not deleted while a target of a model is for it', async () => {
    const group = aGroup()
    await store.groups.addGroup(group)
    const target = { upstreamId: 'ups_any', model: 'x', priority: 0, weight: 1, groupIds: [group.id] }
    const model = aModel({ targets: [target] })
    await store.catalog.addModel(model)
    expect((await store.catalog.models()).find(({ id }) => id === model.id)?.targets).toEqual([target])
    const uses = [{ by: 'models', count: 1, names: [model.name] }]
    expect(await store.groups.deleteGroup(group.id, NOON)).toEqual({ kind: 'in_use', uses })
    await store.catalog.editModel(model.id, (before) => ({ ...before, targets: [] }))
    expect(await store.groups.deleteGroup(group.id, NOON)).toMatchObject({ kind: 'deleted' })
  })

  test('an upstream is not deleted while a model has a target there', async () => {
    const upstream = anUpstream()
    await store.catalog.addUpstream(upstream)
    const model = aModel({ targets: [{ upstreamId: upstream.id, model: 'x', priority: 0, weight: 1 }] })
    await store.catalog.addModel(model)
    const uses = [{ by: 'models', count: 1, names: [model.name] }]
    expect(await store.catalog.deleteUpstream(upstream.id)).toEqual({ kind: 'in_use', uses })
    await store.catalog.deleteModel(model.id)
    expect(await store.catalog.deleteUpstream(upstream.id)).toMatchObject({ kind: 'deleted' })
  })

  test('a deleted model is taken off the lists of groups, unless the declarative file lists it', async () => {
    const model = aModel()
    await store.catalog.addModel(model)
    const group = aGroup({ models: ['another', model.name] })
    await store.groups.addGroup(group)
    const fixed = aGroup({ models: [model.name], isManaged: true })
    await store.groups.putGroup(fixed)
    const uses = [{ by: 'groups', count: 1, names: [fixed.name] }]
    expect(await store.catalog.deleteModel(model.id)).toEqual({ kind: 'in_use', uses })
    expect((await groupOf(group.id))?.models).toEqual(['another', model.name])
    await store.groups.putGroup({ ...fixed, models: ['*'] })
    expect(await store.catalog.deleteModel(model.id)).toMatchObject({ kind: 'deleted' })
    expect((await groupOf(group.id))?.models).toEqual(['another'])
  })

  test('a plan is not deleted while an unused code grants it', async () => {
    const plan = aPlan()
    await store.plans.addPlan(plan)
    const grants = { kind: 'plan', planId: plan.id, planName: plan.name, days: plan.days } as const
    const id = newId('rdc', NOON)
    const parts = { codeStart: 'K7QM', codeEnd: 'CN8P', note: '', createdAt: NOON, expiresAt: null }
    await store.redeemCodes.create({ id, ...parts, grants }, `hash of ${id}`)
    const uses = [{ by: 'redeem_codes', count: 1, names: [] }]
    expect(await store.plans.deletePlan(plan.id)).toEqual({ kind: 'in_use', uses })
    await store.redeemCodes.delete(id)
    expect(await store.plans.deletePlan(plan.id)).toMatchObject({ kind: 'deleted' })
  })

  describe('accounts', () => {
    test('an edit changes what is said and keeps the password unless there is a new one', async () => {
      const account = anAccount()
      await store.accounts.create(account, 'a hash')
      const edited = await store.accounts.edit(account.id, (before) => ({ ...before, status: 'disabled' }), null)
      const after = { ...account, status: 'disabled' }
      expect(edited).toEqual({ kind: 'edited', before: account, after, seq: await seqNow(), accessTokensEnded: 0 })
      expect(await store.accounts.findById(account.id)).toEqual(after)
      expect(await store.accounts.passwordHash(account.id)).toBe('a hash')
      await store.accounts.edit(account.id, (before) => before, 'another hash')
      expect(await store.accounts.passwordHash(account.id)).toBe('another hash')
      expect(await store.accounts.edit('acc_nobody', (before) => before, null)).toEqual({ kind: 'unknown' })
    })

    test('one active admin is always left, also when all are demoted at the same instant', async () => {
      const admins = await Promise.all(Array.from({ length: 5 }, () => openAccount({ role: 'admin' })))
      await openAccount({ role: 'admin', status: 'disabled' })
      const answers = await Promise.all(
        admins.map(({ id }, i) =>
          (i % 2 === 0 ? store : other).accounts.edit(
            id,
            (before) => (i % 2 === 0 ? { ...before, role: 'user' } : { ...before, status: 'disabled' }),
            null,
          ),
        ),
      )
      expect(answers.filter(({ kind }) => kind === 'edited')).toHaveLength(4)
      expect(answers.filter(({ kind }) => kind === 'last_admin')).toHaveLength(1)
      const left = await store.accounts.page({ role: 'admin', status: 'active', after: null, limit: 10 })
      expect(left).toHaveLength(1)
    })

    test('pages go from the newest to the oldest, with balances, and hold what is searched for', async () => {
      const named = async (email: string, name: string) => {
        const account = anAccount({ email })
        await store.accounts.create(account, null, { name })
        return account
      }
      const [ada, bob, cy] = [
        await named('Ada_1@Pages.test', 'Countess'),
        await named('bobX1@pages.test', 'Bob'),
        await named('cy@pages.test', '100%'),
      ]
      const newest = [ada.id, bob.id, cy.id].toSorted().toReversed()
      await store.ledger.post({
        id: newId('led', NOON),
        accountId: ada.id,
        createdAt: NOON,
        kind: 'grant',
        amount: parseUsd('9007199.254740993'),
        reason: 'a test',
        actor: 'cli',
      })
      const ids = async (search: string, after: string | null = null, limit = 10) =>
        (await store.accounts.page({ search, after, limit })).map(({ account }) => account.id)
      expect(await ids('pages.TEST')).toEqual(newest)
      expect(await ids('pages.test', null, 2)).toEqual(newest.slice(0, 2))
      expect(await ids('pages.test', newest[1] ?? null)).toEqual(newest.slice(2))
      expect(await ids('a_1@')).toEqual([ada.id])
      expect(await ids('%')).toEqual([cy.id])
      expect(await ids('countess')).toEqual([ada.id])
      expect(await ids(bob.id)).toEqual([bob.id])
      expect(await ids('\\')).toEqual([])
      const [row] = await store.accounts.page({ search: ada.id, after: null, limit: 1 })
      expect(row).toEqual({ account: ada, name: 'Countess', balance: parseUsd('9007199.254740993') })
    })
  })

  test('wrong redeem codes are counted exactly, at once and on several nodes, apart from custom keys', async () => {
    const { id } = await openAccount()
    const guess = { about: 'redeem_code', asker: id, limit: 10, nowMs: NOON } as const
    const enter = (from: Store, i: number) => from.attemptLimiter.enter({ ...guess, id: `try ${id} ${i}` })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => enter(i % 2 === 0 ? store : other, i)))
    expect(answers.filter(({ kind }) => kind === 'open')).toHaveLength(10)
    expect(answers.find(({ kind }) => kind === 'locked')).toEqual({ kind: 'locked', untilMs: NOON + 3_600_000 })
    expect(await store.attemptLimiter.enter({ ...guess, id: `key ${id}`, about: 'custom_key' })).toEqual({
      kind: 'open',
    })
    const free = answers.findIndex(({ kind }) => kind === 'open')
    await store.attemptLimiter.refund(`try ${id} ${free}`)
    expect(await enter(store, 99)).toEqual({ kind: 'open' })
    expect(await enter(store, 100)).toMatchObject({ kind: 'locked' })
  })

  test('subscriptions and redeem codes are read page by page, each once', async () => {
    const account = await openAccount()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await runningSubscription(store, account.id, {})).subscription.id)
    const read: string[] = []
    for (let after = null as { createdAt: number; id: string } | null; ;) {
      const page = await store.subscriptions.list(account.id, 2, after)
      read.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      if (last === undefined) break
      after = last
    }
    expect(read).toEqual(made.toSorted().toReversed())
    expect((await store.subscriptions.live(account.id, NOON)).map(({ id }) => id)).toEqual(made.toSorted())

    const codes: string[] = []
    for (let i = 0; i < 3; i++) {
      const id = newId('rdc', NOON + i)
      codes.push(id)
      const grants = { kind: 'balance', amount: parseUsd('5') } as const
      const parts = { codeStart: 'K7QM', codeEnd: 'CN8P', grants, note: '', createdAt: NOON + i, expiresAt: null }
      await store.redeemCodes.create({ id, ...parts }, `hash of ${id}`)
    }
    const [newest] = await store.redeemCodes.list(1)
    const rest = await store.redeemCodes.list(10, newest)
    expect([newest?.id, ...rest.map(({ id }) => id)]).toEqual(codes.toReversed())
    expect((await store.redeemCodes.find(codes[0] ?? ''))?.id).toBe(codes[0])
    expect(await store.redeemCodes.find('rdc_none')).toBeNull()
  })
})
