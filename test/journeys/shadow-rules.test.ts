import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatStatus } from '../support/chat-status.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { scrape } from '../support/scrape.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

const KEY = 'shadow-journey-2f9c61d07b3e'
const ADMIN_TOKEN = 'an-admin-token-of-the-shadow-journey'

/** Each request costs as much as any of the caps, or more. */
const file = (port: number) => `upstreams:
  - name: main
    protocol: openai
    base_url: http://127.0.0.1:${port}/v1
    spend_per_day: "0.001"
    shadow: [spend_per_day]
    credentials: [{ name: only, secret: "\${SHADOWED_SECRET}", requests_per_minute: 1, shadow: [requests_per_minute] }]
  - { name: part, protocol: openai, base_url: "http://127.0.0.1:${port}/v1" }
models:
  - { name: m, price: { input: "1000", output: "1000" }, targets: [{ upstream: main, model: m }] }
  - name: t
    price: { input: "1000", output: "1000" }
    targets:
      - { upstream: part, model: first, cost: { factor: "1" }, min_margin: "0.5", spend_per_day: "0.001", shadow: [min_margin, spend_per_day] }
      - { upstream: part, model: second, priority: 1 }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
`

test('rules in shadow let requests through, and are counted and shown where they would have refused', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const environment = await freshEnvironment({
    TOLLGATE_DEMO: '0',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    SHADOWED_SECRET: 'sk-of-the-provider',
  })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, file(upstream.port))
  const configured = { ...environment, TOLLGATE_CONFIG: path }
  const first = await startGateway(configured)
  const { origin } = first
  const ask = (model: string, at = origin) => chatStatus(at, { key: KEY, model })
  const read = async (place: string) => {
    const answer = await fetch(origin + place, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    return (await answer.json()) as { data: Record<string, unknown>[] } & Record<string, unknown>
  }
  const routes = async (model: string) => {
    const { data } = await read(`/api/usage?account_id=*&model=${model}`)
    return data.map(({ route }) => route).toReversed()
  }
  expect([await ask('m'), await ask('m'), await ask('m')]).toEqual([200, 200, 200])
  expect([await ask('t'), await ask('t')]).toEqual([200, 200])
  const asked = { upstream: 'main', decision: 'taken', reason: expect.stringMatching(/taken|affinity/) }
  const both = { ...asked, shadow: ['requests_per_minute', 'spend_per_day'] }
  expect(await routes('m')).toMatchObject([[{ ...asked, shadow: [] }], [both], [both]])
  const [earlier, later] = (await routes('t')) as { shadow: string[]; reason: string }[][]
  expect(earlier).toMatchObject([
    { decision: 'taken', shadow: ['min_margin'] },
    { reason: 'not_needed', shadow: [] },
  ])
  expect(later).toMatchObject([{ decision: 'taken', shadow: ['spend_per_day', 'min_margin'] }, { shadow: [] }])

  const explained = await read('/api/route?account=ada@example.test&model=t')
  expect(explained).toMatchObject({
    fault: null,
    candidates: [
      { reason: 'taken', model: 'first', attempt: 1, shadow: ['spend_per_day', 'min_margin'] },
      { reason: 'not_needed', shadow: [] },
    ],
  })

  const metrics = await scrape(origin)
  const refusals = (labels: Record<string, string>) => metrics.sum('tollgate_shadow_refusals_total', labels)
  expect(refusals({ rule: 'requests_per_minute', upstream: 'main', credential: 'only', model: '' })).toBe(2)
  expect(refusals({ rule: 'spend_per_day', upstream: 'main', credential: '', model: '' })).toBe(2)
  expect(refusals({ rule: 'min_margin', upstream: 'part', model: 't', upstream_model: 'first' })).toBe(2)
  expect(refusals({ rule: 'spend_per_day', upstream: 'part', model: 't' })).toBe(1)
  expect(refusals({})).toBe(7)
  // What is not enforced raises no alert and closes nothing.
  expect([metrics.sum('tollgate_spend_cap_used'), metrics.sum('tollgate_credential_spend_cap_reached')]).toEqual([0, 0])
  expect((await read('/api/attention')).data.filter(({ kind }) => kind === 'spend_cap')).toEqual([])

  const upstreams = (await read('/api/upstreams')).data
  const at = { last_refusal_at: expect.stringMatching(/^20/) }
  expect(Object.fromEntries(upstreams.map(({ name, shadow_rules: rules }) => [name, rules]))).toMatchObject({
    main: [
      { rule: 'spend_per_day', credential: null, model: null, refusals: 2, ...at },
      { rule: 'requests_per_minute', credential: 'only', model: null, refusals: 2, ...at },
    ],
    part: [
      { rule: 'min_margin', model: 't', upstream_model: 'first', refusals: 2, ...at },
      { rule: 'spend_per_day', model: 't', upstream_model: 'first', refusals: 1, ...at },
    ],
  })
  expect(upstreams[0]).toMatchObject({ spend_caps: [{ spent_today: '0.006', until: null, shadow: true }] })

  // Out of shadow, a cap holds at once: what was spent in shadow counts.
  expect(await first.stop()).toBe(0)
  await writeFile(path, file(upstream.port).replaceAll('shadow: [spend_per_day]', 'shadow: []'))
  const second = await startGateway(configured)
  expect([await ask('m', second.origin), await ask('t', second.origin)]).toEqual([502, 200])
})
