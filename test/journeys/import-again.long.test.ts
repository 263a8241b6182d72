import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { systemClock } from '../../src/core/clock.ts'
import { parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { keyedHash, sealer } from '../../src/core/secret-box.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const UNIT_NANO = 2_000n
const CHANNEL = { type: 1, base_url: 'https://house.example.test', group: 'default,vip,svip' }

let source: SourceDatabase
let rows: NewApiRows
let store: Store
let environment: Record<string, string> = {}

beforeEach(async () => {
  const directory = await migratedDirectory()
  source = sqliteSource(join(directory, 'new-api.db'))
  rows = await makeNewApi(source, {
    users: 12,
    passwordHash: await hash(SOURCE_PASSWORD, 4),
    options: {
      ModelRatio: JSON.stringify({ 'house-model': 0.375 }),
      CompletionRatio: JSON.stringify({ 'house-model': 4 }),
      CacheRatio: JSON.stringify({ 'house-model': 0.25 }),
      UserUsableGroups: JSON.stringify({ default: 'all' }),
    },
    channels: [{ ...CHANNEL, id: 1, name: 'house', key: 'sk-first', models: 'house-model,unpriced-model' }],
  })
  await source.run(`update users set status = 1, quota = 5000, "group" = 'vip'`)
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  await run()
  store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
})
afterEach(async () => {
  await store.close()
  await source.close()
})

async function run(...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(environment, [
    'import',
    'new-api',
    source.url,
    '--admins',
    'keep',
    ...more,
  ])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

async function keyOf(userId: number) {
  const { key = '' } = rows.tokens.find(({ user_id }) => user_id === userId) ?? {}
  const found = await store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(key) ?? ''))
  if (found === null) throw new Error(`the key of user ${userId} was not imported`)
  return found
}

async function modelNamed(name: string) {
  const model = (await store.catalog.models()).find((each) => each.name === name)
  if (model === undefined) throw new Error(`${name} was not imported`)
  return model
}

test('a key that was disabled and limited here stays so while it is used at the old gateway', async () => {
  const { key } = await keyOf(1)
  const here = {
    status: 'disabled',
    allowedIps: ['10.0.0.0/8'],
    allowedModels: ['house-model'],
    rateLimit: { concurrency: 2, requestsPerMinute: null, tokensPerMinute: null, spend: [] },
  } as const
  await store.keys.edit(key.id, (before) => ({ ...before, ...here }), 1)
  await source.run('update tokens set used_quota = used_quota + 10, remain_quota = remain_quota - 10')
  await run()
  expect((await keyOf(1)).key).toMatchObject(here)
})

test('what changes of a key at the source is changed here, and what was changed here too stays and is named', async () => {
  const { key } = await keyOf(1)
  await store.keys.edit(key.id, (before) => ({ ...before, allowedIps: ['10.0.0.0/8'] }), 1)
  await source.run(`update tokens set status = 2, allow_ips = '127.0.0.1', name = 'renamed' where user_id = 1`)
  const said = await run()
  expect((await keyOf(1)).key).toMatchObject({ status: 'disabled', name: 'renamed', allowedIps: ['10.0.0.0/8'] })
  expect(said).toMatch(/keys 10001: changed there since the last import, and here.*\(addresses\)/)
  await source.run(`update tokens set allow_ips = '127.0.0.2', status = 1 where user_id = 1`)
  await run()
  expect((await keyOf(1)).key).toMatchObject({ status: 'active', allowedIps: ['10.0.0.0/8'] })
})

test('a key that is deleted at the source is disabled; one that was disabled here does not come back with it', async () => {
  for (const id of [1, 2]) await source.run(`update tokens set user_id = -user_id where user_id = ${id}`)
  await store.keys.edit((await keyOf(2)).key.id, (before) => ({ ...before, status: 'disabled' }), 1)
  await run()
  expect((await keyOf(1)).key.status).toBe('disabled')
  for (const id of [1, 2]) await source.run(`update tokens set user_id = ${id} where user_id = -${id}`)
  await run()
  expect([(await keyOf(1)).key.status, (await keyOf(2)).key.status]).toEqual(['active', 'disabled'])
})

