import { expect, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type FakeVertex, startFakeVertex } from '../../tools/fake-upstream/clouds/vertex.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'
import { PATIENCE_MS } from './patience.ts'

const VERTEX_TOKEN = 'ya29.token-for-tests'
const VERTEX_KEY = 'AQ.key-for-tests'

/** Where a model is asked. */
interface ModelPlace {
  readonly protocol: UpstreamProtocol
  readonly model: string
  /** What stands behind the cloud's origin; null: it is asked at the maker's own API. */
  readonly below?: string | null
}

export interface VertexUnderTest {
  readonly gateway: GatewayUnderTest
  readonly vertex: FakeVertex
  /** Adds a model of one upstream for each place, the first of which comes first. */
  model(name: string, ...places: readonly ModelPlace[]): Promise<void>
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
    async model(name, ...places) {
      const now = Date.now()
      const targets = []
      for (const [priority, place] of places.entries()) {
        const id = newId('ups', now)
        await store.catalog.putUpstream(upstreamAt(place, { id, fake: gateway.fake.url, vertex: vertex.url }))
        targets.push({ upstreamId: id, model: place.model, priority, weight: 1 })
      }
      const limits = { contextTokens: 200_000, maxOutputTokens: 64_000 }
      const model = { id: newId('mdl', now), name, prices: TEST_PRICES, ...limits, targets, createdAt: now }
      await store.catalog.putModel({ ...model, isManaged: false })
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

function upstreamAt({ protocol, below = PROJECT }: ModelPlace, { id, fake, vertex }: Origins): Upstream {
  const isPlain = below === null
  const isExpress = below?.includes('/projects/') === false
  return {
    id,
    name: `${isPlain ? 'plain' : 'vertex'}-${id}`,
    protocol,
    baseUrl: isPlain ? fake : vertex + below,
    credentials: isExpress ? [unlimitedCredential(sealer(TEST_SECRET).seal(VERTEX_KEY))] : [],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: isExpress ? {} : { authorization: `Bearer ${VERTEX_TOKEN}` },
    ...(isPlain ? {} : { passage: { dialect: 'vertex' } }),
    isManaged: false,
  }
}

const PROJECT = '/v1/projects/fake-project/locations/global'

interface Origins {
  readonly id: string
  /** The makers' own APIs; `vertex`: the cloud. */
  readonly fake: string
  readonly vertex: string
}
