import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const clock = { now: () => NOON, elapsed: () => 0 }
const EMAIL = 'ada@example.test'

let folder = ''
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-account-limits-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock })
  for (const [id, email, isManaged] of [
    ['acc_1', EMAIL, false],
    ['acc_2', 'filed@example.test', true],
  ] as const) {
    await store.accounts.create({ id, email, role: 'user', status: 'active', createdAt: NOON, isManaged }, null)
  }
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function run(...args: string[]) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder, TOLLGATE_SECRET: 'a-secret-for-tests-only'.repeat(2) },
    openStore: async () => ({ ...store, close: async () => {} }),
    nowMs: () => NOON,
    randomBytes,
  })
  const code = await runCommandLine(['account', 'limits', ...args], host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

async function own() {
  return (await store.accounts.findByEmail(EMAIL))?.limits
}

test('limits that are named are set, the others stay; none takes one away, default leaves it to the installation', async () => {
  await store.accounts.setStandardLimits({ concurrency: 4, maxKeys: 9 })
  const first = await run(
    EMAIL,
    '--requests-per-minute',
    '60',
    '--concurrency',
    'none',
    '--spend',
    '5h=5,1d=20.5',
    '--json',
  )
  expect(first).toMatchObject({ code: 0 })
  expect(JSON.parse(first.printed)).toEqual({
    concurrency: null,
    requests_per_minute: 60,
    tokens_per_minute: null,
    spend: [
      { window: '5h', usd: '5' },
      { window: '1d', usd: '20.5' },
    ],
    max_keys: 9,
    max_key_validity_days: null,
  })
  await run(EMAIL, '--max-keys', '2', '--concurrency', 'default', '--spend', 'none')
  expect(await own()).toEqual({ requestsPerMinute: 60, spend: [], maxKeys: 2 })
  const shown = await run(EMAIL)
  expect(shown.printed).toMatch(/concurrency +4\nrequests_per_minute +60\n.*\nspend +unlimited\nmax_keys +2\n/)
  await store.accounts.setStandardLimits(null)
})

test('a value that a limit does not take is refused with what it takes, and nothing is changed', async () => {
  const before = await own()
  const refused = await run(EMAIL, '--max-keys', '5000', '--concurrency', '3')
  expect(refused.code).toBe(2)
  expect(refused.remarked).toMatch(/--max-keys is "5000", but it must be at most 1000, none or default/)
  expect(await own()).toEqual(before)
})

test('the limits of an account from the declarative file are changed there', async () => {
  const refused = await run('filed@example.test', '--max-keys', '5')
  expect(refused.code).toBe(1)
  expect(refused.remarked).toMatch(/comes from the declarative file: change its limits there/)
})
