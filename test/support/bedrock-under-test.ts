import { newId } from '../../src/core/ids.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import {
  type FakeBedrock,
  type FakeBedrockOptions,
  startFakeBedrock,
} from '../../tools/fake-upstream/clouds/bedrock.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'

export const BEDROCK_API_KEY = 'bedrock-api-key-for-tests'
export const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'

export interface BedrockUnderTest {
  readonly gateway: GatewayUnderTest
  readonly bedrock: FakeBedrock
  /** A model on an upstream of the fake Bedrock with this protocol; its target has the same name unless one is given. */
  model(name: string, options?: { readonly protocol?: UpstreamProtocol; readonly target?: string }): Promise<void>
  close(): Promise<void>
}

/** A gateway with upstreams of a fake Bedrock, which it asks with an API key. */
export async function bedrockUnderTest(
  options: Pick<FakeBedrockOptions, 'onlyByProfile'> = {},
): Promise<BedrockUnderTest> {
  const gateway = await gatewayUnderTest()
  const bedrock = await startFakeBedrock({
    upstream: gateway.fake,
    apiKey: BEDROCK_API_KEY,
    region: 'eu-west-1',
    ...options,
  })
  const upstreamIds = new Map<UpstreamProtocol, string>()
  for (const protocol of ['anthropic', 'openai'] as const) {
    const id = newId('ups', Date.now())
    await gateway.store.catalog.putUpstream({
      id,
      name: `bedrock-${protocol}`,
      protocol,
      baseUrl: bedrock.url,
      credentials: [unlimitedCredential(sealer(TEST_SECRET).seal(BEDROCK_API_KEY))],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
      passage: { dialect: 'bedrock', region: 'eu-west-1' },
    })
    upstreamIds.set(protocol, id)
  }
  return {
    gateway,
    bedrock,
    model: (name, { protocol = 'anthropic', target = name } = {}) =>
      putModel(gateway, { name, target, upstreamId: upstreamIds.get(protocol) ?? '', prices: TEST_PRICES }),
    close: async () => {
      await gateway.close()
      await bedrock.close()
    },
  }
}

async function putModel(
  { store }: GatewayUnderTest,
  { name, target, upstreamId, prices }: { name: string; target: string; upstreamId: string; prices: TokenPrices },
): Promise<void> {
  await store.catalog.putModel({
    id: newId('mdl', Date.now()),
    name,
    prices,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    targets: [{ upstreamId, model: target, priority: 0, weight: 1 }],
    createdAt: Date.now(),
    isManaged: false,
  })
}
