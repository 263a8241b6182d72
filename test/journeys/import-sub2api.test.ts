import { hash } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { postgresSource, type SourceDatabase } from '../support/import-sources/source-database.ts'
import { makeSub2api, type Sub2apiRows } from '../support/import-sources/sub2api-source.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory, migratedPostgres, type TestDatabase, testPostgres } from '../support/test-servers.ts'

const USERS = 1_000
const [PROMPT, CACHED, COMPLETION] = [2_003, 1_001, 317]
/** In thousandths of a nano-USD, at the multiplier 1. */
const EXACT = BigInt(PROMPT - CACHED) * 1_250_000n + BigInt(CACHED) * 125_000n + BigInt(COMPLETION) * 10_000_000n

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
  const DECIDED = ['--switched', '--accept', 'months']
  const run = (...more: string[]) => runHere(environment, ['import', 'sub2api', source.url, ...DECIDED, ...more])

  async function call(userId: number): Promise<string> {
    const { key = '' } = rows.keys.find(({ user_id }) => user_id === userId) ?? {}
    const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'house-model', messages: [{ role: 'user', content: 'hi' }] }),
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

  async function chargedFor(userId: number): Promise<bigint> {
    const { account } = await ownerOf(userId)
    const before = await gateway.store.ledger.balance(account.id)
    expect(await call(userId)).toBe('200')
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
    }
  })

  test('each key calls in its group, at the multiplier that its owner has there', async () => {
    // Rounded up once, to a nano-USD.
    const at = (percent: bigint) => (EXACT * percent + 99_999n) / 100_000n
    expect(await chargedFor(1)).toBe(at(75n))
    expect(await chargedFor(2)).toBe(at(50n))
    expect(await chargedFor(6)).toBe(at(125n))
    expect([await call(4), await call(5)]).toEqual(['key_disabled', 'key_disabled'])
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
    expect(Number(said.quota.used)).toBeLessThan(12.6)
    expect(JSON.stringify(said.rate_limits)).toMatch(/"3\.2[56]/)
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
})
