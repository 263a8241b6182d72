import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scrape } from '../support/scrape.ts'
import { putModelOf } from '../support/put-model.ts'
import { type ScriptedUpstream, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// What rests is seen by admins wherever it is: also where no single credential is to blame, and where there is none.

const ADMIN_TOKEN = randomUUID()
/** A port on which nothing listens. */
const NO_PORT = 1

let gateway: GatewayUnderTest
let secret: string
let slow: ScriptedUpstream

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
  slow = await scriptedUpstream((request) => request.resume())
  const credentials = ['a', 'b'].map((name) => unlimitedCredential(sealer(TEST_SECRET).seal(`sk-${name}`), name))
  await put('pooled', NO_PORT, { credentials })
  await put('bare', NO_PORT, {})
  await put('slow', slow.port, {})
})
afterAll(async () => {
  await gateway.close()
  slow.close()
})

async function put(name: string, port: number, settings: Partial<Upstream>): Promise<void> {
  await putModelOf(gateway.store, { name, targets: [{ port, model: 'm-there', settings: { ...settings, name } }] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
}

async function ask(model: string, signal: AbortSignal | null = null): Promise<number> {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    signal,
  })
  await response.text()
  return response.status
}

async function api(path: string) {
  const response = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  expect(response.status).toBe(200)
  return JSON.parse(await response.text())
}

async function statusOf(name: string) {
  const id = (await gateway.store.catalog.upstreams()).find((each) => each.name === name)?.id
  return (await api('/api/upstreams/status')).data.find((each: { id: string }) => each.id === id)
}

test.for(['pooled', 'bare'])(
  'that the host of the %s upstream is dead is seen in the API and the metrics, with reason, time and count',
  async (name) => {
    const before = await statusOf(name)
    expect(before).toMatchObject({ state: name === 'bare' ? 'open' : 'healthy', models: [] })
    expect(await ask(name)).toBe(502)
    const status = await statusOf(name)
    // Its first rest is a second, after which one request finds out.
    expect(['resting', 'failing']).toContain(status.state)
    const [model] = status.models
    expect(model).toMatchObject({ model: 'm-there', reason: 'unreachable' })
    // Its rest may have ended while the request waited, and begun anew.
    expect([1, 2, 3]).toContain(model.count)
    expect(['cooling', 'probing']).toContain(model.state)
    const labels = { upstream: name, upstream_model: 'm-there' }
    const { sum } = await scrape(gateway.origin)
    expect(sum('tollgate_upstream_consecutive_cooldowns', labels)).toBe(model.count)
    await expect
      .poll(
        async () => {
          await ask(name)
          return (await statusOf(name)).models[0]
        },
        { timeout: PATIENCE_MS },
      )
      .toMatchObject({ state: 'cooling', until: expect.stringMatching(/Z$/) })
    // Each of its requests failed, and none had a first byte.
    const { requests, failed, first_byte_ms: firstByte } = await statusOf(name)
    expect({ isAll: failed === requests, isSome: requests > 0, firstByte }).toEqual({
      isAll: true,
      isSome: true,
      firstByte: null,
    })
  },
)

test('requests under way at an upstream that wants no credential are counted', async () => {
  const leaving = new AbortController()
  const asked = ask('slow', leaving.signal).catch(() => 0)
  await expect.poll(async () => (await statusOf('slow')).in_flight, { timeout: PATIENCE_MS }).toBe(1)
  leaving.abort()
  await asked
  await expect.poll(async () => (await statusOf('slow')).in_flight, { timeout: PATIENCE_MS }).toBe(0)
})

test('each upstream and credential says how many requests ended there lately, how many failed, and when their first byte came', async () => {
  const good = await scriptedUpstream(well)
  onTestFinished(() => good.close())
  const credentials = [unlimitedCredential(sealer(TEST_SECRET).seal('sk-only'), 'only')]
  await put('counted', good.port, { credentials })
  expect([await ask('counted'), await ask('counted')]).toEqual([200, 200])
  const lately = { requests: 2, failed: 0, first_byte_ms: { p50: expect.any(Number), p95: expect.any(Number) } }
  await expect
    .poll(() => statusOf('counted'), { timeout: PATIENCE_MS })
    .toMatchObject({ ...lately, credentials: [{ name: 'only', ...lately }] })
  expect((await statusOf('slow')).first_byte_ms).toBeNull()
  expect((await api('/api/upstreams/status')).counted_since).toBeNull()
})

test('a credential that is held or rests says how often in a row', async () => {
  const [upstream] = (await gateway.store.catalog.upstreams()).filter(({ name }) => name === 'pooled')
  const { data } = await api(`/api/upstreams/${upstream?.id}/credentials`)
  const counts: number[] = data.map(({ count }: { count: number }) => count)
  expect(Math.max(...counts)).toBeGreaterThan(0)
})
