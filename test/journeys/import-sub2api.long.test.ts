import { hash } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { nearest, type Rational, rational, readRational, times } from '../../src/import/rational.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { broughtBalances, runWhileMoving } from '../support/import-sources/moving-source.ts'
import { SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { postgresSource, type SourceDatabase } from '../support/import-sources/source-database.ts'
import { makeSub2api, type Sub2apiRows } from '../support/import-sources/sub2api-source.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory, migratedPostgres, type TestDatabase, testPostgres } from '../support/test-servers.ts'

const USERS = 1_000
const [PROMPT, CACHED, COMPLETION] = [2_003, 1_001, 317]
const PATHS = ['/v1/chat/completions', '/v1/messages']
/** What a request for each model costs there at the multiplier 1: USD by count × price, as its channels say. */
const COSTS: Readonly<Record<string, Rational>> = {
  'house-model': summed([PROMPT - CACHED, '0.00000125'], [CACHED, '0.000000125'], [COMPLETION, '0.00001']),
  'fixed-model': summed([1, '0.0415']),
  // All of it is within the one interval, whose price of cached input is that of its channel.
  'long-model': summed([PROMPT - CACHED, '0.00000077'], [CACHED, '0.000000125'], [COMPLETION, '0.00000333']),
}
/** Multipliers by user. */
const MULTIPLIERS: Readonly<Record<number, string>> = { 1: '0.75', 2: '0.5', 6: '1.25' }
/** A balance there has eight decimals. */
const ITS_UNIT_NANO = 10n

function summed(...parts: readonly (readonly [count: number, usd: string])[]): Rational {
  return parts
    .map(([count, usd]) => times(rational(BigInt(count)), read(usd)))
    .reduce((a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under }))
}

function read(text: string): Rational {
  const value = readRational(text)
  if (value === null) throw new Error(`${text} is not a number`)
  return value
}

/** What it takes of a balance, in the least that a balance can change by. */
function oldCharge(model: string, userId: number): bigint {
  const units = rational(1_000_000_000n, ITS_UNIT_NANO)
  return nearest(times(COSTS[model] ?? read('0'), read(MULTIPLIERS[userId] ?? '1'), units))
}

