import { hash } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { broughtBalances, runWhileMoving } from '../support/import-sources/moving-source.ts'
import { makeOneApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import {
  mysqlSource,
  postgresSource,
  type SourceDatabase,
  sqliteSource,
} from '../support/import-sources/source-database.ts'
import type { KeptProcess } from '../support/kept-process.ts'
import { HAS_MARIADB, startMariadbServer } from '../support/mariadb-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory, testPostgres } from '../support/test-servers.ts'

const UNIT_NANO = 2_000n
const USERS = 1_000
/** 1.5 × 2 USD for a million tokens of input, twice that of output. */
const [PROMPT, COMPLETION] = [1_001, 203]
const MULTIPLIERS: Readonly<Record<string, bigint>> = { default: 100n, vip: 90n, svip: 85n }

if (!HAS_MARIADB) console.info('MariaDB is not on this machine: one-api on MySQL is not tried (mariadb-server-core).')
const ENGINES = HAS_MARIADB ? (['sqlite', 'postgres', 'mysql'] as const) : (['sqlite', 'postgres'] as const)

let upstream: ScriptedUpstream
beforeAll(async () => {
  upstream = await scriptedUpstream((request, response) => {
    request.resume()
    const usage = { prompt_tokens: PROMPT, completion_tokens: COMPLETION, total_tokens: PROMPT + COMPLETION }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices, usage }))
  })
})
afterAll(() => upstream.close())

describe.for(ENGINES)('one-api on %s', (engine) => {
  const opened: { close(): Promise<unknown> }[] = []
  let server: KeptProcess | null = null
  let source: SourceDatabase
  let rows: NewApiRows
  let gateway: GatewayUnderTest
  let environment: Record<string, string> = {}

  beforeAll(async () => {
    const directory = await migratedDirectory()
    if (engine === 'sqlite') source = sqliteSource(`${directory}/one-api.db`)
    else if (engine === 'postgres') {
      const database = await testPostgres()
      source = await postgresSource(database.url)
      opened.push({ close: () => database.drop() })
    } else {
      const mariadb = await startMariadbServer()
      server = mariadb
      source = await mysqlSource(mariadb.url, 'one_api')
    }
    opened.unshift(source)
    rows = await makeOneApi(source, { users: USERS, passwordHash: await hash(SOURCE_PASSWORD, 4), port: upstream.port })
    gateway = await gatewayUnderTest({ environment: { TOLLGATE_DATA_DIR: directory } })
    environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  }, 900_000)
  afterAll(async () => {
    await gateway.close()
    for (const each of opened) await each.close()
    await server?.stop()
  })

  const run = (...more: string[]) =>
    runHere(environment, ['import', 'one-api', source.url, '--admins', 'keep', ...more])

  async function call(key: string, path: '/v1/chat/completions' | '/v1/messages', model = 'house-model') {
    const answer = await fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return answer.status
  }

  test('is read in its own words, and its keys are charged what it charged, over both protocols', async () => {
    expect(await runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a database of one-api'),
    })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toContain(`account: ${USERS} created`)
    const balances = rows.users.reduce((all, { quota }) => all + BigInt(quota) * UNIT_NANO, 0n)
    expect(stdout).toContain(`(${balances} nano-USD)`)
    const groups = await gateway.store.groups.groups()
    expect(groups.filter(({ isOpen }) => isOpen).map(({ name }) => name)).toEqual(['default'])
    for (const group of Object.keys(MULTIPLIERS)) {
      const user = rows.users.find((each) => each.group === group && each.status === 1 && each.quota > 1_000_000)
      const token = rows.tokens.find(({ user_id }) => user_id === user?.id)
      const account = (await gateway.store.accounts.list(USERS)).find(({ email }) => email === user?.email)
      if (token === undefined || account === undefined) throw new Error('none was drawn')
      // A quota may be smaller than one request.
      await source.run(`update tokens set unlimited_quota = true where id = ${token.id}`)
      expect((await run()).code).toBe(0)
      const before = await gateway.store.ledger.balance(account.id)
      expect(await call(token.key, '/v1/chat/completions')).toBe(200)
      expect(await call(token.key, '/v1/messages')).toBe(200)
      // Thousandths of a nano-USD, so that nothing is rounded: a ratio of 1.5 is 3,000 nano-USD a token.
      const exact = (BigInt(PROMPT) + BigInt(COMPLETION) * 2n) * 3_000n * (MULTIPLIERS[group] ?? 0n)
      await expect
        .poll(async () => before - (await gateway.store.ledger.balance(account.id)), { timeout: PATIENCE_MS })
        .toSatisfy((charged: bigint) => charged * 100n >= 2n * exact && charged * 100n - 2n * exact <= 200n)
    }
  })

  test('a model whose price is built into it is charged what it charged, to its own rounding', async () => {
    const rich = (each: NewApiRows['users'][number]) =>
      each.group === 'vip' && each.status === 1 && each.quota > 1_000_000
    const user = rows.users.find(rich)
    const token = rows.tokens.find(({ user_id }) => user_id === user?.id)
    const account = (await gateway.store.accounts.list(USERS)).find(({ email }) => email === user?.email)
    if (token === undefined || account === undefined) throw new Error('none was drawn')
    await source.run(`update tokens set unlimited_quota = true where id = ${token.id}`)
    expect((await run()).code).toBe(0)
    const before = await gateway.store.ledger.balance(account.id)
    expect(await call(token.key, '/v1/chat/completions', 'gpt-4o-mini')).toBe(200)
    // (1,001 + 203 × 4) × 0.075 × 0.9 are 122.3775 units, of which it takes 123.
    await expect
      .poll(async () => before - (await gateway.store.ledger.balance(account.id)), { timeout: PATIENCE_MS })
      .toBe(244_755n)
    expect(Math.ceil(Number(244_755n) / Number(UNIT_NANO))).toBe(123)
  })

  test('a second run changes nothing, and the books agree', async () => {
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  })

  test('a run while the source moves brings it as it was at one moment, and the next run what came after that', async () => {
    const { outcome, moved } = await runWhileMoving(run, async (turn) => {
      const id = 1 + (turn % USERS)
      await source.run(`update users set quota = quota + 1 where id = ${id}`)
      await source.run(`update tokens set used_quota = used_quota + 1 where user_id = ${id}`)
    })
    expect(outcome).toMatchObject({ code: 0 })
    expect(moved).toBeGreaterThan(0)
    expect(await run()).toMatchObject({ code: 0 })
    const drawn = rows.users.reduce((all, { quota }) => all + BigInt(quota), 0n)
    expect(await broughtBalances(gateway.store, USERS + 1)).toBe((drawn + BigInt(moved)) * UNIT_NANO)
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  }, 300_000)
})
