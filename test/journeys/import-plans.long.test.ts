import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isOpenTo } from '../../src/access/group.ts'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { systemClock } from '../../src/core/clock.ts'
import { formatUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { subscriptionBudget } from '../../src/metering/budgets/budget.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import {
  insertRows,
  postgresSource,
  type SourceDatabase,
  sqliteSource,
} from '../support/import-sources/source-database.ts'
import { makeSub2api } from '../support/import-sources/sub2api-source.ts'
import { migratedDirectory, testPostgres } from '../support/test-servers.ts'

const NOTHING = 'Nothing is different from the last import.'
const opened: (() => Promise<unknown>)[] = []

let source: SourceDatabase
let store: Store
let environment: Record<string, string> = {}
let directory = ''

beforeEach(async () => {
  directory = await migratedDirectory()
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  opened.push(() => store.close())
})
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function run(product: 'new-api' | 'sub2api', ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(environment, [
    'import',
    product,
    source.url,
    '--admins',
    'keep',
    ...more,
  ])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return stdout
}

/** What the owner of this key has: its subscriptions, and what is used of each quota. */
async function boughtBy(key: string) {
  const found = await store.keys.findByHash(keyedHash(TEST_SECRET)(key))
  if (found === null) throw new Error('the key was not imported')
  const groups = new Map((await store.groups.groups()).map(({ id, name }) => [id, name]))
  const subscriptions = await Promise.all(
    found.subscriptions.map(async ({ id, planName, groupIds, quotas, endsAt }) => {
      const budgets = quotas.map(({ usd, window }) => subscriptionBudget(id, usd, window))
      const states = await store.budgets.states(budgets, Date.now())
      const used = states.map(({ limit, used: spent }) => `${formatUsd(spent)} of ${formatUsd(limit)}`)
      return { id, planName, groups: groupIds.map((group) => groups.get(group)), used, endsAt }
    }),
  )
  return { group: groups.get(found.key.groupId), subscriptions }
}

describe('of new-api', () => {
  let key = ''
  beforeEach(async () => {
    source = sqliteSource(join(directory, 'new-api.db'))
    opened.push(() => source.close())
    const { tokens } = await makeNewApi(source, { users: 2, passwordHash: await hash(SOURCE_PASSWORD, 4) })
    key = canonicalKey(tokens.find(({ user_id }) => user_id === 1)?.key ?? '') ?? ''
    await source.run('update users set status = 1, quota = 0')
    await source.run(`create table subscription_plans (id bigint primary key, title varchar(100), price_amount decimal(10,2),
      currency varchar(8), duration_unit varchar(16), duration_value bigint, total_amount bigint, quota_reset_period varchar(16))`)
    await source.run(`create table user_subscriptions (id bigint primary key, user_id bigint, plan_id bigint,
      start_time bigint, end_time bigint, status varchar(16), amount_total bigint, amount_used bigint, next_reset_time bigint)`)
    const plan = { id: 1, title: 'Monthly', price_amount: '9.90', currency: 'USD', duration_unit: 'day' }
    await insertRows(source, 'subscription_plans', [
      { ...plan, duration_value: 30, total_amount: 500_000, quota_reset_period: 'never' },
    ])
    const held = { id: 1, user_id: 1, plan_id: 1, start_time: 1_760_000_000, end_time: 4_000_000_000, status: 'active' }
    await insertRows(source, 'user_subscriptions', [
      { ...held, amount_total: 250_000, amount_used: 50_000, next_reset_time: 0 },
    ])
  })

  test('a subscription keeps the amount that was sold when its plan gets another one, and one of amount 0 has no bound', async () => {
    await run('new-api')
    const before = (await boughtBy(key)).subscriptions
    expect(before).toMatchObject([{ planName: 'Monthly', used: ['0.1 of 0.5'] }])
    await source.run('update subscription_plans set total_amount = 750000')
    expect(await run('new-api')).toContain('plan: 0 created, 1 changed')
    expect((await boughtBy(key)).subscriptions).toEqual(before)
    await source.run('update user_subscriptions set amount_total = 0')
    await run('new-api')
    expect((await boughtBy(key)).subscriptions).toMatchObject([{ planName: 'Monthly', used: [] }])
    expect(await run('new-api')).toContain(NOTHING)
  })

  test('a plan pays in every group and opens none, as one that an earlier import has made does from the next run on', async () => {
    await run('new-api')
    const [plan] = await store.plans.plans()
    expect(plan?.opensGroups).toBe(false)
    const found = await store.keys.findByHash(keyedHash(TEST_SECRET)(key))
    const closed = (await store.groups.groups()).filter(({ isOpen }) => !isOpen)
    expect(closed.map(({ name }) => name)).toEqual(['svip'])
    for (const group of closed) {
      expect(plan?.groupIds).toContain(group.id)
      expect(isOpenTo(group, { subscriptions: found?.subscriptions ?? [] }, Date.now())).toBe(false)
    }
    expect(found?.subscriptions).toHaveLength(1)
    // As it was left before plans said what they open.
    const [from = ''] = await store.imported.sources('plan')
    const known = (await store.imported.all(from, 'plan')).get('1')
    if (known === undefined) throw new Error('the plan was not imported')
    const { opensGroups: _, ...fields } = known.state['fields'] as Record<string, string>
    await store.imported.put(from, 'plan', { ...known, state: { ...known.state, fields } })
    await store.plans.editPlan(plan?.id ?? '', (each) => ({ ...each, opensGroups: true }))
    expect(await run('new-api')).toContain('plan: 0 created, 1 changed')
    expect((await store.plans.plans())[0]?.opensGroups).toBe(false)
    expect(await run('new-api')).toContain(NOTHING)
  })
})