/** The source is PostgreSQL always; both engines are targets. */
describe.for(['sqlite', 'postgres'] as const)('sub2api into %s', (engine) => {
  let upstream: ScriptedUpstream
  let database: TestDatabase
  let source: SourceDatabase
  let rows: Sub2apiRows
  let gateway: GatewayUnderTest
  let environment: Record<string, string> = {}
  let into: TestDatabase | null = null

  beforeAll(async () => {
    upstream = await scriptedUpstream((request, response) => {
      request.resume()
      const usage = {
        prompt_tokens: PROMPT,
        completion_tokens: COMPLETION,
        total_tokens: PROMPT + COMPLETION,
        prompt_tokens_details: { cached_tokens: CACHED },
      }
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices, usage }))
    })
    database = await testPostgres()
    source = await postgresSource(database.url)
    const passwordHash = await hash(SOURCE_PASSWORD, 4)
    rows = await makeSub2api(source, { users: USERS, passwordHash, port: upstream.port, nowMs: Date.now() })
    const directory = await migratedDirectory()
    environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
    if (engine === 'postgres') {
      into = await migratedPostgres()
      environment['DATABASE_URL'] = into.url
    }
    gateway = await gatewayUnderTest({ environment })
  }, 900_000)
  afterAll(async () => {
    await gateway.close()
    await source.close()
    await database.drop()
    await into?.drop()
    upstream.close()
  })

  /** A month is 30 days here. */
  const DECIDED = ['--switched', '--admins', 'keep', '--accept', 'months']
  const run = (...more: string[]) => runHere(environment, ['import', 'sub2api', source.url, ...DECIDED, ...more])

  async function call(userId: number, { model = 'house-model', path = PATHS[0] ?? '' } = {}): Promise<string> {
    const { key = '' } = rows.keys.find(({ user_id }) => user_id === userId) ?? {}
    const answer = await fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return answer.headers.get('x-tollgate-fault') ?? String(answer.status)
  }

  async function ownerOf(userId: number) {
    const { key = '' } = rows.keys.find(({ user_id }) => user_id === userId) ?? {}
    const found = await gateway.store.keys.findByHash(keyedHash(TEST_SECRET)(key))
    if (found === null) throw new Error(`the key of user ${userId} was not imported`)
    return found
  }

  async function chargedFor(userId: number, asked: { model: string; path: string }): Promise<bigint> {
    const { account } = await ownerOf(userId)
    const before = await gateway.store.ledger.balance(account.id)
    expect({ ...asked, said: await call(userId, asked) }).toEqual({ ...asked, said: '200' })
    let charged = 0n
    await expect
      .poll(async () => (charged = before - (await gateway.store.ledger.balance(account.id))), { timeout: PATIENCE_MS })
      .toBeGreaterThan(0n)
    return charged
  }

  test('balances are exact to the last of eight decimals, and what cannot be carried is named without its secrets', async () => {
    const { code, stdout } = await run('--dry-run')
    expect(code).toBe(0)
    const sum = rows.users.reduce((all, { balance }) => all + parseUsd(balance), 0n)
    expect(stdout).toContain(`(${sum} nano-USD)`)
    expect(stdout).toMatch(/accounts 2: are personal subscriptions/)
    expect(stdout).toMatch(/models free: have no price/)
    expect(stdout).toMatch(/api_keys 505: are in no group/)
    expect(stdout).toMatch(/redeem_codes 3: are of the kind concurrency/)
    for (const secret of ['a-secret', 'sk-upstream', '0123456789abcdef']) expect(stdout).not.toContain(secret)
    const imported = await run()
    expect(imported).toMatchObject({ code: 0 })
    for (const user of rows.users.slice(0, 5)) {
      const { account } = await ownerOf(user.id)
      expect({ id: user.id, email: account.email, balance: await gateway.store.ledger.balance(account.id) }).toEqual({
        id: user.id,
        email: user.email,
        balance: parseUsd(user.balance),
      })
      const [opening] = await gateway.store.ledger.entries(account.id, 2)
      expect(opening?.reason).toBe(`opening balance from sub2api, $${user.balance}`)
    }
  })

  test('each key calls each model over both protocols, and is charged what the source takes, to the last decimal that it keeps', async () => {
    for (const userId of Object.keys(MULTIPLIERS).map(Number)) {
      for (const model of Object.keys(COSTS)) {
        for (const path of PATHS) {
          const charged = nearest(rational(await chargedFor(userId, { model, path }), ITS_UNIT_NANO))
          const said = { userId, model, path }
          expect({ ...said, charged }).toEqual({ ...said, charged: oldCharge(model, userId) })
        }
      }
    }
    for (const path of PATHS) {
      expect([await call(4, { path }), await call(5, { path })]).toEqual(['key_disabled', 'key_disabled'])
    }
  })

  test('what was used of quotas, windows and subscriptions goes on here, and a subscription pays', async () => {
    const { key } = await ownerOf(1)
    expect(key.quotaLimit).toBe(parseUsd('50'))
    expect(key.rateLimit?.spend).toEqual([{ window: '5h', usd: parseUsd('20') }])
    const answer = await fetch(`${gateway.origin}/v1/usage`, {
      headers: { authorization: `Bearer ${rows.keys[0]?.key}` },
    })
    const said = (await answer.json()) as { quota: { used: string }; rate_limits: { used: string }[] }
    expect(Number(said.quota.used)).toBeGreaterThanOrEqual(12.5)
    // With the six calls before.
    expect(Number(said.quota.used)).toBeLessThan(12.6)
    expect(JSON.stringify(said.rate_limits)).toMatch(/"3\.3/)
    const { account, subscriptions } = await ownerOf(3)
    expect(subscriptions).toMatchObject([{ planName: 'Monthly' }])
    const before = await gateway.store.ledger.balance(account.id)
    expect(await call(3)).toBe('200')
    expect(await gateway.store.ledger.balance(account.id)).toBe(before)
  })

  test('unused codes are redeemed here once, in the form in which they were given out', async () => {
    const redeem = (code: string, email: string) => runHere(environment, ['redeem', code, '--account', email])
    expect((await redeem('0123456789ABCDEF0123456789abcdef', 'user7@example.test')).stdout).toMatch(/^\$25 was added/)
    expect((await redeem('0123456789abcdef0123456789abcdef', 'user8@example.test')).code).toBe(1)
    expect((await redeem('fedcba9876543210fedcba9876543210', 'user8@example.test')).stdout).toMatch(
      /has the plan Monthly/,
    )
  })

  test('a second run changes nothing, one after the source has moved on moves that alone, and the books agree', async () => {
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
    await source.run('update users set balance = balance - 1.5 where id = 6')
    await source.run('update api_keys set quota_used = 20 where id = 501')
    await source.run("update user_subscriptions set status = 'suspended' where id = 1")
    const { stdout } = await run()
    expect(stdout).toContain('account: 0 created, 1 changed')
    expect(stdout).toContain('key: 0 created, 1 changed')
    expect(stdout).toContain('subscription: 0 created, 1 changed')
    await expect.poll(() => call(3), { timeout: PATIENCE_MS }).toBe('group_forbidden')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  })

  test('a run while the source moves brings it as it was at one moment, and the next run what came after that', async () => {
    const { outcome, moved } = await runWhileMoving(run, async (turn) => {
      const id = 1 + (turn % USERS)
      await source.run(`update users set balance = balance + 0.00000001 where id = ${id}`)
      await source.run(`update api_keys set quota_used = quota_used + 0.00000001 where user_id = ${id}`)
    })
    expect(outcome).toMatchObject({ code: 0 })
    expect(moved).toBeGreaterThan(0)
    expect(await run()).toMatchObject({ code: 0 })
    const drawn = rows.users.reduce((all, { balance }) => all + parseUsd(balance), 0n)
    const since = BigInt(moved) * ITS_UNIT_NANO - parseUsd('1.5')
    expect(await broughtBalances(gateway.store, USERS + 1)).toBe(drawn + since)
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  }, 300_000)
})
