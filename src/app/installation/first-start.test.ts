import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { diagnose } from '../../access/key-secret.ts'
import { keyedHash } from '../../core/secret-box.ts'
import { openStore } from '../../store/open-store.ts'
import type { TransactionStores, Store } from '../../store/store.ts'
import { prepareFirstStart } from './first-start.ts'
import type { FirstStartOptions } from './set-up.ts'

const secret = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
const hashSecret = keyedHash(secret)
const hashLink = keyedHash(secret, 'set-up link')
const now = 1_790_000_000_000
const origin = 'http://127.0.0.1:8787'

let folder = ''
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-first-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: { now: () => now, elapsed: () => 0 } })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

function prepare(options: Partial<FirstStartOptions> = {}) {
  return prepareFirstStart({
    store,
    hashSecret,
    hashLink,
    wantsDemo: true,
    hasDeclaration: false,
    randomBytes,
    nowMs: now,
    thisProcess: { host: 'here', id: process.pid },
    dataDirectory: null,
    ...options,
  })
}

/** Starts as a process would, and returns what it printed; null when it had nothing to print. */
async function start(options: Partial<FirstStartOptions> = {}): Promise<string | null> {
  let printed: string | null = null
  await (await prepare(options))?.announce(origin, (text) => (printed = text))
  return printed
}

const keyIn = (text: string | null) => /sk-tg-\w+/.exec(text ?? '')?.[0] ?? ''
const tokenIn = (text: string | null) => /\/console\/set-up#(\S+)/.exec(text ?? '')?.[1] ?? ''
const isLink = async (token: string) => (await store.settings.read('set_up_link')) === hashLink(token)

test('an empty installation gets admin, group, demo models, key and $10, and prints what is needed', async () => {
  const text = await start()
  const admin = await store.accounts.findByEmail('admin@localhost')
  expect(admin).toMatchObject({ role: 'admin', status: 'active' })
  expect(await store.ledger.entries(admin?.id ?? '', 10)).toMatchObject([
    { kind: 'grant', amount: 10_000_000_000n, reason: 'demo balance' },
  ])
  expect(await store.groups.groups()).toMatchObject([
    { name: 'default', multiplier: 1_000_000n, models: ['*'], isEnabled: true, isOpen: true },
  ])
  expect((await store.catalog.models()).map(({ name }) => name)).toEqual(['demo/echo', 'demo/reasoner', 'demo/tools'])
  expect(await store.catalog.upstreams()).toMatchObject([{ name: 'demo', protocol: 'demo' }])
  expect(diagnose(keyIn(text))).toEqual({ kind: 'well_formed' })
  expect((await store.keys.findByHash(hashSecret(keyIn(text))))?.key).toMatchObject({
    accountId: admin?.id,
    status: 'active',
  })
  expect(tokenIn(text)).toMatch(/^[\w-]{43}$/)
  expect(await isLink(tokenIn(text))).toBe(true)
  expect(await store.settings.read('set_up_account')).toBe(admin?.id)
  expect(text).toContain(`${origin}/console/set-up#`)
  expect(text).not.toContain('Data')
  const curl = (text ?? '').split('\n').find((line) => line.startsWith('curl '))
  expect(curl).toContain(`${origin}/v1/chat/completions`)
  expect(curl).toContain(`Bearer ${keyIn(text)}`)
})

test('no secret is stored, and a second start prints nothing', async () => {
  const text = await start()
  const stored = JSON.stringify([await store.settings.read('set_up_link'), await store.settings.read('first_start')])
  expect(stored).not.toContain(tokenIn(text))
  expect(await start()).toBeNull()
  expect(await store.keys.list({ limit: 10 })).toHaveLength(1)
})

test('where the data are is said once, and not where the database is elsewhere', async () => {
  expect(await start({ dataDirectory: '/home/ada/.local/share/tollgate' })).toContain(
    '\nData and secret are kept in:\n  /home/ada/.local/share/tollgate\n',
  )
  expect(await start({ dataDirectory: '/home/ada/.local/share/tollgate' })).toBeNull()
})

test('with TOLLGATE_DEMO=0 there is an admin, the group and the link, and nothing else', async () => {
  const text = await start({ wantsDemo: false })
  expect(await isLink(tokenIn(text))).toBe(true)
  expect(text).not.toMatch(/sk-tg-|curl/)
  expect(await store.catalog.models()).toEqual([])
  expect(await store.keys.list({ limit: 10 })).toEqual([])
  expect(await store.accounts.findByEmail('admin@localhost')).not.toBeNull()
  expect(await store.groups.groups()).toMatchObject([{ name: 'default' }])
  expect(await start({ wantsDemo: true })).toBeNull()
})