describe('of sub2api', () => {
  let key = ''
  beforeEach(async () => {
    const database = await testPostgres()
    opened.push(() => database.drop())
    source = await postgresSource(database.url)
    opened.push(() => source.close())
    const about = { users: 5, passwordHash: await hash(SOURCE_PASSWORD, 4), port: 9, nowMs: Date.now() }
    const { keys } = await makeSub2api(source, about)
    key = keys.find(({ user_id }) => user_id === 3)?.key ?? ''
  })

  test('a subscription that is renewed at the source runs on here as the same one, and one that ends sooner there is replaced', async () => {
    await run('sub2api', '--accept', 'months')
    const [before] = (await boughtBy(key)).subscriptions
    await source.run(`update user_subscriptions set expires_at = expires_at + interval '30 days'`)
    expect(await run('sub2api', '--accept', 'months')).toMatch(/subscription: 0 created, 1 changed/)
    const [renewed] = (await boughtBy(key)).subscriptions
    expect(renewed).toEqual({ ...before, endsAt: (before?.endsAt ?? 0) + 30 * 86_400_000 })
    expect(await run('sub2api', '--accept', 'months')).toContain(NOTHING)

    await source.run(`update user_subscriptions set expires_at = expires_at - interval '35 days'`)
    await run('sub2api', '--accept', 'months')
    const { subscriptions } = await boughtBy(key)
    expect(subscriptions).toEqual([
      { ...before, id: expect.any(String), endsAt: (before?.endsAt ?? 0) - 5 * 86_400_000 },
    ])
    expect(subscriptions[0]?.id).not.toBe(before?.id)
  })

  test('a subscriber who gets a multiplier of their own since has a plan with it, with the same end and what was used', async () => {
    await run('sub2api', '--accept', 'months')
    const before = await boughtBy(key)
    const used = ['4.5 of 10', '30 of 100']
    expect(before).toMatchObject({ group: 'sold', subscriptions: [{ planName: 'Monthly', groups: ['sold'], used }] })
    const endsAt = before.subscriptions[0]?.endsAt

    await source.run(`insert into user_group_rate_multipliers values (3, 3, 0.5)`)
    const said = await run('sub2api', '--accept', 'months')
    expect(said).toMatch(/plan: 1 created/)
    expect(said).toMatch(/subscription: 0 created, 1 changed/)
    const own = { planName: 'Monthly sold·0.5', groups: ['sold·0.5'], used, endsAt }
    expect(await boughtBy(key)).toMatchObject({ group: 'sold·0.5', subscriptions: [own] })
    expect(await run('sub2api', '--accept', 'months')).toContain(NOTHING)

    await source.run(`delete from user_group_rate_multipliers where user_id = 3`)
    await run('sub2api', '--accept', 'months')
    expect(await boughtBy(key)).toMatchObject({
      group: 'sold',
      subscriptions: [{ planName: 'Monthly', groups: ['sold'], used, endsAt }],
    })
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  })
})
