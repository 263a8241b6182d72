import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPlace, type Place } from '../conformance/store-under-test.ts'
import { chatStatus } from '../support/chat-status.ts'
import { gatewayEnvironment, type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import type { KeptProcess } from '../support/kept-process.ts'
import { type RedisPlace, startRedisServer } from '../support/redis-server.ts'
import { scriptedUpstream, type ScriptedUpstream, well } from '../support/scripted-upstream.ts'

// Two gateway processes on one PostgreSQL and one Redis, the second with two threads that carry requests: a limit holds for
// both together, and the whole of it wherever the requests arrive.

const KEYS = {
  often: 'often-of-two-4be1c07d92f6',
  odd: 'odd-of-two-0d3f81b6a7c2',
  held: 'held-of-two-71c9e5a20b84',
  orphan: 'orphan-of-two-c2f7043e81d9',
  poor: 'poor-of-two-9a4b17e0d3c6',
}
/** Two nodes could not share these out evenly. */
const OFTEN = 15
const HELD = 3
const DEAD_AFTER_MS = 20_000
const METRICS_TOKEN = 'f'.repeat(40)
const ADMIN_TOKEN = 'a'.repeat(40)

const file = (port: number) => `upstreams:
  - { name: scripted, protocol: openai, base_url: "http://127.0.0.1:${port}/v1" }
models:
  - { name: quick, price: { input: "1", output: "1" }, targets: [{ upstream: scripted, model: quick }] }
  - { name: held, price: { input: "1", output: "1" }, targets: [{ upstream: scripted, model: held }] }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000" }
  - { email: bob@example.test, balance: "0", limits: { concurrency: 1 } }
keys:
  - { account: ada@example.test, name: often, group: default, custom_key: ${KEYS.often}, rate_limit: { requests_per_minute: ${OFTEN} } }
  - { account: ada@example.test, name: odd, group: default, custom_key: ${KEYS.odd}, rate_limit: { requests_per_minute: 1 } }
  - { account: ada@example.test, name: held, group: default, custom_key: ${KEYS.held}, rate_limit: { concurrency: ${HELD} } }
  - { account: ada@example.test, name: orphan, group: default, custom_key: ${KEYS.orphan}, rate_limit: { concurrency: 2 } }
  - { account: bob@example.test, name: poor, group: default, custom_key: ${KEYS.poor}, rate_limit: { requests_per_minute: 1 } }
`

let place: Place
let upstream: ScriptedUpstream
let redis: KeptProcess & { readonly url: string; readonly at: RedisPlace }
let one: GatewayProcess
let two: GatewayProcess
/** Answers to requests for `held` that wait to be let go of. */
let waiting: (() => void)[] = []

beforeAll(async () => {
  ;[place, upstream, redis] = await Promise.all([newPlace('postgres'), scriptedUpstream(well), startRedisServer()])
  upstream.script = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (Buffer.concat(chunks).includes('"held"')) waiting.push(() => well(request, response))
      else well(request, response)
    })
  }
  const path = join(place.directory, 'tollgate.yaml')
  await writeFile(path, file(upstream.port))
  const environment = gatewayEnvironment(place.directory, {
    TOLLGATE_CONFIG: path,
    TOLLGATE_DEMO: '0',
    TOLLGATE_SECRET: 'the same secret for both nodes of this test',
    TOLLGATE_METRICS_TOKEN: METRICS_TOKEN,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    DATABASE_URL: place.databaseUrl ?? '',
    REDIS_URL: redis.url.replace('redis:', 'valkey:'),
  })
  one = await startGatewayProcess(environment)
  two = await startGatewayProcess({ ...environment, TOLLGATE_WORKERS: '2' })
})
afterAll(async () => {
  for (const release of waiting) release()
  upstream.close()
  await Promise.all([one?.kill(), two?.kill(), redis.stop(), place.leave()])
})

const ask = (at: GatewayProcess, key: string, model = 'quick') => chatStatus(at.origin, { key, model })

