import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Environment,
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

/** Tiers, factors and fees as an admin writes them and a user pays them, against a provider that names what it gave. */

const SECRET = 'terms-4d1b7c90e25fa836'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'

const CONFIGURATION = `
models:
  - name: ruled
    price:
      input: "2.50"
      output: "15"
      cache_read: "0.25"
      tiers: [{ above_input_tokens: 200000, input: "5", output: "22.50", cache_read: "0.50" }]
      service_tiers: { priority: { factor: "2" }, flex: { factor: "0.5" } }
      inference_geo: { us: { factor: "1.1" } }
      per_call: { web_search: "0.01" }
    context_tokens: 400000
    targets: [{ upstream: behind }]
  - { name: plain, price: { input: "1", output: "2" }, targets: [{ upstream: behind }] }
groups: [{ name: default, models: ["*"], multiplier: "2" }]
accounts: [{ email: ada@example.test, balance: "10" }]
keys: [{ account: ada@example.test, name: laptop, group: default, custom_key: ${SECRET} }]
`

/** What the provider got, as it decodes it, and what it answers: set by each test. */
const got: Record<string, unknown>[] = []
let answer = '{}'

let provider: ScriptedUpstream
let directory: string
let gateway: GatewayProcess
let environment: Environment

beforeAll(async () => {
  provider = await scriptedUpstream(async (request, response) => {
    got.push((await json(request)) as Record<string, unknown>)
    response.end(answer)
  })
  directory = await mkdtemp(join(tmpdir(), 'tollgate-terms-'))
  const file = join(directory, 'tollgate.yaml')
  const upstream = `{ name: behind, protocol: openai, base_url: "${provider.url}/v1" }`
  await writeFile(file, `upstreams: [${upstream}]${CONFIGURATION}`)
  environment = gatewayEnvironment(directory, {
    TOLLGATE_CONFIG: file,
    TOLLGATE_DEMO: '0',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
  })
  gateway = await startGatewayProcess(environment)
})

afterAll(async () => {
  provider.close()
  await gateway.stop()
  await rm(directory, { recursive: true })
})

function chat(fields: string, model = 'ruled'): Promise<Response> {
  return fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: `{"model":"${model}","max_tokens":100,"messages":[{"role":"user","content":"hi"}]${fields}}`,
  })
}

async function get(path: string, token: string): Promise<Response> {
  return fetch(gateway.origin + path, { headers: { authorization: `Bearer ${token}` } })
}

async function receiptOf(response: Response): Promise<object> {
  await response.text()
  return (await (await get(`/v1/requests/${response.headers.get('x-request-id')}`, SECRET)).json()) as object
}

const USAGE = `"usage":{"prompt_tokens":1000,"completion_tokens":100}`

test('what the answer names is charged, and stands in the receipt, the record and the CSV', async () => {
  answer = `{"choices":[{"message":{"content":"hi","annotations":[{"type":"url_citation"}]}}],"service_tier":"priority",${USAGE}}`
  const response = await chat(`,"service_tier":"priority"`)
  expect(response.status).toBe(200)
  expect(got.at(-1)).toMatchObject({ service_tier: 'priority' })
  // (1000 × $5 + 100 × $30) for a million, and a search of $0.01: twice all that, by the group's multiplier.
  expect(response.headers.get('x-tollgate-cost')).toBe('0.036')
  expect(await receiptOf(response)).toMatchObject({
    cost: '0.036',
    service_tier: 'priority',
    inference_geo: null,
    above_input_tokens: null,
    calls: { web_search: 1 },
    prices: { input: '5', output: '30', cache_read: '0.5', per_call: { web_search: '0.01' } },
    multiplier: '2',
  })
  const id = response.headers.get('x-request-id') ?? ''
  const list = (await (await get(`/api/usage?account_id=*&request=${id}`, ADMIN_TOKEN)).json()) as { data: object[] }
  expect(list.data[0]).toMatchObject({
    service_tier: 'priority',
    calls: { web_search: 1 },
    price_lines: [
      { kind: 'input', count: 1000, price: '5', cost: '0.01' },
      { kind: 'output', count: 100, price: '30', cost: '0.006' },
      { kind: 'web_search', tokens: null, count: 1, per: 1, price: '0.01', cost: '0.02' },
    ],
  })
  const [head = '', row = ''] = (
    await (await get(`/api/usage.csv?account_id=*&request=${id}`, ADMIN_TOKEN)).text()
  ).split('\r\n')
  const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)]
  expect([cell('service_tier'), cell('web_search_calls'), cell('price_per_web_search'), cell('input_price')]).toEqual([
    'priority',
    '1',
    '0.01',
    '5',
  ])
})

test('a prompt that the provider counts above the length costs the price of long prompts, all of it', async () => {
  answer = `{"choices":[{"message":{"content":"hi"}}],"usage":{"prompt_tokens":200001,"completion_tokens":100,"prompt_tokens_details":{"cached_tokens":100000}}}`
  const response = await chat(`,"user":"${'x'.repeat(300_000)}"`)
  // 100001 × $5 + 100000 × $0.50 + 100 × $22.50 for a million, twice.
  expect(await receiptOf(response)).toMatchObject({ cost: '1.10451', above_input_tokens: 200_000 })
})

test.for([
  [`,"service_tier":"scale"`, 'service_tier', '"scale"'],
  [`,"service\\u005ftier":"sca\\u006ce"`, 'service_tier', '"scale"'],
  [`,"speed":"fast"`, 'speed', '"fast"'],
  [`,"inference_geo":"eu"`, 'inference_geo', '"eu"'],
] as const)('%s has no price: it is refused by name and never sent', async ([fields, param, name]) => {
  const before = got.length
  const response = await chat(fields)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'request_invalid', param, message: expect.stringContaining(name) as string },
  })
  expect(got).toHaveLength(before)
})

test('a class without a price that was not asked for costs the plain price, and is noted', async () => {
  answer = `{"choices":[{"message":{"content":"hi"}}],"service_tier":"priority",${USAGE}}`
  const receipt = await receiptOf(await chat('', 'plain'))
  expect(receipt).toMatchObject({ cost: '0.0024', service_tier: 'priority', usage_notes: ['terms_unpriced'] })
})

test('lists of models say what longer prompts, classes, places and calls cost, after the multiplier', async () => {
  const { pricing } = (await (await get('/v1/models/ruled', SECRET)).json()) as { pricing: object }
  expect(pricing).toEqual({
    input: '5',
    output: '30',
    cache_read: '0.5',
    tiers: [{ above_input_tokens: 200_000, input: '10', output: '45', cache_read: '1' }],
    service_tiers: { priority: { factor: '2' }, flex: { factor: '0.5' } },
    inference_geo: { us: { factor: '1.1' } },
    per_call: { web_search: '0.02' },
  })
  const catalogue = (await (await get('/api.json', SECRET)).json()) as {
    tollgate: { models: Record<string, { cost: object }> }
  }
  expect(catalogue.tollgate.models['ruled']?.cost).toEqual({
    input: 5,
    output: 30,
    cache_read: 0.5,
    tiers: [{ input: 10, output: 45, cache_read: 1, tier: { type: 'context', size: 200_001 } }],
    context_over_200k: { input: 10, output: 45, cache_read: 1 },
  })
})

test('the books add up', async () => {
  expect((await runTollgate(environment, ['check-ledger'])).stdout).toMatch(/^ok: /m)
})
