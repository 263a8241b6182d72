import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nanoUsd, parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON, noonClock } from './store-fixtures.ts'
import { RULES } from './ruled-prices.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

/** Texts that have broken one engine or another: all of them come back as they were, but for what no text can hold. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '{"a":1}',
  '[1]',
  'null',
  '12',
  "'; drop table accounts; --",
  '\\',
  '"',
  'Ünï 漢字 🦆',
  '\u2028',
]

describe.each(ENGINES)('the store on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  describe('opening', () => {
    test('an empty database may be opened by several at once, and again', async () => {
      const empty = await newPlace(engine, { hasTables: false })
      const stores = await Promise.all([empty.open(), empty.open(), empty.open()])
      await Promise.all(stores.map((each) => each.check(5_000)))
      const again = await empty.open()
      expect(again.engine).toBe(engine)
      expect(await again.settings.read('x')).toBeNull()
      const applied = await empty.sql('select name from migrations order by name')
      expect(new Set(applied.map((row) => row['name'])).size).toBe(applied.length)
      await empty.leave()
    })

    test('a database of a newer version is refused, and says so', async () => {
      const newer = await newPlace(engine)
      await newer.open()
      await newer.sql(`insert into migrations (name, applied_at) values ('9999_later', 1)`)
      await expect(newer.open()).rejects.toThrow(/newer version/)
      await newer.leave()
    })

    test('a database that is not there is reported', async () => {
      const options = { dataDirectory: '/dev/null/none', clock: noonClock }
      const databaseUrl = engine === 'sqlite' ? null : 'postgres://nobody@127.0.0.1:1/none'
      await expect(openStore({ ...options, databaseUrl })).rejects.toThrow()
    })

    test('a closed store rejects every call', async () => {
      const closed = await place.open()
      await closed.close()
      await closed.close()
      for (const call of [
        () => closed.settings.read('x'),
        () => closed.settings.write('x', 'y'),
        () => closed.settlements.settle([]),
        () => closed.check(1_000),
        () => closed.ledger.prove(),
      ]) {
        await expect(call()).rejects.toThrow(/store closed/)
      }
    })
  })

  describe('accounts', () => {
    test('what was created is found, by id and by address in any case', async () => {
      const account = anAccount({ email: 'Ada.Ünal@Example.test', role: 'admin', isManaged: true })
      expect(await store.accounts.create(account, 'hash')).toBe(true)
      expect(await store.accounts.findById(account.id)).toEqual(account)
      expect(await store.accounts.findByEmail('ada.üNAL@example.TEST')).toEqual(account)
      expect(await store.accounts.passwordHash(account.id)).toBe('hash')
      expect(await store.accounts.list(1_000)).toContainEqual(account)
      expect(await store.ledger.balance(account.id)).toBe(0n)
    })

    test('an address is taken whatever its case', async () => {
      await store.accounts.create(anAccount({ email: 'grace@example.test' }), null)
      expect(await store.accounts.create(anAccount({ email: 'GRACE@example.test' }), null)).toBe(false)
    })

    test('an update keeps the password unless there is a new one', async () => {
      const account = anAccount()
      await store.accounts.create(account, 'old')
      const disabled = { ...account, status: 'disabled', email: `new-${account.email}` } as const
      const change = await store.accounts.update(disabled, null)
      expect(change).toMatchObject({ subject: 'account', subjectId: account.id })
      expect(await store.accounts.findById(account.id)).toEqual(disabled)
      expect(await store.accounts.passwordHash(account.id)).toBe('old')
      await store.accounts.update(disabled, 'new')
      expect(await store.accounts.passwordHash(account.id)).toBe('new')
    })

    test('another address or password changes nothing else, whatever became of the account meanwhile', async () => {
      const account = anAccount({ role: 'admin' })
      await store.accounts.create(account, 'old')
      const lowered = { ...account, role: 'user', status: 'disabled' } as const
      await store.accounts.update(lowered, null)
      const change = await store.accounts.updateCredentials(account.id, { passwordHash: 'new' })
      expect(change).toMatchObject({ subject: 'account', subjectId: account.id })
      expect(await store.accounts.findById(account.id)).toEqual(lowered)
      expect(await store.accounts.passwordHash(account.id)).toBe('new')
      const email = `New-${account.email}`
      await store.accounts.updateCredentials(account.id, { email })
      expect(await store.accounts.findByEmail(email.toLowerCase())).toEqual({ ...lowered, email })
      expect(await store.accounts.passwordHash(account.id)).toBe('new')
      await store.accounts.updateCredentials(account.id, {})
      expect(await store.accounts.findById(account.id)).toEqual({ ...lowered, email })
    })

    test('no account is found, nothing is updated, no second owner of an address is made', async () => {
      expect(await store.accounts.findById('acc_none')).toBeNull()
      expect(await store.accounts.findByEmail('none@example.test')).toBeNull()
      expect(await store.accounts.passwordHash('acc_none')).toBeNull()
      await expect(store.accounts.update(anAccount(), null)).rejects.toThrow(/no account/)
      await expect(store.accounts.updateCredentials('acc_none', {})).rejects.toThrow(/no account/)
      const [one, two] = [anAccount(), anAccount()]
      await store.accounts.create(one, null)
      await store.accounts.create(two, null)
      await expect(store.accounts.update({ ...two, email: one.email.toUpperCase() }, null)).rejects.toThrow()
      await expect(store.accounts.updateCredentials(two.id, { email: one.email.toUpperCase() })).rejects.toThrow()
      expect(await store.accounts.findByEmail(two.email)).toEqual(two)
    })
  })

  describe('keys', () => {
    test('a key comes back whole, by its hash together with its owner', async () => {
      const owner = anAccount()
      await store.accounts.create(owner, null)
      const key = aKey(owner.id, {
        fallbackGroupIds: ['grp_b', 'grp_a'],
        expiresAt: NOON + 1,
        quotaLimit: parseUsd('9000000000.000000001'),
        quotaReset: 'weekly',
        rateLimit: {
          concurrency: 3,
          requestsPerMinute: null,
          tokensPerMinute: 1_000_000,
          spend: [{ window: '5h', usd: parseUsd('9000000000.000000001') }],
        },
        allowedModels: HOSTILE_TEXTS,
        allowedIps: ['10.0.0.0/8', '::1'],
        isManaged: true,
      })
      const secret = aSecret()
      expect(await store.keys.create(key, secret)).toEqual({ kind: 'created' })
      const shown = { secretStart: 'sk-tg-abcd', secretEnd: 'wxyz', overlap: null }
      const stored = { ...key, status: 'active', statusChangedAt: NOON, ...shown }
      expect(await store.keys.findByHash(secret.hash)).toEqual({ key: stored, account: owner, subscriptions: [] })
      expect(await store.keys.findById(key.id)).toEqual(stored)
    })

    test('a hash is taken for good, and so are keys without an account refused', async () => {
      const owner = anAccount()
      await store.accounts.create(owner, null)
      const [first, second] = [aKey(owner.id), aKey(owner.id)]
      const secret = aSecret()
      expect(await store.keys.create(first, secret)).toEqual({ kind: 'created' })
      expect(await store.keys.create(second, secret)).toEqual({ kind: 'taken' })
      expect(await store.keys.findById(second.id)).toBeNull()
      await store.keys.setStatus(first.id, 'deleted', NOON)
      expect(await store.keys.create(second, secret)).toEqual({ kind: 'taken' })
      await expect(store.keys.create(aKey('acc_none'), aSecret())).rejects.toThrow()
    })

    test('a deleted key is still found by its hash, and stays deleted', async () => {
      const owner = anAccount()
      await store.accounts.create(owner, null)
      const key = aKey(owner.id)
      const secret = aSecret()
      await store.keys.create(key, secret)
      expect(await store.keys.setStatus(key.id, 'disabled', NOON + 5)).toMatchObject({ subject: 'key' })
      expect((await store.keys.findById(key.id))?.statusChangedAt).toBe(NOON + 5)
      expect(await store.keys.setStatus(key.id, 'deleted', NOON + 6)).toMatchObject({ subjectId: key.id })
      expect(await store.keys.setStatus(key.id, 'active', NOON + 7)).toBeNull()
      expect(await store.keys.setStatus('key_none', 'active', NOON)).toBeNull()
      expect((await store.keys.findByHash(secret.hash))?.key).toMatchObject({
        status: 'deleted',
        statusChangedAt: NOON + 6,
      })
      expect(await store.keys.list({ accountId: owner.id, limit: 10 })).toEqual([])
      expect(await store.keys.list({ accountId: owner.id, limit: 10, includeDeleted: true })).toHaveLength(1)
    })

    test('lists come newest first, of one account or of all, and end at the limit', async () => {
      const owner = anAccount()
      await store.accounts.create(owner, null)
      const ids = ['key_zz1', 'key_zz3', 'key_zz2']
      for (const id of ids) await store.keys.create(aKey(owner.id, { id }), aSecret())
      const listed = await store.keys.list({ accountId: owner.id, limit: 2 })
      expect(listed.map((key) => key.id)).toEqual(['key_zz3', 'key_zz2'])
      expect((await store.keys.list({ limit: 1_000 })).length).toBeGreaterThan(3)
    })

    test('an update replaces the settings and nothing else', async () => {
      const owner = anAccount()
      await store.accounts.create(owner, null)
      const key = aKey(owner.id, { quotaLimit: parseUsd('1') })
      const secret = aSecret()
      await store.keys.create(key, secret)
      const before = await store.keys.findById(key.id)
      if (before === null) throw new Error('the key is gone')
      const after = { ...before, name: 'other', groupId: 'grp_other', quotaLimit: null, allowedIps: ['::1'] }
      await store.keys.update({ ...after, status: 'disabled', accountId: 'acc_thief', secretStart: 'x' })
      expect((await store.keys.findByHash(secret.hash))?.key).toEqual(after)
      await expect(store.keys.update({ ...after, id: 'key_none' })).rejects.toThrow(/no API key/)
    })
  })

  describe('the catalogue', () => {
    test('a group is added, replaced by its name, and left alone when nothing is different', async () => {
      const group = {
        id: 'grp_1',
        name: 'Ünï "pro"',
        multiplier: parseMultiplier('0.85'),
        models: HOSTILE_TEXTS,
        isEnabled: true,
        isOpen: false,
        cache: { ttlSeconds: 60, price: parseMultiplier('0.123456'), isShared: true, since: 1_790_000_000_000 },
        isManaged: false,
      }
      expect(await store.groups.putGroup(group)).toMatchObject({ subject: 'catalog', subjectId: 'grp_1' })
      expect(await store.groups.groups()).toEqual([group])
      expect(await store.groups.putGroup({ ...group, id: 'grp_2' })).toBeNull()
      const { cache: _, ...uncached } = group
      const changed = { ...uncached, models: ['*'], isEnabled: false, isOpen: true, multiplier: parseMultiplier('1.5') }
      expect(await store.groups.putGroup({ ...changed, id: 'grp_3' })).toMatchObject({ subjectId: 'grp_1' })
      expect(await store.groups.groups()).toEqual([changed])
    })

    test('a model likewise, and it keeps the day it was added', async () => {
      const model = {
        id: 'mdl_1',
        name: 'gpt-5.5',
        prices: {
          input: parseUsd('2.5'),
          output: parseUsd('9000000000'),
          cacheRead: null,
          cacheWrite: parseUsd('0'),
          cacheWrite1h: null,
          other: { audioInput: parseUsd('40'), imageInput: null, audioOutput: parseUsd('80') },
          units: { request: parseUsd('10'), image: parseUsd('40000'), second: null, character: parseUsd('15') },
        },
        contextTokens: 400_000,
        maxOutputTokens: null,
        targets: [{ upstreamId: 'ups_1', model: 'gpt-5.5', priority: 0, weight: 1 }],
        createdAt: NOON,
        isManaged: true,
      }
      expect(await store.catalog.putModel(model)).toBe(true)
      expect(await store.catalog.putModel({ ...model, id: 'mdl_2', createdAt: NOON + 1 })).toBe(false)
      expect(await store.catalog.models()).toEqual([model])
      const ruled = { ...model, prices: { ...model.prices, ...RULES } }
      expect(await store.catalog.putModel(ruled)).toBe(true)
      expect(await store.catalog.putModel(ruled)).toBe(false)
      expect(await store.catalog.models()).toEqual([ruled])
      const { other } = model.prices
      const thinking = { ...ruled, prices: { ...ruled.prices, other: { ...other, reasoningOutput: parseUsd('7') } } }
      expect(await store.catalog.putModel(thinking)).toBe(true)
      expect(await store.catalog.putModel(thinking)).toBe(false)
      expect(await store.catalog.models()).toEqual([thinking])
      const alone = { audioInput: null, imageInput: null, audioOutput: null, reasoningOutput: parseUsd('7') }
      const onlyThinking = { ...model, prices: { ...model.prices, other: alone } }
      expect(await store.catalog.putModel(onlyThinking)).toBe(true)
      expect(await store.catalog.models()).toEqual([onlyThinking])
      const marked = {
        ...model,
        kind: 'embedding' as const,
        isRecommended: true as const,
        isPriceLocked: true as const,
      }
      expect(await store.catalog.putModel(marked)).toBe(true)
      expect(await store.catalog.putModel(marked)).toBe(false)
      expect(await store.catalog.models()).toEqual([marked])
      const planned = {
        ...ruled,
        scheduled: { effectiveAt: NOON, prices: ruled.prices, contextTokens: null, by: 'acc_1' },
      }
      for (const each of [
        planned,
        { ...planned, scheduled: { ...planned.scheduled, prices: null, importId: 'imp_1' } },
      ]) {
        expect(await store.catalog.putModel(each)).toBe(true)
        expect(await store.catalog.putModel(each)).toBe(false)
        expect(await store.catalog.models()).toEqual([each])
      }
      const unpriced = { ...model, prices: null, targets: [] }
      expect(await store.catalog.putModel({ ...unpriced, id: 'mdl_3', createdAt: NOON + 2 })).toBe(true)
      expect(await store.catalog.models()).toEqual([unpriced])
    })

    test('an upstream likewise', async () => {
      const upstream = {
        id: 'ups_1',
        name: 'main',
        protocol: 'openai',
        baseUrl: 'https://api.example.test/v1',
        credentials: [
          {
            ...unlimitedCredential('sealed', 'a'),
            realm: 'o',
            models: ['m'],
            spendPerDay: nanoUsd(2n ** 60n),
            expiresAt: 5,
            shadow: ['spend_per_day'],
          },
          unlimitedCredential('sealed too', 'b'),
        ],
        connectTimeoutMs: 1,
        firstByteTimeoutMs: null,
        timeoutMs: 600_000,
        maxConcurrency: null,
        spendPerDay: nanoUsd(2n ** 60n),
        shadow: ['spend_per_day'],
        headers: { 'x-a': '{"b":1}', 'X-B': '' },
        isManaged: true,
      } as const
      expect(await store.catalog.putUpstream(upstream)).toBe(true)
      expect(await store.catalog.putUpstream({ ...upstream, id: 'ups_2' })).toBe(false)
      expect(await store.catalog.putUpstream({ ...upstream, credentials: [] })).toBe(true)
      expect(await store.catalog.upstreams()).toEqual([{ ...upstream, credentials: [] }])
    })

    test('a plan likewise', async () => {
      const plan = {
        id: 'pln_1',
        name: 'pro',
        groupIds: ['grp_1'],
        opensGroups: true,
        days: 30,
        price: parseUsd('20'),
        quotas: [{ window: '5h', usd: parseUsd('5.000000001') }],
        isManaged: true,
      } as const
      expect(await store.plans.putPlan(plan)).toBe(true)
      expect(await store.plans.putPlan({ ...plan, id: 'pln_2' })).toBe(false)
      expect(await store.plans.putPlan({ ...plan, days: 31 })).toBe(true)
      expect(await store.plans.plans()).toEqual([{ ...plan, days: 31 }])
    })

    test('the same name put by many at once is one row', async () => {
      const others = await Promise.all([place.open(), place.open(), place.open()])
      const group = {
        name: 'race',
        multiplier: parseMultiplier('1'),
        models: [],
        isEnabled: true,
        isOpen: true,
        isManaged: false,
      }
      const answers = await Promise.all(
        [store, ...others].map((each, i) => each.groups.putGroup({ ...group, id: `grp_race${i}` })),
      )
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1)
      expect((await store.groups.groups()).filter(({ name }) => name === 'race')).toHaveLength(1)
    })
  })

  describe('settings', () => {
    test.each(HOSTILE_TEXTS)('%j comes back as it was written', async (text) => {
      await store.settings.write('text', text)
      expect(await store.settings.read('text')).toBe(text)
    })

    test('what no column can hold is replaced, alike on both engines', async () => {
      await store.settings.write('nul', 'a\0b\uD800c')
      expect(await store.settings.read('nul')).toBe('a\uFFFDb\uFFFDc')
    })

    test('the first of many who write once is the one', async () => {
      const other = await place.open()
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((value, i) => (i % 2 === 0 ? store : other).settings.writeOnce('once', value)),
      )
      expect(new Set(answers).size).toBe(1)
      expect(await store.settings.read('once')).toBe(answers[0])
    })
  })
})
