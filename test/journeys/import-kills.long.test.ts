import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment, LAUNCHER } from '../support/gateway-process.ts'
import { makeNewApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import {
  insertRows,
  postgresSource,
  type SourceDatabase,
  sqliteSource,
} from '../support/import-sources/source-database.ts'
import { migratedDirectory, migratedPostgres, type TestDatabase, testPostgres } from '../support/test-servers.ts'

const USERS = 400
/** The number of rows of each of the other kinds: several portions. */
const EACH = 160
const UNIT_NANO = 2_000n
const STEPS = ['group', 'upstream', 'model', 'account', 'account', 'key', 'plan', 'subscription', 'code']

const SALES = [
  `create table subscription_plans (id bigint primary key, title varchar(100), price_amount decimal(10,2), currency varchar(8),
    duration_unit varchar(16), duration_value bigint, custom_seconds bigint, total_amount bigint, quota_reset_period varchar(16))`,
  `create table user_subscriptions (id bigint primary key, user_id bigint, plan_id bigint, start_time bigint, end_time bigint,
    status varchar(16), amount_used bigint, next_reset_time bigint)`,
  `create table redemptions (id bigint primary key, "key" char(32), status bigint, quota bigint, expired_time bigint)`,
]

async function makeSource(source: SourceDatabase): Promise<NewApiRows> {
  const ids = Array.from({ length: EACH }, (_, i) => i + 1)
  const rows = await makeNewApi(source, {
    users: USERS,
    passwordHash: await hash(SOURCE_PASSWORD, 4),
    channels: ids.map((id) => ({
      id,
      type: 1,
      name: `channel ${id}`,
      key: `sk-${id}`,
      base_url: `https://house${id}.example.test`,
      models: `model-${id}`,
      group: 'default,vip,svip',
    })),
  })
  for (const table of SALES) await source.run(table)
  const [began, ends] = [1_760_000_000, 4_000_000_000]
  const plan = { price_amount: '9.90', currency: 'USD', duration_unit: 'day', duration_value: 30, custom_seconds: 0 }
  await insertRows(
    source,
    'subscription_plans',
    ids.map((id) => ({ ...plan, id, title: `Plan ${id}`, total_amount: 500_000, quota_reset_period: 'never' })),
  )
  const subscription = { start_time: began, end_time: ends, status: 'active', amount_used: 1_000, next_reset_time: 0 }
  await insertRows(
    source,
    'user_subscriptions',
    ids.map((id) => ({ ...subscription, id, user_id: id, plan_id: id })),
  )
  await insertRows(
    source,
    'redemptions',
    ids.map((id) => ({ id, key: String(id).padStart(32, 'c'), status: 1, quota: 500_000, expired_time: 0 })),
  )
  return rows
}

/** Ends the import by a signal as soon as it says that it is at this step. */
async function endedAt(
  step: string,
  { signal, environment, args }: { signal: NodeJS.Signals; environment: Record<string, string>; args: string[] },
) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const isSaid = said.includes(step)
    said += text
    if (!isSaid && said.includes(step)) child.kill(signal)
  })
  await once(child, 'close')
  return { signal: child.signalCode, said }
}

describe.for(['sqlite', 'postgres'] as const)('into %s', (engine) => {
  let into: TestDatabase | null = null
  afterEach(async () => {
    await into?.drop()
    into = null
  })

  async function begun() {
    const directory = await migratedDirectory()
    const source = sqliteSource(join(directory, 'new-api.db'))
    const rows = await makeSource(source)
    await source.close()
    if (engine === 'postgres') into = await migratedPostgres()
    const databaseUrl = into?.url ?? null
    const environment: Record<string, string> = {
      ...gatewayEnvironment(directory),
      TOLLGATE_SECRET: 'x7'.repeat(16),
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    }
    const args = ['import', 'new-api', source.url, '--admins', 'keep', '--switched']
    return { rows, directory, databaseUrl, environment, args }
  }

  /** All of it is here once, and the books agree. */
  async function expectWhole({ rows, directory, databaseUrl, environment, args }: Awaited<ReturnType<typeof begun>>) {
    expect(await runHere(environment, args)).toMatchObject({ code: 0 })
    expect((await runHere(environment, args)).stdout).toContain('Nothing is different from the last import.')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
    const store = await openStore({ databaseUrl, dataDirectory: directory, clock: systemClock })
    const accounts = await store.accounts.list(USERS + 1)
    let balances = 0n
    let subscriptions = 0
    for (const { id } of accounts) {
      balances += await store.ledger.balance(id)
      expect(await store.ledger.entries(id, 5)).toHaveLength(1)
      subscriptions += (await store.subscriptions.list(id, 5)).length
    }
    const found = {
      accounts: accounts.length,
      keys: (await store.keys.list({ limit: USERS + 1 })).length,
      groups: (await store.groups.groups()).length,
      upstreams: (await store.catalog.upstreams()).length,
      models: (await store.catalog.models()).map(({ targets }) => targets.length),
      plans: (await store.plans.plans()).length,
      subscriptions,
      codes: (await store.redeemCodes.list(EACH + 1)).length,
    }
    await store.close()
    expect(found).toEqual({
      accounts: USERS,
      keys: USERS,
      groups: 3,
      upstreams: EACH,
      models: Array.from({ length: EACH }, () => 1),
      plans: EACH,
      subscriptions: EACH,
      codes: EACH,
    })
    expect(balances).toBe(rows.users.reduce((all, { quota }) => all + BigInt(quota) * UNIT_NANO, 0n))
  }

  test('an import that is killed at any step loses nothing and does nothing twice: the next run finishes it', async () => {
    const place = await begun()
    for (const step of STEPS) {
      const { signal } = await endedAt(`${step}: `, { ...place, signal: 'SIGKILL' })
      expect({ step, signal }).toEqual({ step, signal: 'SIGKILL' })
    }
    await expectWhole(place)
  }, 600_000)

  test('SIGINT ends an import by that signal with one sentence, and the next run finishes it', async () => {
    const place = await begun()
    for (const step of ['upstream', 'account']) {
      const { signal, said } = await endedAt(`${step}: `, { ...place, signal: 'SIGINT' })
      expect({ step, signal }).toEqual({ step, signal: 'SIGINT' })
      const sentences = said.split('\n').filter((line) => line !== '' && !line.endsWith('…'))
      expect(sentences).toEqual(['Stopped. What is written stays, and the next run goes on from there.'])
    }
    await expectWhole(place)
  }, 600_000)
})

test('SIGINT while the source is read ends an import by that signal with one sentence, and nothing is imported', async () => {
  const [database, directory] = [await testPostgres(), await migratedDirectory()]
  const source = await postgresSource(database.url)
  await makeNewApi(source, { users: 2, passwordHash: 'x' })
  // It is not read on before this ends.
  await source.run('begin; lock table users in access exclusive mode')
  const environment = { ...gatewayEnvironment(directory), TOLLGATE_SECRET: 'x7'.repeat(16) }
  const args = ['import', 'new-api', source.url, '--admins', 'keep']
  const { signal, said } = await endedAt('Reading new-api', { environment, args, signal: 'SIGINT' })
  expect({ signal, said }).toEqual({ signal: 'SIGINT', said: 'Reading new-api …\nStopped. Nothing was imported.\n' })
  await source.close()
  await database.drop()
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  expect(await store.accounts.list(3)).toEqual([])
  await store.close()
}, 120_000)
