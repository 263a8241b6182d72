import { expect, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type FakeVertex, startFakeVertex } from '../../tools/fake-upstream/clouds/vertex.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'
import { PATIENCE_MS } from './patience.ts'

export const VERTEX_TOKEN = 'ya29.token-for-tests'
const VERTEX_KEY = 'AQ.key-for-tests'

export interface VertexUnderTest {
  readonly gateway: GatewayUnderTest
  readonly vertex: FakeVertex
  /** Adds a model of one upstream at the fake cloud; `below`: what stands behind its origin. */
  model(name: string, at: { protocol: UpstreamProtocol; model: string; below?: string }): Promise<void>
  /** The secret of a new key, of an account with credit. */
  secret(): Promise<string>
  /** The newest usage record of a model, once there is one. */
  record(model: string): Promise<UsageRecord>
  close(): Promise<void>
}

/** A gateway with a fake Vertex AI behind it: with a token below a project, and with an API key in express mode. */
export async function vertexUnderTest(): Promise<VertexUnderTest> {
  const gateway = await gatewayUnderTest()
  const vertex = await startFakeVertex({
    upstream: gateway.fake.url,
    takesToken: (token) => token === VERTEX_TOKEN,
    apiKey: VERTEX_KEY,
  })
  const { store } = gateway
  const { secret: own } = await gateway.key(await gateway.account())
  const isKnown = async (name: string): Promise<void> => {
    const headers = { authorization: `Bearer ${own}` }
    expect((await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).status).toBe(200)
  }
  return {
    gateway,
    vertex,
    async model(name, { protocol, model, below = '/v1/projects/fake-project/locations/global' }) {
      const now = Date.now()
      const id = newId('ups', now)
      const isExpress = !below.includes('/projects/')
      await store.catalog.putUpstream({
        id,
        name: `vertex-${id}`,
        protocol,
        baseUrl: vertex.url + below,
        credentials: isExpress ? [unlimitedCredential(sealer(TEST_SECRET).seal(VERTEX_KEY))] : [],
        connectTimeoutMs: null,
        firstByteTimeoutMs: null,
        timeoutMs: null,
        maxConcurrency: null,
        headers: isExpress ? {} : { authorization: `Bearer ${VERTEX_TOKEN}` },
        passage: { dialect: 'vertex' },
        isManaged: false,
      })
      const limits = { contextTokens: 200_000, maxOutputTokens: 64_000 }
      const targets = [{ upstreamId: id, model, priority: 0, weight: 1 }]
      await store.catalog.putModel({
        id: newId('mdl', now),
        name,
        prices: TEST_PRICES,
        ...limits,
        targets,
        createdAt: now,
        isManaged: false,
      })
      await vi.waitFor(() => isKnown(name), { timeout: PATIENCE_MS })
    },
    secret: async () => (await gateway.key(await gateway.account())).secret,
    async record(model) {
      const newest = async () =>
        (await store.usage.list({ accountId: null, model }, { after: null, limit: 1 })).records[0]
      await expect.poll(newest, { timeout: PATIENCE_MS }).toBeDefined()
      const record = await newest()
      if (record === undefined) throw new Error('the record is there')
      return record
    },
    async close() {
      await gateway.close()
      await vertex.close()
    },
  }
}
