import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { broughtHashOf } from '../../src/access/brought-key.ts'
import { quotaBudgetOf, windowBudgetsOf } from '../../src/entitlement/funding.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { type LitellmUser, makeLitellm } from '../support/import-sources/litellm-source.ts'
import { postgresSource, type SourceDatabase } from '../support/import-sources/source-database.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory, migratedPostgres, testPostgres } from '../support/test-servers.ts'

// Keys of LiteLLM from its PostgreSQL into this gateway's: a thousand users, as a seed draws them.

const USERS = 1_000
const PATHS = ['/v1/chat/completions', '/v1/messages']
const MODELS = ['house-model', 'claude-model']
const [INPUT, OUTPUT] = [1_001, 203]
/** 1,001 × 2.5 + 203 × 10 USD for a million. */
const COST = 4_532_500n

let upstream: ScriptedUpstream
let source: SourceDatabase
let users: readonly LitellmUser[]
let gateway: GatewayUnderTest
let environment: Record<string, string> = {}
let config = ''
const opened: { close(): Promise<unknown> }[] = []

beforeAll(async () => {
  upstream = await scriptedUpstream((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(request.url?.endsWith('/messages') === true ? anthropicAnswer() : chatAnswer()))
    })
  })
  const [from, into] = [await testPostgres(), await migratedPostgres()]
  source = await postgresSource(from.url)
  opened.push(source, { close: () => from.drop() }, { close: () => into.drop() })
  users = await makeLitellm(source, { users: USERS, seed: 17, nowMs: Date.now() })
  const directory = await migratedDirectory()
  config = `${directory}/config.yaml`
  const priced = 'input_cost_per_token: 2.5e-06, output_cost_per_token: 0.00001'
  const base = `http://127.0.0.1:${upstream.port}/v1`
  await writeFile(
    config,
    `model_list:
  - model_name: house-model
    litellm_params: { model: openai/gpt-house, api_base: "${base}", api_key: sk-up, ${priced} }
  - model_name: claude-model
    litellm_params: { model: anthropic/claude-x, api_base: "${base}", api_key: sk-up, ${priced} }
general_settings: { master_key: sk-master, database_url: "postgresql://x" }
`,
  )
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET, DATABASE_URL: into.url }
  gateway = await gatewayUnderTest({ environment })
}, 900_000)
afterAll(async () => {
  await gateway.close()
  upstream.close()
  for (const each of opened) await each.close()
})

function chatAnswer() {
  const usage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage }
}

function anthropicAnswer() {
  const usage = { input_tokens: INPUT, output_tokens: OUTPUT }
  const content = [{ type: 'text', text: 'hello' }]
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  return { id: 'msg_x', type: 'message', role: 'assistant', model: 'm', content, ...end, usage }
}

const run = (...more: string[]) =>
  runHere(environment, [
    'import',
    'litellm',
    config,
    '--database',
    source.url,
    '--admins',
    'keep',
    '--accept',
    'rounding',
    ...more,
  ])

async function call({ secret }: LitellmUser, path: string, model: string) {
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return { status: answer.status, fault: answer.headers.get('x-tollgate-fault') }
}

async function stored({ secret }: LitellmUser) {
  const found = await gateway.store.keys.findByHash(keyedHash(TEST_SECRET)(secret), broughtHashOf(secret))
  if (found === null) throw new Error('the key was not imported')
  return found
}

const PLACES = 20