test('of requests that arrive at both at once exactly as many are served as the limit allows', async () => {
  const statuses = await Promise.all(Array.from({ length: 60 }, (_, at) => ask(at % 2 === 0 ? one : two, KEYS.often)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(OFTEN)
  expect(statuses.filter((status) => status === 429)).toHaveLength(60 - OFTEN)
  // Once at either of them: of one request a minute a node alone could only have all or nothing.
  const single = await Promise.all([ask(one, KEYS.odd), ask(two, KEYS.odd)])
  expect(single.toSorted((a, b) => a - b)).toEqual([200, 429])
})

test('a request that is refused for want of money counts for no limit', async () => {
  const statuses = []
  for (const each of [one, two, one, two]) statuses.push(await ask(each, KEYS.poor))
  expect(statuses).toEqual([402, 402, 402, 402])
})

test('what is left is said of both nodes together', async () => {
  for (const { origin } of [one, two]) {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.often}` },
      body: JSON.stringify({ model: 'quick', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe(String(OFTEN))
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(await answer.text()).toContain(`In the last minute it used ${OFTEN}.`)
    const usage = await fetch(`${origin}/v1/usage`, { headers: { authorization: `Bearer ${KEYS.often}` } })
    expect(JSON.stringify(await usage.json())).toContain(`"used":${OFTEN}`)
  }
})

test('running requests are counted over both, and a place that comes free at one is free at the other', async () => {
  const running = [ask(one, KEYS.held, 'held'), ask(two, KEYS.held, 'held'), ask(two, KEYS.held, 'held')]
  await expect.poll(() => waiting.length).toBe(HELD)
  expect(await Promise.all([ask(one, KEYS.held), ask(two, KEYS.held)])).toEqual([429, 429])
  for (const release of waiting.splice(0)) release()
  expect(await Promise.all(running)).toEqual([200, 200, 200])
  await expect.poll(() => ask(one, KEYS.held)).toBe(200)
})

test('what a killed node had running is free after its lease', async () => {
  const environment = gatewayEnvironment(place.directory, {
    TOLLGATE_DEMO: '0',
    TOLLGATE_SECRET: 'the same secret for both nodes of this test',
    DATABASE_URL: place.databaseUrl ?? '',
    REDIS_URL: redis.url,
  })
  const dying = await startGatewayProcess(environment)
  const lost = [ask(dying, KEYS.orphan, 'held'), ask(dying, KEYS.orphan, 'held')].map((each) => each.catch(() => 0))
  await expect.poll(() => waiting.length).toBe(2)
  expect(await ask(one, KEYS.orphan)).toBe(429)
  await dying.kill()
  await Promise.all(lost)
  const from = performance.now()
  await expect.poll(() => ask(one, KEYS.orphan), { interval: 500 }).toBe(200)
  // It was renewed up to five seconds before it died.
  expect(performance.now() - from).toBeGreaterThan(DEAD_AFTER_MS - 10_000)
  waiting = []
})

test('without Redis requests are served as before, each node has its share, and the metrics and the list of what needs attention say so', async () => {
  const isUp = async () => {
    const answer = await fetch(`${one.origin}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    return /^tollgate_redis_up (\d)$/m.exec(await answer.text())?.[1]
  }
  const isNamed = async () => {
    const answer = await fetch(`${one.origin}/api/attention`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    return (await answer.text()).includes('"redis_down"')
  }
  expect([await isUp(), await isNamed()]).toEqual(['1', false])
  await redis.stop()
  await expect.poll(isUp).toBe('0')
  expect(await isNamed()).toBe(true)
  // Of three places one node has two, the other one.
  const running = Array.from({ length: 3 }, () => ask(one, KEYS.held, 'held'))
  running.push(...Array.from({ length: 3 }, () => ask(two, KEYS.held, 'held')))
  await expect.poll(() => waiting.length).toBe(HELD)
  const again = await startRedisServer(redis.at)
  redis = again
  await expect.poll(isUp).toBe('1')
  expect(await isNamed()).toBe(false)
  // It has lost what it knew, and knows what runs.
  await expect.poll(async () => [await ask(one, KEYS.held), await ask(two, KEYS.held)]).toEqual([429, 429])
  for (const release of waiting.splice(0)) release()
  const statuses = (await Promise.all(running)).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  await expect.poll(() => ask(two, KEYS.held)).toBe(200)
})
