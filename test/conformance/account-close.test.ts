import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { aKey, aSecret, aSettlement, fundedAccount, NOON, noonClock, runningSubscription } from './store-fixtures.ts'
import type { Account } from '../../src/access/account.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'

let folder = ''
let store: Store
let account: Account
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-account-close-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: noonClock })
  account = await fundedAccount(store, '5')
  await store.accounts.updateProfile(account.id, { name: 'Ada', favouriteModels: ['m'] })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function close(email: string) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder },
    openStore: async () => ({ ...store, close: async () => {} }),
    nowMs: () => NOON,
    randomBytes,
  })
  const code = await runCommandLine(['account', 'close', email], host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

test('a closed account cannot be used or recognised, and the books still prove', async () => {
  await store.keys.create(aKey(account.id), aSecret('hash-1'))
  await runningSubscription(store, account.id, {})
  await store.settlements.settle([aSettlement(account.id, 7n)])
  expect(await close(account.email)).toMatchObject({
    code: 0,
    printed: expect.stringContaining(`Closed: ${account.id}`),
  })
  expect(await store.accounts.findByEmail(account.email)).toBeNull()
  expect(await store.accounts.findOwn(account.id)).toMatchObject({
    account: { email: `${account.id}@closed.invalid`, status: 'disabled' },
  })
  expect(
    JSON.stringify(await store.accounts.findOwn(account.id), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  ).not.toContain('Ada')
  expect(await store.keys.list({ accountId: account.id, limit: 10 })).toEqual([])
  expect(await store.subscriptions.live(account.id, NOON)).toEqual([])
  expect(await store.ledger.balance(account.id)).toBe(4_999_999_993n)
  expect(await store.ledger.prove()).toMatchObject({ records: 1, disagreements: [] })
})

test('an unknown account, a managed one and the last admin are refused in one sentence', async () => {
  const of = { role: 'admin', status: 'active', createdAt: NOON } as const
  await store.accounts.create({ id: 'acc_f', email: 'filed@example.test', ...of, isManaged: true, role: 'user' }, null)
  await store.accounts.create({ id: 'acc_a', email: 'admin@example.test', ...of, isManaged: false }, null)
  for (const [email, says] of [
    ['none@example.test', /There is no account/],
    ['filed@example.test', /declarative file/],
    ['admin@example.test', /last active admin/],
  ] as const) {
    expect(await close(email)).toMatchObject({ code: 1, remarked: expect.stringMatching(says) })
  }
  expect(await store.accounts.findByEmail('admin@example.test')).toMatchObject({ status: 'active' })
})