describe('an installation that was set up in another way', () => {
  const account = (email: string, role: 'user' | 'admin') =>
    ({ id: `acc_${email}`, email, role, status: 'active', createdAt: now, isManaged: true }) as const

  test('with an admin who has a password needs nothing', async () => {
    await store.accounts.create(account('ada@example.test', 'admin'), 'hash')
    expect(await start()).toBeNull()
    expect(await store.groups.groups()).toEqual([])
  })

  test('with an admin who has none gets a link for that admin, and no demo objects', async () => {
    await store.accounts.create(account('ada@example.test', 'admin'), null)
    const text = await start()
    expect(text).toContain('signs in as ada@example.test')
    expect(text).not.toContain('sk-tg-')
    expect(await store.accounts.list(10)).toHaveLength(1)
  })

  test('with users only gets an admin beside them, and no demo objects', async () => {
    await store.accounts.create(account('ada@example.test', 'user'), 'hash')
    expect(await start()).toContain('signs in as admin@localhost')
    expect(await store.catalog.models()).toEqual([])
  })

  test('by a declarative file that defines something gets no demo objects', async () => {
    expect(await start({ hasDeclaration: true })).not.toContain('sk-tg-')
    expect(await store.catalog.models()).toEqual([])
  })
})

describe('a first start that was cut short', () => {
  /** The store, ending with an error when it is written to for the `count`-th time. */
  function failingAfter(count: number): FirstStartOptions['store'] {
    let calls = 0
    const counted = <Room extends object>(room: Room): Room => {
      // Some are classes, others functions that return their methods.
      const names = [...Object.keys(room), ...Object.getOwnPropertyNames(Object.getPrototypeOf(room))]
      const methods = names.map((name) => {
        const method: unknown = Reflect.get(room, name)
        const called = (...args: unknown[]) => {
          if (/^(create|put|post|write|set)/.test(name) && ++calls > count) throw new Error('killed')
          return typeof method === 'function' ? Reflect.apply(method, room, args) : method
        }
        return [name, called]
      })
      return Object.fromEntries(methods)
    }
    const inside = (stores: TransactionStores): TransactionStores => ({
      ...stores,
      accounts: counted(stores.accounts),
      audit: counted(stores.audit),
      catalog: counted(stores.catalog),
      groups: counted(stores.groups),
      keys: counted(stores.keys),
      ledger: counted(stores.ledger),
      settings: counted(stores.settings),
    })
    const { accounts, catalog, groups, keys, settings } = inside(store)
    const together: Store['together'] = (work) => store.together((stores) => work(inside(stores)))
    return { accounts, catalog, groups, keys, settings, together }
  }

  test('after whichever step is done again, and ends with one key that was shown and $10', async () => {
    for (let step = 0; step < 40; step++) {
      await store.close()
      await rm(folder, { recursive: true })
      store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: { now: () => now, elapsed: () => 0 } })
      const first: { text: string | null } = { text: null }
      const isCut = await prepare({ store: failingAfter(step) })
        .then((prepared) => prepared?.announce(origin, (text) => (first.text = text)))
        .then(
          () => false,
          () => true,
        )
      const again = await start()
      if (!isCut) {
        expect(again).toBeNull()
        expect(step).toBeGreaterThan(8)
        return
      }
      expect(tokenIn(again), `step ${step}`).not.toBe('')
      expect(await isLink(tokenIn(again))).toBe(true)
      const shown = [keyIn(first.text), keyIn(again)].filter((key) => key !== '').map(hashSecret)
      const kept = await store.keys.list({ limit: 10 })
      // Every key that works was shown on a screen.
      expect(kept, `step ${step}`).toHaveLength(shown.length)
      for (const hash of shown) expect((await store.keys.findByHash(hash))?.key.status).toBe('active')
      const admin = await store.accounts.findByEmail('admin@localhost')
      expect(await store.ledger.balance(admin?.id ?? '')).toBe(10_000_000_000n)
      expect(await store.accounts.list(10)).toHaveLength(1)
      expect(await store.groups.groups()).toHaveLength(1)
      expect(await store.catalog.models()).toHaveLength(3)
      expect(await start()).toBeNull()
    }
    throw new Error('the first start never came to its end')
  })

  test('by another node that may still be at it keeps that node’s key', async () => {
    await prepare({ thisProcess: { host: 'there', id: 1 } })
    await start()
    expect(await store.keys.list({ limit: 10 })).toHaveLength(2)
  })
})
