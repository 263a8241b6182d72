import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type Environment, type GatewayProcess, runTollgate } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scrape } from '../support/scrape.ts'
import { longTest } from '../support/run/long-test.ts'

// A second target beside a first that lets wait, through a gateway process and the fake upstream: what each of them gets, and
// who pays for it.

const KEY = 'hedging-journey-2f9c61d07b3e'
const ADMIN_TOKEN = 'an-admin-token-of-the-hedging-journey'
const COST = 'cost: { factor: "0.5" }'

const upstream = (name: string, protocol: string, url: string) =>
  `  - { name: ${name}, protocol: ${protocol}, base_url: "${url}/v1", credential: "sk-of-the-provider" }`

const file = ({ url }: FakeUpstream) => `upstreams:
${['slow', 'idle', 'stuck'].map((name) => upstream(name, 'openai', url)).join('\n')}
${['well', 'spare'].map((name) => upstream(name, 'anthropic', url)).join('\n')}
models:
  - name: hedged
    price: { input: "10", output: "20" }
    hedge_after_ms: 10
    targets:
      - { upstream: slow, model: "fake/never-answers?hold_ms=600000", spend_per_day: "9", ${COST} }
      - { upstream: well, model: "fake/fixed", priority: 1, ${COST} }
  - name: both-silent
    price: { input: "10", output: "20" }
    hedge_after_ms: 10
    targets:
      - { upstream: idle, model: "fake/never-answers?hold_ms=600000&chunks=1", ${COST} }
      - { upstream: stuck, model: "fake/never-answers?hold_ms=600000&chunks=2", priority: 1, ${COST} }
  - name: both-fail
    price: { input: "10", output: "20" }
    hedge_after_ms: 10
    targets:
      - { upstream: idle, model: "fake/overloaded?first_delay_ms=300" }
      - { upstream: stuck, model: "fake/overloaded?first_delay_ms=300", priority: 1 }
      - { upstream: spare, model: "fake/fixed", priority: 2 }
groups:
  - { name: default, multiplier: "1.5", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
`

interface Installed {
  readonly gateway: GatewayProcess
  readonly fake: FakeUpstream
  readonly environment: Environment
}

async function install(more: Environment = {}): Promise<Installed> {
  const fake = await startFakeUpstream()
  onTestFinished(() => fake.close())
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...more })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, file(fake))
  const configured = { ...environment, TOLLGATE_CONFIG: path }
  return { gateway: await startGateway(configured), fake, environment: configured }
}

const MESSAGES = [{ role: 'user', content: 'Hello, who are you?' }]
const CALLS = {
  'openai-chat': (model: string, stream: boolean) => ['/v1/chat/completions', { model, stream, messages: MESSAGES }],
  'openai-responses': (model: string, stream: boolean) => ['/v1/responses', { model, stream, input: 'Hello, who?' }],
  'anthropic-messages': (model: string, stream: boolean) => [
    '/v1/messages',
    { model, stream, max_tokens: 50, messages: MESSAGES },
  ],
  gemini: (model: string, stream: boolean) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'Hello, who are you?' }] }] },
  ],
} as const