/** The decimal that a double is written as, in 1e-20 USD. */
function exactly(usd: unknown): bigint {
  const [whole = '', fraction = ''] = String(usd).split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

function nanoBelow(exact: bigint): bigint {
  const unit = 10n ** BigInt(PLACES - 9)
  return exact / unit - (exact < 0n && exact % unit !== 0n ? 1n : 0n)
}

/** Returns what is left of a budget that is for good. */
function leftOf({ max_budget: max, spend }: LitellmUser): bigint {
  return nanoBelow(exactly(max) - exactly(spend))
}

/** What is used of the key's quota, and of the windows of the plan that pays for it; null: it has none. */
async function usesOf(user: LitellmUser) {
  const { key, subscriptions } = await stored(user)
  const nowMs = Date.now()
  const quota = quotaBudgetOf(key, nowMs)
  const budgets = [...(quota === null ? [] : [quota]), ...subscriptions.flatMap(windowBudgetsOf)]
  const used = (await gateway.store.budgets.states(budgets, nowMs)).map((state) => state.used)
  return { quota: quota === null ? null : used[0], window: used[quota === null ? 0 : 1] ?? null }
}

test('a dry run says what there is in nano-USD, asks for what is not exact, and shows no secret and no whole hash', async () => {
  const args = ['import', 'litellm', config, '--database', source.url, '--admins', 'keep']
  const dry = await runHere(environment, [...args, '--dry-run'])
  expect(dry.code).toBe(0)
  expect(dry.stdout).toContain(`keys           ${USERS}, quotas`)
  expect(dry.stdout).toMatch(/accounts {7}1000, balances \$[\d.]+ \(\d+ nano-USD\)/)
  expect(dry.stdout).toContain('--accept rounding: balances and quotas are rounded down to one nano-USD')
  expect(dry.stdout).not.toMatch(/[0-9a-f]{64}|database: its keys/)
  for (const { secret } of users.slice(0, 50)) expect(dry.stdout).not.toContain(secret)
  const refused = await runHere(environment, args)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --accept rounding')])
})

test('each key calls each model over both protocols, and what pays there pays here', async () => {
  const { code, stdout, stderr } = await run('--negative', 'keep')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toContain(`account: ${USERS} created`)
  expect(stdout).toContain(`key: ${USERS} created`)
  const asked = MODELS.flatMap((model) => PATHS.map((path) => ({ model, path })))
  for (const kind of [0, 1, 2]) {
    const rich = users.filter(
      ({ max_budget: max, spend, key }, i) =>
        i % 3 === kind && (max === null || max - spend > 2) && Number(key['spend']) < 18,
    )
    // Half of the keys have a quota: two of each.
    const halves = [true, false].map((isLimited) =>
      rich.filter(({ key }) => (key['max_budget'] !== null) === isLimited),
    )
    for (const [i, { model, path }] of asked.entries()) {
      const user = halves[i % 2]?.[i]
      if (user === undefined) throw new Error('too few were drawn')
      const said = { user: user.user_id, model, path }
      const { account, key, subscriptions } = await stored(user)
      const wasUsed = user.key['max_budget'] === null ? null : nanoBelow(exactly(user.key['spend']))
      const before = { balance: await gateway.store.ledger.balance(account.id), ...(await usesOf(user)) }
      expect({ ...said, ...before, plans: subscriptions.length, end: key.secretEnd }).toEqual({
        ...said,
        balance: kind === 0 ? leftOf(user) : 0n,
        quota: wasUsed,
        window: kind === 1 ? nanoBelow(exactly(user.spend)) : null,
        plans: kind === 0 ? 0 : 1,
        end: user.secret.slice(-4),
      })
      await expect
        .poll(async () => ({ ...said, ...(await call(user, path, model)) }), { timeout: PATIENCE_MS })
        .toEqual({ ...said, status: 200, fault: null })
      const after = async () => {
        const balance = await gateway.store.ledger.balance(account.id)
        const spent = (await gateway.store.keys.activityOf(key)).spent
        return { ...said, spent, balance, ...(await usesOf(user)) }
      }
      await expect.poll(after, { timeout: PATIENCE_MS }).toEqual({
        ...said,
        spent: COST,
        balance: before.balance - (kind === 0 ? COST : 0n),
        quota: wasUsed === null ? null : wasUsed + COST,
        window: before.window === null ? null : before.window + COST,
      })
      expect(await gateway.store.keys.secretHashOf(key.id)).toBe(keyedHash(TEST_SECRET)(user.secret))
    }
  }
}, 300_000)

test('a second run changes nothing, whichever keys were used meanwhile', async () => {
  expect((await run('--negative', 'keep')).stdout).toContain('Nothing is different from the last import.')
}, 120_000)

test('a run while the source moves brings it as it was at one moment, and the next run what came after that', async () => {
  const isOver = { now: false }
  const again = run('--negative', 'keep').finally(() => (isOver.now = true))
  let moved = 0
  while (!isOver.now && moved < 500) {
    // Users with a budget for good, by amounts that doubles add exactly.
    const id = `user-${3 * (moved % 300)}`
    await source.run(`update "LiteLLM_UserTable" set max_budget = max_budget + 0.5 where user_id = '${id}'`)
    moved += 1
  }
  expect(await again).toMatchObject({ code: 0 })
  expect(moved).toBeGreaterThan(0)
  expect(await run('--negative', 'keep')).toMatchObject({ code: 0 })
  let imported = 0n
  for (const { id } of await gateway.store.accounts.list(USERS + 1)) {
    const entries = await gateway.store.ledger.entries(id, 10)
    imported += entries.reduce((all, { kind, amount }) => all + (kind === 'import' ? amount : 0n), 0n)
  }
  const now = users.map((user, i) => ({
    ...user,
    max_budget: (user.max_budget ?? 0) + (i % 3 === 0 ? 0.5 * timesMoved(i / 3, moved) : 0),
  }))
  const drawn = now.reduce((all, user, i) => all + (i % 3 === 0 ? leftOf(user) : 0n), 0n)
  expect(imported).toBe(drawn)
  expect((await run('--negative', 'keep')).stdout).toContain('Nothing is different from the last import.')
  expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
}, 300_000)

/** How often the loop above came by the user with this number. */
function timesMoved(place: number, moved: number): number {
  return place >= 300 ? 0 : Math.floor(moved / 300) + (place < moved % 300 ? 1 : 0)
}