test('an account that was suspended, demoted and limited here stays so while its balance moves at the old gateway', async () => {
  const { account } = await keyOf(2)
  const limits = { concurrency: 3, maxKeys: 4 }
  const open = (await store.groups.groups()).map(({ id }) => id)
  const here = { status: 'disabled', role: 'auditor', limits, openGroupIds: open } as const
  await store.accounts.edit(account.id, (before) => ({ ...before, ...here }), null)
  await source.run('update users set quota = quota - 1000')
  await run()
  expect(await store.accounts.findById(account.id)).toMatchObject(here)
  expect(await store.ledger.balance(account.id)).toBe(4_000n * UNIT_NANO)
})

test('the ledger says where a balance came from, and what it was there in its own units', async () => {
  const { account } = await keyOf(2)
  await source.run('update users set quota = quota - 1000')
  await run()
  const entries = await store.ledger.entries(account.id, 5)
  expect(entries.map(({ kind, amount, reason, actor }) => ({ kind, amount, reason, actor })).toReversed()).toEqual([
    { kind: 'import', amount: 5_000n * UNIT_NANO, reason: 'opening balance from new-api, 5000 units', actor: 'cli' },
    {
      kind: 'import',
      amount: -1_000n * UNIT_NANO,
      reason: 'change at new-api since the last import, to 4000 units',
      actor: 'cli',
    },
  ])
})

test('an account that owes something begins with 0 where that was decided, also when it owes more at the next run', async () => {
  const { account } = await keyOf(2)
  await source.run(`update users set quota = -500, status = 1 where id in (2, 3)`)
  const zero = await run('--negative', 'zero')
  expect(zero).toMatch(/users 2, 3: owes something there, and begins with 0 here/)
  expect(await store.ledger.balance(account.id)).toBe(0n)
  await source.run(`update users set quota = -700 where id = 2`)
  expect(await run('--negative', 'zero')).toContain('Nothing is different from the last import.')
  await run('--negative', 'keep')
  expect(await store.ledger.balance(account.id)).toBe(-700n * UNIT_NANO)
  const wrong = await runHere(environment, [
    'import',
    'new-api',
    source.url,
    '--admins',
    'keep',
    '--negative',
    'forgive',
  ])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/--negative .*keep.*zero/) })
  expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})

test('an account that is disabled at the source is disabled here, and keeps the password that was set here', async () => {
  const { account } = await keyOf(2)
  await store.accounts.updateCredentials(account.id, { passwordHash: 'of their own' })
  await source.run(`update users set status = 2, password = '$2a$04$another' where id = 2`)
  const said = await run()
  expect(await store.accounts.findById(account.id)).toMatchObject({ status: 'disabled' })
  expect(await store.accounts.passwordHash(account.id)).toBe('of their own')
  expect(said).toMatch(/users 2: changed there.*\(password\)/)
})

test('an account that was closed here is left alone, whatever changes at the source', async () => {
  const { account } = await keyOf(3)
  expect(await runHere(environment, ['account', 'close', account.email])).toMatchObject({ code: 0 })
  const before = {
    balance: await store.ledger.balance(account.id),
    hash: await store.accounts.passwordHash(account.id),
  }
  await source.run(`update users set quota = 9000, role = 10, status = 1, password = '$2a$04$another' where id = 3`)
  const said = await run()
  expect(said).toMatch(/users 3: were closed here, and stay so/)
  expect(await store.accounts.findById(account.id)).toMatchObject({ status: 'disabled', role: 'user' })
  expect(await store.ledger.balance(account.id)).toBe(before.balance)
  expect(await store.accounts.passwordHash(account.id)).toBe(before.hash)
})

test('a price that was set here outlives new channels of its model, and a locked one outlives other prices there', async () => {
  const prices = (await modelNamed('house-model')).prices
  const unpriced = await modelNamed('unpriced-model')
  expect(unpriced.prices).toBeNull()
  await store.catalog.editModel(unpriced.id, (before) => ({ ...before, prices }))
  await source.run(`insert into channels (id, type, key, status, name, base_url, models, "group", priority, weight)
    values (2, 1, 'sk-b', 1, 'second', 'https://b.example.test', 'house-model,unpriced-model', 'default', 0, 0)`)
  await run()
  expect(await modelNamed('unpriced-model')).toMatchObject({ prices, targets: [{}, {}] })
  const { id } = await modelNamed('house-model')
  await store.catalog.editModel(id, (before) => ({ ...before, isPriceLocked: true }))
  await source.run(`update options set value = '{"house-model":7}' where "key" = 'ModelRatio'`)
  expect(await run()).toMatch(/models house-model: have a locked price/)
  expect((await modelNamed('house-model')).prices).toEqual(prices)
  await store.catalog.editModel(id, ({ isPriceLocked: _lock, ...before }) => before)
  await source.run(`update options set value = '{"house-model":8}' where "key" = 'ModelRatio'`)
  await run()
  expect((await modelNamed('house-model')).prices?.input).toBe(parseUsd('16'))
})

