import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { broughtHashOf } from '../../src/access/brought-key.ts'
import { systemClock } from '../../src/core/clock.ts'
import { quotaPeriod } from '../../src/core/quota-period.ts'
import { openStore } from '../../src/store/open-store.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment, LAUNCHER } from '../support/gateway-process.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { insertKeys, makeLitellm, makeTables, timestamp, tokenOf } from '../support/import-sources/litellm-source.ts'
import { makeNewApi } from '../support/import-sources/new-api-source.ts'
import { insertRows, postgresSource, type SourceDatabase } from '../support/import-sources/source-database.ts'
import { migratedDirectory, testPostgres } from '../support/test-servers.ts'

const CONFIG = `model_list:
  - { model_name: small, litellm_params: { model: hosted_vllm/a, api_base: "http://127.0.0.1:9/v1" }, model_info: { access_groups: [cheap] } }
  - { model_name: team/large, litellm_params: { model: hosted_vllm/b, api_base: "http://127.0.0.1:9/v1" } }
  - { model_name: team/huge, litellm_params: { model: hosted_vllm/c, api_base: "http://127.0.0.1:9/v1" } }
`
const opened: { close(): Promise<unknown> }[] = []
let source: SourceDatabase
let directory = ''
let environment: Record<string, string> = {}
beforeAll(async () => {
  directory = await migratedDirectory()
  environment = { ...gatewayEnvironment(directory), TOLLGATE_SECRET: TEST_SECRET }
  await writeFile(`${directory}/config.yaml`, CONFIG)
})
beforeEach(async () => {
  const database = await testPostgres()
  source = await postgresSource(database.url)
  opened.push(source, { close: () => database.drop() })
})
afterAll(async () => {
  for (const each of opened) await each.close()
})

const args = (...more: string[]) => [
  'import',
  'litellm',
  `${directory}/config.yaml`,
  '--database',
  source.url,
  '--admins',
  'keep',
  ...more,
]

