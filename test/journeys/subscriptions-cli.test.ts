import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migratedPostgres } from '../support/test-servers.ts'
import { runHere } from '../support/command-here.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type Environment, runTollgate } from '../support/gateway-process.ts'
import { ENGINES_ABOVE_STORES } from '../conformance/store-under-test.ts'

const ADA_KEY = 'ada-laptop-2f9c61d07b3e'
const EVE_KEY = 'eve-tablet-55d0c7e1a9f4'
const DAY_MS = 86_400_000
const CODE = /^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){4}$/

const PLACE = `upstreams: [{ name: simulator, protocol: demo }]
models: [{ name: demo/echo, price: { input: "1", output: "1" }, targets: [{ upstream: simulator }] }]
groups: [{ name: members, models: ["*"], open: false }]
plans: [{ name: pro, groups: [members], days: 30, price: "20", quotas: [{ window: 5h, usd: "5" }] }]
accounts:
  - { email: ada@example.test, balance: "1" }
  - { email: eve@example.test, subscription: pro }
keys:
  - { account: ada@example.test, name: laptop, group: members, custom_key: ${ADA_KEY} }
  - { account: eve@example.test, name: tablet, group: members, custom_key: ${EVE_KEY} }
`

async function call(origin: string, secret: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return answer.headers.get('x-tollgate-fault') ?? String(answer.status)
}

