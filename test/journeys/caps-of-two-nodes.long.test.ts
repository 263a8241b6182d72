import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { CREDENTIAL_SPEND_SHARED_MS } from '../../src/core/limits.ts'
import { newPlace } from '../conformance/store-under-test.ts'
import { chatStatus } from '../support/chat-status.ts'
import { gatewayEnvironment, startGatewayProcess } from '../support/gateway-process.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Two gateway processes on one PostgreSQL, and caps that stand on what both spend together.

const TIMEOUT_MS = 300_000
const KEY = 'caps-of-two-2f9c61d07b3e'
/** The cost of one request: two tokens. */
const COST_NANO = 10_000_000n
/** Caps in requests. Alone, the node that asks slowly would need minutes for them. */
const CAPS = { whole: 100, part: 60 }
const PARALLEL = 4
/** The pause between two requests of the node that asks slowly. */
const PACE_MS = 1_000
/**
 * What one node spends is stored within one interval, and read by the other within one more. The slow node may ask as often in
 * that time, and in as much again for a busy machine: far less than a cap.
 */
const SLOW_AT_MOST = (2 * 2 * CREDENTIAL_SPEND_SHARED_MS) / PACE_MS

/** All that its model may write is held for each of the ten requests that run at once. */
const BALANCE = '1000000'

const usd = (requests: number) => String(requests / 100)

const file = (port: number) => `upstreams:
  - { name: whole, protocol: openai, base_url: "http://127.0.0.1:${port}/v1", spend_per_day: "${usd(CAPS.whole)}" }
  - { name: part, protocol: openai, base_url: "http://127.0.0.1:${port}/v1" }
models:
  - { name: whole, price: { input: "5000", output: "5000" }, targets: [{ upstream: whole, model: m }] }
  - name: part
    price: { input: "5000", output: "5000" }
    targets: [{ upstream: part, model: m, spend_per_day: "${usd(CAPS.part)}" }]
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "${BALANCE}" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
`

type Model = keyof typeof CAPS

test('two nodes keep to one cap of an upstream, and to one of a target', { timeout: TIMEOUT_MS }, async () => {
  const [place, upstream] = await Promise.all([newPlace('postgres'), scriptedUpstream(well)])
  onTestFinished(async () => {
    upstream.close()
    await place.leave()
  })
  const path = join(place.directory, 'tollgate.yaml')
  await writeFile(path, file(upstream.port))
  const environment = gatewayEnvironment(place.directory, {
    TOLLGATE_CONFIG: path,
    TOLLGATE_DEMO: '0',
    TOLLGATE_SECRET: 'the same secret for both nodes of this test',
    DATABASE_URL: place.databaseUrl ?? '',
  })
  const start = async () => {
    const gateway = await startGatewayProcess(environment)
    onTestFinished(() => gateway.kill())
    return gateway
  }
  const [fast, slow] = [await start(), await start()]
  const ask = (origin: string, model: Model) => chatStatus(origin, { key: KEY, model })
  /** How many are served until one is refused. */
  const served = async (origin: string, model: Model, paceMs: number): Promise<number> => {
    for (let count = 0; count < CAPS[model] + PARALLEL; count++) {
      const status = await ask(origin, model)
      if (status !== 200) {
        expect(status).toBe(502)
        return count
      }
      await pause(paceMs)
    }
    return CAPS[model] + PARALLEL
  }
  const all = async (model: Model) => {
    const slowly = served(slow.origin, model, PACE_MS)
    const counts = await Promise.all(Array.from({ length: PARALLEL }, () => served(fast.origin, model, 0)))
    return { fast: counts.reduce((sum, count) => sum + count, 0), slow: await slowly }
  }
  const [whole, part] = await Promise.all([all('whole'), all('part')])
  for (const [model, counts] of [['whole', whole] as const, ['part', part] as const]) {
    // The check comes before a request and its cost after it: what is under way passes the cap.
    expect(counts.fast, model).toBeLessThan(CAPS[model] + PARALLEL)
    expect(counts.slow, model).toBeLessThanOrEqual(SLOW_AT_MOST)
    expect(counts.fast + counts.slow, model).toBeGreaterThanOrEqual(CAPS[model])
  }
  // Neither asks any more, and what both spent is in one count, once.
  for (const { origin } of [fast, slow]) {
    expect([await ask(origin, 'whole'), await ask(origin, 'part')]).toEqual([502, 502])
  }
  expect(await Promise.all([fast.stop(), slow.stop()])).toEqual([0, 0])
  const spent = await place.sql('select kind, spent_nano from day_spends order by kind desc')
  expect(spent.map(({ kind, spent_nano: nano }) => [kind, BigInt(String(nano))])).toEqual([
    ['upstream', BigInt(whole.fast + whole.slow) * COST_NANO],
    ['target', BigInt(part.fast + part.slow) * COST_NANO],
  ])
})