test('each row becomes what it is there, and whatever cannot be carried is named', async () => {
  const nowMs = Date.now()
  const monthEnd = timestamp(quotaPeriod('monthly', nowMs).endsAt ?? 0)
  const inThreeHours = nowMs + 3 * 3_600_000
  await makeTables(source)
  await insertRows(source, 'LiteLLM_BudgetTable', [
    { budget_id: 'b1', max_budget: 7, budget_duration: '1mo', budget_reset_at: monthEnd, rpm_limit: 60 },
  ])
  const user = { max_budget: 5, spend: 1.25, models: '{}', user_email: null, password: null, created_at: '2026-01-01' }
  await insertRows(source, 'LiteLLM_UserTable', [
    { ...user, user_id: 'ann', user_email: 'Ann@example.test' },
    { ...user, user_id: 'bob', models: '{no-default-models}', password: 'scrypt:x' },
    { ...user, user_id: 'cat', user_email: 'ann@example.test', spend: 0.5 },
  ])
  await insertRows(source, 'LiteLLM_TeamTable', [
    {
      team_id: 't1',
      team_alias: 'Team One',
      blocked: false,
      models: '{team/*}',
      max_budget: 3,
      spend: 1,
      rpm_limit: 9,
    },
    { team_id: 't2', team_alias: null, blocked: true, models: '{}', max_budget: null, spend: 0, rpm_limit: null },
    { team_id: 't3', team_alias: 'Unused', blocked: false, models: '{}', max_budget: null, spend: 0, rpm_limit: null },
  ])
  await insertRows(source, 'LiteLLM_SpendLogs', [{ request_id: 'r1', api_key: 'x', spend: 1 }])
  const rows = {
    plain: { user_id: 'ann', expires: '2026-01-02 00:00:00', metadata: '{"a": "s3cret"}' },
    monthly: { user_id: 'ann', budget_id: 'b1', spend: 2.5, tpm_limit: 1000 },
    daily: { user_id: 'ann', max_budget: 4, budget_duration: '1d', budget_reset_at: timestamp(inThreeHours), spend: 1 },
    hourly: {
      user_id: 'ann',
      max_budget: 4,
      budget_duration: '1h',
      budget_reset_at: timestamp(inThreeHours),
      spend: 1,
    },
    cheap: { user_id: 'ann', models: '{cheap,team/large}', team_id: 't1' },
    team: { team_id: 't1', models: '{all-team-models}' },
    shut: { team_id: 't2' },
    personal: { user_id: 'bob' },
    routes: { user_id: 'ann', allowed_routes: '{/v1/embeddings}' },
    zero: { user_id: 'ann', rpm_limit: 0 },
    blocked: { user_id: 'ann', blocked: true },
    rest: { user_id: 'not-there' },
    page: { user_id: 'ann', team_id: 'litellm-dashboard' },
  }
  const secretOf = (name: string) => `sk-of-the-row-${name}-Qx7`
  await insertKeys(
    source,
    Object.entries(rows).map(([name, row]) => ({ ...row, key_alias: name, secret: secretOf(name) })),
  )
  await source.run(`update "LiteLLM_VerificationToken" set token = 'sk-plain-there' where key_alias = 'zero'`)
  await insertKeys(source, [{ user_id: 'ann', rpm_limit: 0, key_alias: 'zero', secret: secretOf('zero') }])

  const dry = await runHere(environment, args('--dry-run'))
  expect(dry.code).toBe(0)
  const id = (name: string) => tokenOf(secretOf(name)).slice(0, 16)
  for (const said of [
    'keys           12, quotas $11',
    'litellm_usertable bob: have a password in a form of its own',
    'litellm_usertable cat: whose email address is another’s: the account is user-ID@litellm.invalid',
    'litellm_teamtable t3: have no keys but those of their users',
    'litellm_teamtable t1: have keys of users, which their accounts pay for',
    'litellm_verificationtoken: of people who are signed in to its pages: not carried',
    'litellm_verificationtoken: that are not stored as a SHA-256',
    `litellm_verificationtoken ${id('hourly')}: have a budget for each 1h, which is a quota for good here`,
    `litellm_verificationtoken ${id('daily')}: have a budget for each 1d, whose next begins with its first use here`,
    `litellm_verificationtoken ${id('routes')}: may call some routes alone`,
    `litellm_verificationtoken ${id('personal')}: may call no model: they are imported disabled`,
    `litellm_verificationtoken ${id('zero')}: have a limit of 0, which lets nothing through`,
    `litellm_verificationtoken ${id('plain')}: have metadata, which is not carried`,
    'litellm_spendlogs: 1 row, not carried',
  ]) {
    expect(dry.stdout).toContain(said)
  }
  expect(dry.stdout).not.toMatch(/s3cret|sk-plain-there|[0-9a-f]{17}/)
  expect(await runHere(environment, args())).toMatchObject({ code: 0 })
  expect((await runHere(environment, args())).stdout).toContain('Nothing is different from the last import.')

  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  const found = async (name: string) => {
    const there = await store.keys.findByHash('', broughtHashOf(secretOf(name)))
    if (there === null) throw new Error(`${name} was not imported`)
    const { account, key, subscriptions } = there
    const { email } = account
    return { email, ...key, plans: subscriptions.map(({ planName }) => planName), limits: account.limits }
  }
  const counts = { concurrency: null, requestsPerMinute: null, tokensPerMinute: null, spend: [] }
  const ann = 'Ann@example.test'
  expect(await found('plain')).toMatchObject({
    email: ann,
    status: 'active',
    expiresAt: Date.UTC(2026, 0, 2),
    plans: [],
  })
  expect(await found('monthly')).toMatchObject({
    quotaLimit: 7_000_000_000n,
    quotaReset: 'monthly',
    rateLimit: { ...counts, requestsPerMinute: 60, tokensPerMinute: 1000 },
  })
  expect(await found('daily')).toMatchObject({
    quotaLimit: null,
    rateLimit: { ...counts, spend: [{ window: '1d', usd: 4_000_000_000n }] },
  })
  expect(await found('hourly')).toMatchObject({ quotaLimit: 4_000_000_000n, quotaReset: 'never' })
  expect(await found('cheap')).toMatchObject({ email: ann, allowedModels: ['team/large'] })
  expect(await found('team')).toMatchObject({
    email: 'team-t1@litellm.invalid',
    allowedModels: ['team/huge', 'team/large'],
    limits: { requestsPerMinute: 9 },
    secretStart: '',
    secretEnd: '-Qx7',
  })
  expect(await found('rest')).toMatchObject({ email: 'keys@litellm.invalid', plans: ['LiteLLM: no budget'] })
  for (const name of ['shut', 'personal', 'routes', 'zero', 'blocked'])
    expect([name, (await found(name)).status]).toEqual([name, 'disabled'])
  const balances = new Map<string, bigint>()
  for (const { id: accountId, email } of await store.accounts.list(10))
    balances.set(email, await store.ledger.balance(accountId))
  expect(Object.fromEntries(balances)).toEqual({
    [ann]: 3_750_000_000n,
    'user-bob@litellm.invalid': 3_750_000_000n,
    'user-cat@litellm.invalid': 4_500_000_000n,
    'team-t1@litellm.invalid': 2_000_000_000n,
    'team-t2@litellm.invalid': 0n,
    'keys@litellm.invalid': 0n,
  })
  await store.close()

  // A run of the configuration alone says nothing of people.
  const alone = await runHere(environment, ['import', 'litellm', `${directory}/config.yaml`])
  expect(alone.stdout).toContain('Nothing is different from the last import.')

  // What stops there stops here, and what is gone is disabled.
  await source.run(`update "LiteLLM_VerificationToken" set blocked = true where key_alias = 'cheap'`)
  await source.run(`delete from "LiteLLM_VerificationToken" where key_alias = 'team'`)
  expect((await runHere(environment, args())).stdout).toContain('key: 0 created, 2 changed')
  const again = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
  for (const name of ['cheap', 'team']) {
    const there = await again.keys.findByHash('', broughtHashOf(secretOf(name)))
    expect([name, there?.key.status]).toEqual([name, 'disabled'])
  }
  await again.close()
}, 300_000)

