import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyedHash, sealer } from '../../core/secret-box.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { applyDeclarativeFile } from './apply-declarative.ts'
import { parseDeclarativeFile } from './declarative-file.ts'

const SECRET = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
const NOW = 1_790_000_000_000

let folder = ''
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-apply-limits-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: { now: () => NOW, elapsed: () => 0 } })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

function apply(text: string) {
  const file = parseDeclarativeFile(text, { name: 'tollgate.yaml', environment: {} })
  return applyDeclarativeFile(file, { store, sealer: sealer(SECRET), hashSecret: keyedHash(SECRET), nowMs: NOW })
}

function fileWith(limits: string, keys = ''): string {
  return `groups:
  - { name: default, models: ["*"] }
plans:
  - { name: pro, groups: [default], days: 30, price: "20", quotas: [{ window: 5h, usd: "5" }, { window: term, usd: "40" }], limits: { concurrency: null, max_keys: 9 } }
accounts:
  - { email: ada@example.test${limits} }
${keys === '' ? '' : `keys:\n${keys}`}`
}

function key(name: string, more = ''): string {
  return `  - { account: ada@example.test, name: ${name}, group: default, custom_key: ada-${name}-2f9c61d07b3e${more} }\n`
}

const LIMITS =
  ', limits: { concurrency: 20, spend: [{ window: 1d, usd: "50" }], max_keys: 2, max_key_validity_days: 30 }'

test('accounts and plans have the limits that the file gives them, and none any more when it gives none', async () => {
  const { changes } = await apply(fileWith(LIMITS))
  expect(changes).toContain('account ada@example.test (new)')
  expect(await store.accounts.findByEmail('ada@example.test')).toMatchObject({
    limits: { concurrency: 20, spend: [{ window: '1d', usd: 50_000_000_000n }], maxKeys: 2, maxKeyValidityDays: 30 },
  })
  expect(await store.plans.plans()).toMatchObject([
    { limits: { concurrency: null, maxKeys: 9 }, quotas: [{ window: '5h' }, { window: 'term', usd: 40_000_000_000n }] },
  ])
  expect((await apply(fileWith(LIMITS))).changes).toEqual([])
  expect((await apply(fileWith(''))).changes).toEqual([
    'account ada@example.test: limits.concurrency 20 → none, limits.max_key_validity_days 30 → none, limits.max_keys 2 → none, limits.spend.1d removed',
  ])
  expect(await store.accounts.findByEmail('ada@example.test')).not.toHaveProperty('limits')
})

test('a limit that does not exist or takes another value is refused with its place', () => {
  expect(() => parseDeclarativeFile(fileWith(', limits: { max_key: 2 }'), { name: 'f.yaml', environment: {} })).toThrow(
    /max_key.*max_keys/s,
  )
  expect(() =>
    parseDeclarativeFile(fileWith(', limits: { max_keys: 1001 }'), { name: 'f.yaml', environment: {} }),
  ).toThrow(/accounts\.0\.limits\.max_keys|accounts\[0\]\.limits\.max_keys|max_keys/)
})

test('a key that would be valid for longer than its account allows is refused before anything is applied', async () => {
  await expect(apply(fileWith(LIMITS, key('laptop')))).rejects.toThrow(
    /keys of this account are valid for 30 days at most/,
  )
  expect(await store.accounts.findByEmail('ada@example.test')).toBeNull()
  const expires = `, expires_at: ${new Date(NOW + 29 * 86_400_000).toISOString()}`
  await apply(fileWith(LIMITS, key('laptop', expires)))
  expect(await store.keys.list({ limit: 10 })).toHaveLength(1)
})

test('a key more than the account may have is refused with its place, before anything is applied', async () => {
  const three = ['one', 'two', 'three'].map((name) => key(name)).join('')
  await expect(apply(fileWith(', limits: { max_keys: 2 }', three))).rejects.toThrow(
    /room for another key: this one may have 2/,
  )
  expect(await store.accounts.findByEmail('ada@example.test')).toBeNull()
  const two = key('one') + key('two')
  await apply(fileWith(', limits: { max_keys: 2 }', two))
  expect((await apply(fileWith(', limits: { max_keys: 2 }', two))).changes).toEqual([])
  await expect(apply(fileWith(', limits: { max_keys: 2 }', three))).rejects.toThrow(/room for another key/)
  expect(await store.keys.list({ limit: 10 })).toHaveLength(2)
})
