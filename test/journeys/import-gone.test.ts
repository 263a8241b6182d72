import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { systemClock } from '../../src/core/clock.ts'
import { formatUsd, parseUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { insertRows, type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const CHANNEL = { type: 1, group: 'default,vip,svip' }
const PLAN = { price_amount: '9.90', currency: 'USD', duration_unit: 'day', duration_value: 30, custom_seconds: 0 }
const NOTHING = 'Nothing is different from the last import.'

let source: SourceDatabase
let rows: NewApiRows
let store: Store
let environment: Record<string, string> = {}

beforeEach(async () => {
  const directory = await migratedDirectory()
  source = sqliteSource(join(directory, 'new-api.db'))
  rows = await makeNewApi(source, {
    users: 4,
    passwordHash: await hash(SOURCE_PASSWORD, 4),
    options: { ModelRatio: '{"one":1,"both":1}', CompletionRatio: '{"one":2,"both":2}' },
    channels: [
      { ...CHANNEL, id: 1, name: 'house', key: 'sk-a', base_url: 'https://a.example.test', models: 'one,both' },
      { ...CHANNEL, id: 2, name: 'second', key: 'sk-b', base_url: 'https://b.example.test', models: 'both' },
    ],
  })
  await source.run('update users set status = 1, quota = 5000')
  await source.run(`create table subscription_plans (id bigint primary key, title varchar(100), price_amount decimal(10,2),
    currency varchar(8), duration_unit varchar(16), duration_value bigint, custom_seconds bigint, total_amount bigint,
    quota_reset_period varchar(16))`)
  await source.run(`create table user_subscriptions (id bigint primary key, user_id bigint, plan_id bigint,
    start_time bigint, end_time bigint, status varchar(16), amount_used bigint, next_reset_time bigint)`)
  const plans = [
    { ...PLAN, id: 1, title: 'Kept', total_amount: 500_000, quota_reset_period: 'never' },
    { ...PLAN, id: 2, title: 'Gone', total_amount: 500_000, quota_reset_period: 'never' },
  ]
  await insertRows(source, 'subscription_plans', plans)
  const held = { start_time: 1_760_000_000, end_time: 4_000_000_000, status: 'active', next_reset_time: 0 }
  await insertRows(source, 'user_subscriptions', [
    { ...held, id: 1, user_id: 1, plan_id: 1, amount_used: 1_000 },
    { ...held, id: 2, user_id: 2, plan_id: 2, amount_used: 0 },
  ])
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  await run()
  store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
})
afterEach(async () => {
  await store.close()
  await source.close()
})

async function run(): Promise<string> {
  const { code, stdout, stderr } = await runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

/** What serves a model here: the names of upstreams. */
async function servedBy(name: string): Promise<readonly string[]> {
  const names = new Map((await store.catalog.upstreams()).map((upstream) => [upstream.id, upstream.name]))
  const model = (await store.catalog.models()).find((each) => each.name === name)
  return model?.targets.map(({ upstreamId }) => names.get(upstreamId) ?? '') ?? ['not imported']
}

async function disabledUpstreams(): Promise<readonly string[]> {
  const names = new Map((await store.catalog.upstreams()).map((upstream) => [upstream.id, upstream.name]))
  const states = await store.catalog.credentialStates()
  return states.flatMap(({ upstreamId, isDisabled }) => (isDisabled ? [names.get(upstreamId) ?? ''] : []))
}

async function subscriptionsOf(userId: number) {
  const { key = '' } = rows.tokens.find(({ user_id }) => user_id === userId) ?? {}
  const found = await store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(key) ?? ''))
  return found?.subscriptions ?? []
}

test('a channel that is deleted at the source serves nothing here, and asks nothing by its credential, until it is back', async () => {
  await source.run('update channels set id = -1 where id = 1')
  const said = await run()
  expect(said).toMatch(/upstreams 1: are gone from the source since.*credentials are disabled/)
  expect(said).toMatch(/models one: are served by nothing at the source since/)
  expect([await servedBy('one'), await servedBy('both')]).toEqual([[], ['second']])
  expect(await disabledUpstreams()).toEqual(['house'])
  expect(await run()).toContain(NOTHING)

  await source.run('update channels set id = 1 where id = -1')
  await run()
  expect(await servedBy('one')).toEqual(['house'])
  expect((await servedBy('both')).toSorted()).toEqual(['house', 'second'])
  expect(await disabledUpstreams()).toEqual([])
  expect(await run()).toContain(NOTHING)
})

test('what was set here of a model goes on when its channel is gone: its price, and other targets', async () => {
  const model = (await store.catalog.models()).find(({ name }) => name === 'one')
  const second = (await store.catalog.upstreams()).find(({ name }) => name === 'second')
  if (model === undefined || second === undefined) throw new Error('not imported')
  expect(model.prices?.input).toBe(parseUsd('2'))
  const own = { upstreamId: second.id, model: 'own', priority: 0, weight: 1 }
  await store.catalog.editModel(model.id, (before) => ({ ...before, targets: [...before.targets, own] }))
  await source.run('update channels set id = -1 where id = 1')
  await run()
  const after = (await store.catalog.models()).find(({ name }) => name === 'one')
  expect(after).toMatchObject({ prices: model.prices, targets: [own] })
})

test('a plan that is deleted at the source is not for sale here until it is back', async () => {
  await source.run('update user_subscriptions set plan_id = 1 where id = 2')
  await run()
  await source.run('delete from subscription_plans where id = 2')
  expect(await run()).toMatch(/plans 2: are gone from the source since: their price is 0/)
  const prices = (await store.plans.plans()).map(({ name, price }) => [name, formatUsd(price)])
  expect(Object.fromEntries(prices)).toEqual({ Kept: '9.9', Gone: '0' })
  expect(await run()).toContain(NOTHING)
  await insertRows(source, 'subscription_plans', [
    { ...PLAN, id: 2, title: 'Gone', total_amount: 500_000, quota_reset_period: 'never' },
  ])
  await run()
  expect((await store.plans.plans()).map(({ price }) => price)).toEqual([parseUsd('9.9'), parseUsd('9.9')])
})

test('a plan that gets another name at the source leaves the subscriptions of those who have it as they are', async () => {
  const before = await subscriptionsOf(1)
  expect(before).toMatchObject([{ planName: 'Kept' }])
  await source.run(`update subscription_plans set title = 'Renamed' where id = 1`)
  expect(await run()).toContain(NOTHING)
  expect(await subscriptionsOf(1)).toEqual(before)
})