describe.for(ENGINES_ABOVE_STORES)('what is sold, on the command line on %s', (engine) => {
  let environment: Environment = {}
  let drop = async () => {}

  beforeAll(async () => {
    environment = await freshEnvironment()
    if (engine === 'postgres') {
      const database = await migratedPostgres()
      environment = { ...environment, DATABASE_URL: database.url, TOLLGATE_SECRET: 'x7'.repeat(16) }
      drop = database.drop
    }
    const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'place.yaml')
    await writeFile(path, PLACE)
    environment = { ...environment, TOLLGATE_CONFIG: path }
  }, 900_000)
  afterAll(() => drop())

  const run = (...args: string[]) => runHere(environment, args)
  const json = async (...args: string[]) => {
    const outcome = await run(...args, '--json')
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(outcome.stdout)
  }

  test('a subscription opens a closed group beside a running gateway, and closes it again at once', async () => {
    const gateway = await startGateway(environment)
    expect(await call(gateway.origin, EVE_KEY)).toBe('200')
    expect(await call(gateway.origin, ADA_KEY)).toBe('group_forbidden')

    const opened = await json('subscription', 'create', 'ada@example.test', 'pro')
    expect(opened).toMatchObject({ plan: 'pro', status: 'running', groups: ['members'], cancelled_at: null })
    expect(Date.parse(opened.ends_at) - Date.parse(opened.starts_at)).toBe(30 * DAY_MS)
    await expect.poll(() => call(gateway.origin, ADA_KEY)).toBe('200')

    const renewed = await json('subscription', 'renew', opened.id, '--days', '2')
    expect(Date.parse(renewed.ends_at) - Date.parse(opened.ends_at)).toBe(2 * DAY_MS)
    const [listed] = await json('subscription', 'list', 'ada@example.test')
    expect(listed).toMatchObject({ id: opened.id, quotas: [{ window: '5h', limit: '5' }] })
    expect(listed.quotas[0].used).toMatch(/^0\.0000/)
    expect(listed.quotas[0].reset_at).toMatch(/Z$/)
    const accounts = await json('account', 'list')
    expect(accounts.map((account: { balance: string }) => account.balance)).toContain('1')
    expect((await run('subscription', 'list', 'ada@example.test')).stdout).toMatch(
      /sub_\w+ +pro +running .* of \$5 in 5h/,
    )

    const cancelled = await run('subscription', 'cancel', opened.id)
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringContaining('is cancelled') })
    expect(await call(gateway.origin, ADA_KEY)).toBe('group_forbidden')
    expect(await call(gateway.origin, EVE_KEY)).toBe('200')
    for (const verb of ['renew', 'cancel']) {
      expect(await run('subscription', verb, opened.id)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is cancelled and stays so'),
      })
    }
    expect(await gateway.stop()).toBe(0)
  })

  test('a subscription may begin later, and for other days than the plan’s', async () => {
    const later = await json('subscription', 'create', 'ada@example.test', 'pro', '--starts-at', '7d', '--days', '3')
    expect(later.status).toBe('upcoming')
    expect(Date.parse(later.ends_at) - Date.parse(later.starts_at)).toBe(3 * DAY_MS)
    const past = ['--starts-at', '2020-01-01T00:00:00Z']
    expect(await run('subscription', 'create', 'ada@example.test', 'pro', ...past)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('would have ended 2020-01-31T00:00:00Z'),
    })
  })

  test.for([
    [['subscription', 'create', 'ada@example.test', 'por'], 'There is no plan "por"; did you mean "pro"?'],
    [['subscription', 'create', 'bob@example.test', 'pro'], 'There is no account bob@example.test'],
    [['subscription', 'renew', 'sub_none'], 'There is no subscription sub_none'],
    [['redeem-code', 'create', '--plan', 'zzz'], 'There is no plan "zzz"; there are pro.'],
    [['redeem-code', 'delete', 'rdc_none'], 'There is no redeem code rdc_none that is still unused'],
    [['redeem', '2222-2222-2222-2222-2222', '--account', 'ada@example.test'], 'This redeem code is not valid'],
  ] as const)('%j ends with 1 and says what to do', async ([args, sentence]) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('plans are listed with what they cover', async () => {
    expect(await json('plan', 'list')).toMatchObject([
      { name: 'pro', groups: ['members'], days: 30, price: '20', quotas: [{ window: '5h', usd: '5' }], managed: true },
    ])
    expect((await run('plan', 'list')).stdout).toMatch(/pln_\w+ +pro +members +30 +\$20 +\$5 in 5h\n$/)
  })

  test('a code that four processes redeem at once pays one of them', async () => {
    const made = await run(
      'redeem-code',
      'create',
      '--usd',
      '2.5',
      '--count',
      '2',
      '--note',
      'spring',
      '--expires-at',
      '30d',
    )
    const codes = made.stdout.trim().split('\n')
    expect(codes).toHaveLength(2)
    for (const code of codes) expect(code).toMatch(CODE)
    expect(made.stderr).toContain('worth $2.5, once')
    const [first = '', second = ''] = codes

    const typed = first.toLowerCase().replaceAll('-', ' ')
    const redeems = await Promise.all(
      ['ada', 'eve', 'ada', 'eve'].map((name) =>
        runTollgate(environment, ['redeem', typed, '--account', `${name}@example.test`]),
      ),
    )
    expect(redeems.map(({ code }) => code ?? -1).toSorted((a, b) => a - b)).toEqual([0, 1, 1, 1])
    for (const { code, stdout, stderr } of redeems) {
      expect(stdout + stderr).toMatch(
        code === 0 ? /^\$2\.5 was added; the balance of/ : /^This redeem code was already redeemed/,
      )
    }
    const listed = await json('redeem-code', 'list')
    expect(listed).toHaveLength(2)
    expect(JSON.stringify(listed)).not.toContain(second)
    const states = new Map(listed.map((row: { code_start: string }) => [row.code_start, row]))
    expect(states.get(first.slice(0, 4))).toMatchObject({ status: 'redeemed', usd: '2.5', plan: null, note: 'spring' })
    const open = states.get(second.slice(0, 4)) as { id: string }
    expect(open).toMatchObject({ status: 'open', redeemed_by: null, code_end: second.slice(-4) })
    expect((await run('redeem-code', 'delete', open.id)).code).toBe(0)
    expect(await run('redeem', second, '--account', 'ada@example.test')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This redeem code is not valid'),
    })
  })

  test('a code for a plan opens a subscription', async () => {
    const [{ code }] = await json('redeem-code', 'create', '--plan', 'pro')
    const redeemed = await json('redeem', code, '--account', 'ada@example.test')
    expect(redeemed).toMatchObject({ kind: 'plan', plan: 'pro' })
    const subscriptions = await json('subscription', 'list', 'ada@example.test')
    expect(subscriptions[0]).toMatchObject({ id: redeemed.subscription_id, status: 'running' })
  })

  test('a correction has a reason, takes no more than there is, and stands in the ledger', async () => {
    await run('account', 'create', '--email', 'mia@example.test')
    await run('account', 'credit', '--email', 'mia@example.test', '--amount', '3')
    const taken = await json('account', 'adjust', 'mia@example.test', '-1.25', '--reason', 'charged twice')
    expect(taken).toMatchObject({ kind: 'adjustment', amount: '-1.25', balance_after: '1.75', actor: 'cli' })
    expect(await run('account', 'adjust', 'mia@example.test', '-1.76', '--reason', 'more')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only $1.75 of mia@example.test can be taken'),
    })
    await json('account', 'adjust', 'mia@example.test', '0.25', '--reason', 'goodwill')
    const [{ code }] = await json('redeem-code', 'create', '--usd', '5')
    await json('redeem', code, '--account', 'mia@example.test')
    const entries = await json('account', 'ledger', 'mia@example.test')
    expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual([
      'redeem',
      'adjustment',
      'adjustment',
      'credit',
    ])
    expect(entries[0]).toMatchObject({
      amount: '5',
      balance_after: '7',
      reason: expect.stringMatching(/^redeem code rdc_/),
    })
    const shown = await run('account', 'ledger', 'mia@example.test')
    expect(shown.stdout).toMatch(/adjustment +-1\.25 +1\.75 +cli +charged twice\n/)
    expect((await run('check-ledger')).stdout).toMatch(/^ok: /m)
  })
})