async function call(
  origin: string,
  [path, body]: readonly [string, object] | readonly unknown[],
  signal?: AbortSignal,
) {
  const answer = await fetch(`${origin}${String(path)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  return { status: answer.status, id: answer.headers.get('x-request-id'), text: await answer.text() }
}

interface Booked {
  readonly id: string
  readonly account_id: string
  readonly client: string | null
  readonly cost: string
  readonly provider_cost: string | null
  readonly tokens: { readonly input: number | null; readonly output: number | null }
  readonly attempts: readonly { readonly upstream: string; readonly hedged_away: boolean; readonly at_ms: number }[]
}

async function ask<T>(origin: string, path: string): Promise<T> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}

/** All records, once there are so many. */
async function records(origin: string, count: number): Promise<readonly Booked[]> {
  let data: readonly Booked[] = []
  const read = async () => {
    data = (await ask<{ data: readonly Booked[] }>(origin, '/api/usage?account_id=*&limit=100')).data
    return data.length
  }
  await expect.poll(read, { timeout: PATIENCE_MS }).toBe(count)
  return data
}

const sent = (to: string) => (request: { readonly body: Buffer }) => request.body.includes(to)

test('each protocol gets its answer from the second target, whole or as a stream, pays for that alone, and the first is cancelled', async () => {
  const { gateway, fake, environment } = await install()
  const calls = Object.values(CALLS).flatMap((of) => [of('hedged', false), of('hedged', true)])
  for (const each of calls) {
    const answer = await call(gateway.origin, each)
    expect([answer.status, answer.text.length > 0]).toEqual([200, true])
    // Its connection is closed while it would still be silent for minutes.
    await expect.poll(() => fake.requests.every(({ aborted }) => !aborted)).toBe(false)
    await fake.whenAborted(sent('never-answers'), PATIENCE_MS)
    expect(fake.requests.filter(sent('fake/fixed'))).toMatchObject([{ aborted: false }])
    fake.reset()
  }
  const all = await records(gateway.origin, 2 * calls.length)
  const own = all.filter(({ account_id: account }) => account !== 'acc_hedge')
  expect(own).toHaveLength(calls.length)
  for (const { id, attempts, cost, provider_cost: paid } of own) {
    expect(attempts.map((each) => [each.upstream, each.hedged_away])).toEqual([
      ['slow', true],
      ['well', false],
    ])
    expect(attempts[1]?.at_ms).toBeGreaterThanOrEqual(attempts[0]?.at_ms ?? Infinity)
    // The provider has half of the price, and the group half more than it.
    expect(Number(cost)).toBeCloseTo(Number(paid) * 3, 9)
    const beside = all.find(({ client }) => client === `tollgate-hedge (${id})`)
    expect(beside).toMatchObject({ attempts: [{ upstream: 'slow' }], cost: '0', account_id: 'acc_hedge' })
    const input = own.find((each) => each.id === id)?.tokens.input ?? 0
    expect(Number(beside?.provider_cost)).toBeCloseTo((input * 10 * 0.5) / 1e6, 9)
  }
  const charged = own.reduce((sum, { cost }) => sum + Number(cost), 0)
  const accounts = await ask<{ data: readonly { balance: string }[] }>(gateway.origin, '/api/accounts')
  expect(Math.max(...accounts.data.map(({ balance }) => Number(balance)))).toBeCloseTo(1000 - charged, 8)
  type Margins = { rows: readonly { id: string; charged: string; provider_cost: string }[] }
  const margins = await ask<Margins>(gateway.origin, '/api/margins')
  const slow = margins.rows.find(({ id }) => id === 'slow')
  expect([slow?.charged, Number(slow?.provider_cost) > 0]).toEqual(['0', true])
  const metrics = await scrape(gateway.origin)
  expect(metrics.sum('tollgate_hedges_total', { model: 'hedged', outcome: 'won' })).toBe(calls.length)
  expect(metrics.sum('tollgate_upstream_requests_total', { upstream: 'slow', class: 'cancelled' })).toBe(calls.length)
  expect(metrics.sum('tollgate_inflight')).toBe(0)
  expect(metrics.sum('tollgate_spend_cap_used', { upstream: 'slow', model: 'hedged' }) * 9).toBeCloseTo(
    Number(slow?.provider_cost),
    9,
  )
  expect((await runTollgate(environment, ['check-ledger'])).stdout).toMatch(/^ok: /m)
})

test('a caller who leaves while two are asked ends both, and owes the input of one', async () => {
  const { gateway, fake, environment } = await install()
  const leaves = new AbortController()
  const asked = call(gateway.origin, CALLS['anthropic-messages']('both-silent', true), leaves.signal)
  await Promise.all([1, 2].map((which) => fake.whenReceived(sent(`chunks=${which}`), PATIENCE_MS)))
  leaves.abort()
  await expect(asked).rejects.toThrow()
  await Promise.all([1, 2].map((which) => fake.whenAborted(sent(`chunks=${which}`), PATIENCE_MS)))
  const all = await records(gateway.origin, 2)
  // What is the caller's is charged, and the other is not.
  expect(all.filter(({ account_id: account, cost }) => (account === 'acc_hedge') === Number(cost) > 0)).toEqual([])
  expect(all.filter(({ account_id: account }) => account === 'acc_hedge')).toHaveLength(1)
  expect((await runTollgate(environment, ['check-ledger'])).stdout).toMatch(/^ok: /m)
})

longTest('where both fail the third answers, and no more are asked than for any request', async () => {
  const { gateway, fake } = await install()
  const answer = await call(gateway.origin, CALLS['openai-chat']('both-fail', false))
  expect([answer.status, fake.requests.length]).toEqual([200, 3])
  const [record] = await records(gateway.origin, 1)
  expect(record).toMatchObject({ attempts: [{ hedged_away: false }, { hedged_away: false }, { upstream: 'spare' }] })
})

longTest('threads that are drained while two are asked end both and book them', async () => {
  const { gateway, fake, environment } = await install({ TOLLGATE_WORKERS: '4', TOLLGATE_DRAIN_MS: '300' })
  const asked = Array.from({ length: 8 }, () => call(gateway.origin, CALLS['openai-chat']('both-silent', true)))
  const ended = Promise.allSettled(asked)
  await expect.poll(() => fake.requests.length, { timeout: PATIENCE_MS }).toBe(16)
  expect(await gateway.stop()).toBe(0)
  await ended
  await expect.poll(() => fake.requests.filter(({ aborted }) => aborted).length, { timeout: PATIENCE_MS }).toBe(16)
  expect((await runTollgate(environment, ['check-ledger'])).stdout).toMatch(/^ok: .* 16 usage records/m)
})

longTest('the time is bounded, and a file with another is refused with its line', async () => {
  const { gateway, environment } = await install()
  const path = environment['TOLLGATE_CONFIG'] ?? ''
  await writeFile(
    path,
    'models:\n  - name: m\n    price: { input: "1", output: "1" }\n    hedge_after_ms: 0\n    targets: []\n',
  )
  const refused = await runTollgate(environment, ['apply', path, '--dry-run'])
  expect(refused.stdout + refused.stderr).toMatch(/hedge_after_ms.*must be at (least 10|most 600000)/)
  expect(refused.stdout + refused.stderr).toMatch(/line 4/)
  expect(gateway.origin).toContain('http')
})