test('targets that were changed, added and removed here stay so when a channel changes at the source', async () => {
  await source.run(`insert into channels (id, type, key, status, name, base_url, models, "group", priority, weight)
    values (2, 1, 'sk-b', 1, 'second', 'https://b.example.test', 'house-model', 'default', 0, 0)`)
  await run()
  const model = await modelNamed('house-model')
  expect(model.targets).toHaveLength(2)
  await store.catalog.editModel(model.id, (before) => ({
    ...before,
    targets: before.targets.slice(0, 1).map((target) => ({ ...target, weight: 7, spendPerDay: parseUsd('5') })),
  }))
  await source.run('update channels set weight = 3')
  await source.run(`insert into channels (id, type, key, status, name, base_url, models, "group", priority, weight)
    values (3, 1, 'sk-c', 1, 'third', 'https://c.example.test', 'house-model', 'default', 0, 4)`)
  expect(await run()).toMatch(/models house-model: changed there.*\(targets\)/)
  expect((await modelNamed('house-model')).targets).toMatchObject([
    { weight: 7, spendPerDay: parseUsd('5') },
    { weight: 4 },
  ])
})

test('an upstream keeps what was set of it here, and a credential that was replaced here', async () => {
  const [upstream] = await store.catalog.upstreams()
  if (upstream === undefined) throw new Error('no upstream was imported')
  const [first] = upstream.credentials
  if (first === undefined) throw new Error('no credential was imported')
  const own = sealer(TEST_SECRET).seal('sk-own')
  const edit = { timeoutMs: 9_000, credentials: [{ ...first, sealedSecret: own, weight: 5 }] }
  await store.catalog.editUpstream(upstream.id, (before) => ({ ...before, ...edit }))
  await source.run(`update channels set key = 'sk-second', base_url = 'https://moved.example.test'`)
  const said = await run()
  expect(said).toMatch(/upstreams 1: changed there.*\(credentials\)/)
  const [after] = await store.catalog.upstreams()
  expect(after).toMatchObject({ baseUrl: 'https://moved.example.test/v1', ...edit })
})

test('a credential that changes at the source changes here, and one that was disabled here stays so', async () => {
  const [upstream] = await store.catalog.upstreams()
  if (upstream === undefined) throw new Error('no upstream was imported')
  await store.catalog.changeCredential({ upstreamId: upstream.id, name: 'default', isDisabled: true })
  await source.run(`update channels set key = 'sk-second'`)
  await run()
  const [after] = await store.catalog.upstreams()
  expect(sealer(TEST_SECRET).open(after?.credentials[0]?.sealedSecret ?? '')).toBe('sk-second')
  expect(await store.catalog.credentialStates()).toMatchObject([{ isDisabled: true }])
})

test('a group keeps the multiplier that was set here, and is known again under another name', async () => {
  const group = (await store.groups.groups()).find(({ name }) => name === 'vip')
  if (group === undefined) throw new Error('the group was not imported')
  const here = { name: 'partners', multiplier: parseMultiplier('0.5') }
  await store.groups.editGroup(group.id, (before) => ({ ...before, ...here }))
  await source.run(`insert into options values ('GroupRatio', '{"default":1,"vip":0.9,"svip":1}')`)
  await source.run(`insert into users (id, username, password, role, status, email, quota, "group")
    values (99, 'late', 'x', 1, 1, 'late@example.test', 0, 'vip')`)
  expect(await run()).toMatch(/groups vip: changed there.*\(multiplier\)/)
  const groups = await store.groups.groups()
  expect(groups.find(({ id }) => id === group.id)).toMatchObject(here)
  expect(groups.filter(({ name }) => name === 'vip')).toEqual([])
  const late = await store.accounts.findByEmail('late@example.test')
  expect(late?.openGroupIds).toEqual([group.id])
})
