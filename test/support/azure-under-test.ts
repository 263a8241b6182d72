import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { RequestOverrides } from '../../src/routing/catalog.ts'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { type FakeAzure, type FakeAzureOptions, startFakeAzure } from '../../tools/fake-upstream/clouds/azure.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'

export const AZURE_KEY = 'azure-key'

/** An upstream at a fake resource. */
export interface AzureUpstream {
  readonly protocol: UpstreamProtocol
  /** Below the origin of the resource. */
  readonly path: string
  readonly apiVersion?: string
}

export interface AzureUnderTest {
  readonly gateway: GatewayUnderTest
  readonly azure: FakeAzure
  /** Adds a model that is served by these deployments, each at an upstream, the first one first. */
  model(name: string, targets: readonly (readonly [AzureUpstream, deployment: string])[]): Promise<void>
  /** The secret of a new key, of an account with credit. */
  secret(): Promise<string>
  close(): Promise<void>
}

/** A gateway with a fake resource of Azure behind it. */
export async function azureUnderTest(
  deployments: FakeAzureOptions['deployments'],
  options: Omit<FakeAzureOptions, 'upstream' | 'deployments'> = {},
): Promise<AzureUnderTest> {
  const gateway = await gatewayUnderTest()
  const azure = await startFakeAzure({ upstream: gateway.fake.url, deployments, ...options })
  const ids = new Map<AzureUpstream, string>()
  const idOf = async (upstream: AzureUpstream): Promise<string> => {
    const known = ids.get(upstream)
    if (known !== undefined) return known
    const id = newId('ups', Date.now())
    ids.set(upstream, id)
    await putUpstream(gateway, { id, azure, upstream })
    return id
  }
  return {
    gateway,
    azure,
    async model(name, targets) {
      const now = Date.now()
      const list = []
      for (const [index, [upstream, model]] of targets.entries()) {
        list.push({ upstreamId: await idOf(upstream), model, priority: index, weight: 1 })
      }
      const limits = { contextTokens: 200_000, maxOutputTokens: 64_000 }
      const model = { id: newId('mdl', now), name, prices: TEST_PRICES, ...limits, targets: list, createdAt: now }
      await gateway.store.catalog.putModel({ ...model, isManaged: false })
    },
    secret: async () => (await gateway.key(await gateway.account())).secret,
    async close() {
      await gateway.close()
      azure.close()
    },
  }
}

async function putUpstream(
  { store }: GatewayUnderTest,
  { id, azure, upstream }: { readonly id: string; readonly azure: FakeAzure; readonly upstream: AzureUpstream },
): Promise<void> {
  const { protocol, path, apiVersion } = upstream
  const passage: RequestOverrides = { dialect: 'azure', ...(apiVersion === undefined ? {} : { apiVersion }) }
  await store.catalog.putUpstream({
    id,
    name: `azure-${id}`,
    protocol,
    baseUrl: azure.url + path,
    credentials: [unlimitedCredential(sealer(TEST_SECRET).seal(AZURE_KEY))],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    passage,
    isManaged: false,
  })
}
