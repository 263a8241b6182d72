import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { NO_GIFT, type SignInLink } from '../../src/access/sign-in-link.ts'
import { newId } from '../../src/core/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { anAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const HOUR = 3_600_000

describe.each(ENGINES)('what sign-in keeps, on %s', (engine) => {
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  async function aPerson() {
    const account = anAccount()
    await store.accounts.create(account, 'hash')
    return account
  }

  const aSession = (accountId: string, over: object = {}) => ({
    id: newId('ses', NOON),
    tokenHash: newId('ses', NOON),
    accountId,
    createdAt: NOON,
    updatedAt: NOON,
    expiresAt: NOON + HOUR,
    signedInAt: NOON,
    beganBy: 'password',
    address: '::1',
    client: "a 'browser'; --",
    ...over,
  })

  const aLink = (over: Partial<SignInLink> = {}): SignInLink => ({
    id: newId('lnk', NOON),
    purpose: 'invitation',
    accountId: null,
    email: null,
    role: 'user',
    createdBy: null,
    createdAt: NOON,
    expiresAt: NOON + HOUR,
    usedAt: null,
    usedBy: null,
    ...NO_GIFT,
    ...over,
  })

  test('of sixty sessions that begin at once, also through several nodes, an account keeps fifty: those that began last', async () => {
    const { id } = await aPerson()
    const stranger = await aPerson()
    await store.signInRecords.insert('session', aSession(stranger.id, { createdAt: NOON - HOUR }))
    const old = aSession(id, { createdAt: NOON - HOUR })
    await store.signInRecords.insert('session', old)
    const other = await place.open()
    const begun = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? store : other))
    await Promise.all(
      begun.map((each, i) => each.signInRecords.insert('session', aSession(id, { createdAt: NOON + i }))),
    )
    const own = { field: 'accountId', is: '=', value: id } as const
    const keeps = async () => {
      const kept = await store.signInRecords.select('session', { where: [own], limit: 100 })
      return kept.map(({ createdAt }) => Number(createdAt) - NOON).toSorted((a, b) => a - b)
    }
    const since = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)
    await store.signInRecords.insert('session', aSession(id, { createdAt: NOON + 60 }))
    expect(await keeps()).toEqual(since(11, 50))
    // Through a node whose clock is behind, until another one begins.
    await other.signInRecords.insert('session', aSession(id, { createdAt: NOON - 60_000 }))
    expect(await keeps()).toEqual([-60_000, ...since(12, 49)])
    await store.signInRecords.insert('session', aSession(id, { createdAt: NOON + 61 }))
    expect(await keeps()).toEqual(since(12, 50))
    expect(await store.signInRecords.count('session', [{ ...own, value: stranger.id }])).toBe(1)
  })

  describe('what others change of an account ends', () => {
    interface Way {
      readonly change: Partial<Account>
      readonly passwordHash: string | null
      readonly expected: { readonly sessions: number; readonly tokens: number }
    }
    const WAYS: Readonly<Record<string, Way>> = {
      'a new password, sessions and access tokens': {
        change: {},
        passwordHash: 'another hash',
        expected: { sessions: 0, tokens: 0 },
      },
      'a disabled account, sessions and access tokens': {
        change: { status: 'disabled' },
        passwordHash: null,
        expected: { sessions: 0, tokens: 0 },
      },
      'a role with fewer rights, access tokens alone': {
        change: { role: 'operator' },
        passwordHash: null,
        expected: { sessions: 1, tokens: 0 },
      },
      'other settings, nothing': {
        change: { openGroupIds: ['grp_1'] },
        passwordHash: null,
        expected: { sessions: 1, tokens: 1 },
      },
    }

    const aToken = (accountId: string) => ({
      id: newId('pat', NOON),
      accountId,
      name: 'report',
      scope: 'write' as const,
      secretStart: 'tg-pat-aaaa',
      secretEnd: 'bbbb',
      createdAt: NOON,
      expiresAt: null,
      lastUsedAt: null,
    })

    async function anAdmin() {
      const account = anAccount({ role: 'admin' })
      await store.accounts.create(account, 'hash')
      await store.signInRecords.insert('session', aSession(account.id))
      const token = aToken(account.id)
      await store.accessTokens.create(token, token.id, 10)
      const left = async () => ({
        sessions: await store.signInRecords.count('session', [{ field: 'accountId', is: '=', value: account.id }]),
        tokens: (await store.accessTokens.list(account.id, { after: null, limit: 10 })).length,
      })
      return { account, left }
    }

    test.each(Object.entries(WAYS))('of %s', async (_name, { change, passwordHash, expected }) => {
      // One active admin is always left.
      await anAdmin()
      const edited = await anAdmin()
      const edit = (before: Account): Account => ({ ...before, ...change })
      const answer = await store.accounts.edit(edited.account.id, edit, passwordHash)
      expect(answer).toMatchObject({ kind: 'edited', accessTokensEnded: 1 - expected.tokens })
      expect(await edited.left()).toEqual(expected)

      const updated = await anAdmin()
      // The declarative file writes the hash that is there where the password is the same.
      const written = await store.accounts.update(edit(updated.account), passwordHash ?? 'hash')
      expect(written).toMatchObject({ accessTokensEnded: 1 - expected.tokens })
      expect(await updated.left()).toEqual(expected)
    })
  })

  describe('profiles', () => {
    test('an account that an admin makes starts with a verified address and the standard settings', async () => {
      const account = await aPerson()
      expect(await store.accounts.findOwn(account.id)).toEqual({
        account,
        hasPassword: true,
        profile: {
          name: '',
          language: null,
          theme: 'system',
          isEmailVerified: true,
          hasSecondFactor: false,
          wantsMail: true,
          favouriteModels: [],
        },
      })
      expect(await store.accounts.findOwn('acc_none')).toBeNull()
    })

    test('what is given is kept, what is left out stays, and an update of the account leaves it alone', async () => {
      const account = anAccount()
      await store.accounts.create(account, null, { name: 'Ada', isEmailVerified: false })
      await store.accounts.updateProfile(account.id, { language: 'zh-CN', wantsMail: false })
      await store.accounts.updateProfile(account.id, {})
      await store.accounts.update({ ...account, role: 'admin' }, null)
      expect(await store.accounts.findOwn(account.id)).toMatchObject({
        account: { role: 'admin' },
        hasPassword: false,
        profile: { name: 'Ada', language: 'zh-CN', isEmailVerified: false, wantsMail: false, theme: 'system' },
      })
    })
  })

  describe('records', () => {
    test('come back as they were written, by any condition', async () => {
      const { id } = await aPerson()
      const one = aSession(id)
      const two = aSession(id, { expiresAt: NOON + 2 * HOUR })
      await store.signInRecords.insert('session', one)
      await store.signInRecords.insert('session', two)
      const mine = { field: 'accountId', is: '=', value: id } as const
      const find = (...where: Parameters<typeof store.signInRecords.count>[1]) =>
        store.signInRecords.select('session', {
          where: [mine, ...where],
          limit: 10,
          sortBy: { field: 'expiresAt', direction: 'desc' },
        })
      expect(await find()).toEqual([two, one])
      expect(await find({ field: 'expiresAt', is: '>', value: NOON + HOUR })).toEqual([two])
      expect(await find({ field: 'expiresAt', is: '<=', value: NOON + HOUR })).toEqual([one])
      expect(await find({ field: 'id', is: 'in', value: [one.id, 'ses_none'] })).toEqual([one])
      expect(await find({ field: 'id', is: 'in', value: [] })).toEqual([])
      expect(await find({ field: 'id', is: '!=', value: one.id })).toEqual([two])
      expect(await store.signInRecords.count('session', [mine])).toBe(2)
      expect(await store.signInRecords.select('session', { where: [mine], limit: 1, offset: 1 })).toHaveLength(1)
    })

    test('a field that there is none of is refused, whatever it is called', async () => {
      const where = [{ field: 'id; drop table sessions', is: '=', value: '' }] as const
      await expect(store.signInRecords.count('session', where)).rejects.toThrow(/no field/)
    })

    test('an update sets, adds and answers in one step, where its conditions hold', async () => {
      const { id } = await aPerson()
      const factor = {
        id: newId('sfa', NOON),
        accountId: id,
        secret: 's',
        backupCodes: 'b',
        isConfirmed: false,
        failures: 0,
        lockedUntilAt: null,
        lastCounter: 0,
      }
      await store.signInRecords.insert('secondFactor', factor)
      const mine = { field: 'accountId', is: '=', value: id } as const
      const counted = await Promise.all(
        Array.from({ length: 5 }, () =>
          store.signInRecords.update('secondFactor', {
            where: [mine],
            set: { isConfirmed: true },
            add: { failures: 1 },
          }),
        ),
      )
      expect(counted.map(([row]) => Number(row?.['failures'])).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
      const locked = { field: 'lockedUntilAt', is: '!=', value: null } as const
      expect(await store.signInRecords.update('secondFactor', { where: [mine, locked], set: { failures: 0 } })).toEqual(
        [],
      )
      const [row] = await store.signInRecords.select('secondFactor', { where: [mine], limit: 1 })
      expect(row).toEqual({ ...factor, isConfirmed: true, failures: 5 })
    })

    test('of many that take one record at once, one gets it', async () => {
      const identifier = newId('vrf', NOON)
      for (const id of [`${identifier}a`, `${identifier}b`]) {
        await store.signInRecords.insert('verification', {
          id,
          identifier,
          content: '{"a":1}',
          expiresAt: NOON,
          createdAt: NOON,
          updatedAt: NOON,
        })
      }
      const where = [{ field: 'id', is: '=', value: `${identifier}a` }] as const
      const taken = await Promise.all([1, 2, 3].map(() => store.signInRecords.delete('verification', where)))
      expect(taken.flat()).toHaveLength(1)
      const rest = [{ field: 'identifier', is: '=', value: identifier }] as const
      expect(await store.signInRecords.delete('verification', rest, { onlyOne: true })).toHaveLength(1)
      expect(await store.signInRecords.delete('verification', rest, { onlyOne: true })).toEqual([])
    })

    test('two people cannot have the same identity or session', async () => {
      const [one, two] = [await aPerson(), await aPerson()]
      const session = aSession(one.id)
      await store.signInRecords.insert('session', session)
      await expect(
        store.signInRecords.insert('session', { ...aSession(two.id), tokenHash: session.tokenHash }),
      ).rejects.toThrow()
      const identity = { provider: 'oidc', subject: one.id, createdAt: NOON, updatedAt: NOON }
      await store.signInRecords.insert('identity', { ...identity, id: newId('idn', NOON), accountId: one.id })
      await expect(
        store.signInRecords.insert('identity', { ...identity, id: newId('idn', NOON), accountId: two.id }),
      ).rejects.toThrow()
    })
  })

  describe('links', () => {
    test('open once, for their purpose, until they expire', async () => {
      const link = aLink()
      expect(await store.signInLinks.create(link, link.id)).toBe(true)
      expect(await store.signInLinks.create(aLink(), link.id)).toBe(false)
      const about = { purpose: 'invitation', nowMs: NOON } as const
      expect(await store.signInLinks.findOpen(link.id, about)).toEqual(link)
      expect(await store.signInLinks.findOpen(link.id, { ...about, purpose: 'reset' })).toBeNull()
      expect(await store.signInLinks.findOpen(link.id, { ...about, nowMs: link.expiresAt })).toBeNull()
      expect(await store.signInLinks.take(link.id, { ...about, nowMs: link.expiresAt, usedBy: null })).toBeNull()
      const taken = await Promise.all(
        ['a', 'b', 'c'].map((usedBy) => store.signInLinks.take(link.id, { ...about, usedBy })),
      )
      expect(taken.filter((one) => one !== null)).toHaveLength(1)
      expect(await store.signInLinks.findOpen(link.id, about)).toBeNull()
      expect(await store.signInLinks.isKnown(link.id)).toBe(true)
      expect(await store.signInLinks.isKnown('none')).toBe(false)
      expect((await store.signInLinks.list('invitation', 100)).find(({ id }) => id === link.id)?.usedAt).toBe(NOON)
    })

    test('can be taken back while they are unused, one by one or all of an account', async () => {
      const used = aLink({ usedAt: NOON })
      const open = aLink()
      await store.signInLinks.create(used, used.id)
      await store.signInLinks.create(open, open.id)
      expect(await store.signInLinks.withdraw(used.id, 'invitation')).toBe(false)
      expect(await store.signInLinks.withdraw(open.id, 'reset')).toBe(false)
      expect(await store.signInLinks.withdraw(open.id, 'invitation')).toBe(true)
      const reset = aLink({ purpose: 'reset', accountId: 'acc_x' })
      await store.signInLinks.create(reset, reset.id)
      await store.signInLinks.withdrawAllOf('acc_x', 'reset')
      expect(await store.signInLinks.findOpen(reset.id, { purpose: 'reset', nowMs: NOON })).toBeNull()
    })
  })
})