describe('a database is refused in one sentence where it', () => {
  test.for([
    ['is empty', async () => {}, /has no tables: name the database that the old gateway uses/],
    [
      'is of another product',
      () => makeNewApi(source, { users: 1, passwordHash: 'x' }),
      /is a database of new-api: run "tollgate import new-api" instead of litellm/,
    ],
    ['is nothing that is known', () => source.run('create table notes (id integer)'), /not known as litellm.*notes/],
    [
      'lacks the users',
      async () => {
        await makeTables(source)
        await source.run('drop table "LiteLLM_UserTable"')
      },
      /is a database of litellm without litellm_usertable\.user_id, .*finish its migration first/,
    ],
    [
      'has keys from before budgets',
      async () => {
        await makeTables(source)
        await source.run('alter table "LiteLLM_VerificationToken" drop column max_budget')
      },
      /is a database of litellm without litellm_verificationtoken\.max_budget/,
    ],
  ] as const)('%s', async ([, make, said]) => {
    await make()
    for (const mode of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await runHere(environment, args(...mode))
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      const [sentence = '', ...more] = stderr
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith('…'))
      expect([sentence, more]).toEqual([expect.stringMatching(said), []])
    }
  })

  test('is given for another product, as the source, or cannot be reached, without its password', async () => {
    const url = new URL(source.url)
    const asSource = await runHere(environment, ['import', 'litellm', source.url])
    expect([asSource.code, asSource.stderr]).toEqual([1, expect.stringContaining('its database with --database')])
    const forOther = await runHere(environment, ['import', 'new-api', source.url, '--database', source.url])
    expect([forOther.code, forOther.stderr]).toEqual([2, expect.stringContaining('--database is for litellm')])
    const secret = { ...environment, IMPORT_PASSWORD: 'pa55word' }
    const lost = ['import', 'litellm', `${directory}/config.yaml`, '--database', `postgresql://me@${url.hostname}:1/x`]
    const { code, stderr } = await runHere(secret, lost)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be read/)])
    expect(stderr).not.toContain('pa55word')
  })
})

test('a run that is killed at any step is finished by the next, and does nothing twice', async () => {
  const place = await migratedDirectory()
  const users = await makeLitellm(source, { users: 300, seed: 5, nowMs: Date.now() })
  const own = { ...gatewayEnvironment(place), TOLLGATE_SECRET: TEST_SECRET }
  const words = args('--accept', 'rounding', '--negative', 'keep')
  for (const step of ['model', 'account', 'key', 'subscription']) {
    const child = spawn(process.execPath, [LAUNCHER, ...words], { env: own, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes(`${step}: `)) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    expect({ step, signal: child.signalCode }).toEqual({ step, signal: 'SIGKILL' })
  }
  expect(await runHere(own, words)).toMatchObject({ code: 0 })
  expect((await runHere(own, words)).stdout).toContain('Nothing is different from the last import.')
  expect(await runHere(own, ['check-ledger'])).toMatchObject({ code: 0 })
  const store = await openStore({ databaseUrl: null, dataDirectory: place, clock: systemClock })
  expect([(await store.accounts.list(301)).length, (await store.keys.list({ limit: 301 })).length]).toEqual([300, 300])
  for (const { secret } of users.slice(0, 20))
    expect(await store.keys.findByHash('', broughtHashOf(secret))).toMatchObject({ isByBroughtHash: true })
  await store.close()
}, 300_000)
