import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatStatus } from '../support/chat-status.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { scrape } from '../support/scrape.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

const DAY_MS = 86_400_000
const KEY = 'spend-journey-2f9c61d07b3e'
const ADMIN_TOKEN = 'an-admin-token-of-the-spend-journey'

/** Each request costs as much as any of the caps, or more. */
const file = (port: number) => `upstreams:
  - name: main
    protocol: openai
    base_url: http://127.0.0.1:${port}/v1
    credentials: [{ name: capped, secret: "\${SPENT_SECRET}", spend_per_day: "0.001" }]
  - { name: whole, protocol: openai, base_url: "http://127.0.0.1:${port}/v1", spend_per_day: "0.001" }
  - { name: part, protocol: openai, base_url: "http://127.0.0.1:${port}/v1" }
models:
  - { name: m, price: { input: "1000", output: "1000" }, targets: [{ upstream: main, model: m }] }
  - { name: w, price: { input: "1000", output: "1000" }, targets: [{ upstream: whole, model: w, cost: { factor: "0.5" } }] }
  - { name: v, price: { input: "1000", output: "1000" }, targets: [{ upstream: whole, model: v }] }
  - name: t
    price: { input: "1000", output: "1000" }
    targets:
      - { upstream: part, model: first, spend_per_day: "0.001" }
      - { upstream: part, model: second, priority: 1 }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
`

test('what has cost what it may in a day rests after a restart too, and is said to', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const environment = await freshEnvironment({
    TOLLGATE_DEMO: '0',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    SPENT_SECRET: 'sk-of-the-provider',
  })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, file(upstream.port))
  const configured = { ...environment, TOLLGATE_CONFIG: path }
  const ask = (origin: string, model: string) => chatStatus(origin, { key: KEY, model })
  const read = async (origin: string, place: string) => {
    const answer = await fetch(origin + place, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    return ((await answer.json()) as { data: Record<string, unknown>[] }).data
  }
  const first = await startGateway(configured)
  expect([await ask(first.origin, 'm'), await ask(first.origin, 'm')]).toEqual([200, 502])
  const answer = await fetch(`${first.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
  })
  const comesBack = new Date(Date.now() + Number(answer.headers.get('retry-after')) * 1_000)
  // Within a minute of midnight, however long the answer took.
  expect(Math.min(comesBack.getTime() % DAY_MS, DAY_MS - (comesBack.getTime() % DAY_MS))).toBeLessThan(60_000)
  expect(await answer.text()).toContain('before midnight UTC')
  expect([await ask(first.origin, 'w'), await ask(first.origin, 'v')]).toEqual([200, 502])
  expect([await ask(first.origin, 't'), await ask(first.origin, 't')]).toEqual([200, 200])
  const [record] = await read(first.origin, '/api/usage?account_id=*&model=t&limit=1')
  expect(record).toMatchObject({ route: [{ reason: 'taken' }, { reason: 'cap' }] })
  expect(await first.stop()).toBe(0)
  const before = upstream.asked
  const second = await startGateway(configured)
  for (const model of ['m', 'w', 'v']) expect(await ask(second.origin, model)).toBe(502)
  expect([await ask(second.origin, 't'), upstream.asked - before]).toEqual([200, 1])
  const metrics = await scrape(second.origin)
  expect(metrics.sum('tollgate_credential_spend_cap_reached', { upstream: 'main', credential: 'capped' })).toBe(1)
  expect(metrics.sum('tollgate_spend_cap_used', { upstream: 'whole', model: '' })).toBe(1)
  const caps = (await read(second.origin, '/api/upstreams')).map(({ name, spend_caps: each }) => [name, each])
  const spent = {
    spend_per_day: '0.001',
    until: expect.stringMatching(/T00:00:00\.000Z$/),
  }
  expect(Object.fromEntries(caps)).toMatchObject({
    main: [],
    part: [{ model: 't', upstream_model: 'first', spent_today: '0.002', ...spent }],
    // By the cost at the provider, which is half of the price.
    whole: [{ model: null, upstream_model: null, spent_today: '0.001', ...spent }],
  })
  const attention = await read(second.origin, '/api/attention')
  const capped = attention.flatMap(({ kind, upstream: at, model }) =>
    kind === 'spend_cap' ? [[(at as { name: string }).name, model]] : [],
  )
  // They stand by how many requests met them.
  expect(capped.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
    ['main', null],
    ['part', 't'],
    ['whole', null],
  ])
})
