import { newId } from '../../src/core/ids.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { Credential } from '../../src/routing/credential.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import {
  type FakeBedrock,
  type FakeBedrockOptions,
  startFakeBedrock,
} from '../../tools/fake-upstream/clouds/bedrock.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'

const BEDROCK_API_KEY = 'bedrock-api-key-for-tests'
export const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'

type BedrockAccess = 'anthropic' | 'openai' | 'signed' | 'converse' | 'converse-signed'

export interface BedrockUnderTest {
  readonly gateway: GatewayUnderTest
  readonly bedrock: FakeBedrock
  /** A model on one of the upstreams of the fake Bedrock; its target has the same name unless one is given. */
  model(name: string, options?: { readonly by?: BedrockAccess; readonly target?: string }): Promise<void>
  close(): Promise<void>
}

const ACCESS_KEY = { id: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-access-key-for-tests' }

/** A gateway with upstreams of a fake Bedrock: `signed` ones sign by an access key, the others send an API key. */
export async function bedrockUnderTest(
  options: Pick<FakeBedrockOptions, 'onlyByProfile' | 'withoutBetas'> = {},
): Promise<BedrockUnderTest> {
  const gateway = await gatewayUnderTest()
  const bedrock = await startFakeBedrock({
    upstream: gateway.fake,
    apiKey: BEDROCK_API_KEY,
    region: 'eu-west-1',
    keys: { [ACCESS_KEY.id]: { secretAccessKey: ACCESS_KEY.secretAccessKey, sessionToken: null } },
    ...options,
  })
  const box = sealer(TEST_SECRET)
  const apiKey = unlimitedCredential(box.seal(BEDROCK_API_KEY))
  const signing: Credential = {
    ...unlimitedCredential(box.seal(ACCESS_KEY.secretAccessKey)),
    kind: 'aws',
    settings: { source: 'keys', access_key_id: ACCESS_KEY.id },
  }
  const put = async (name: string, protocol: UpstreamProtocol, credential: Credential): Promise<string> => {
    const id = newId('ups', Date.now())
    await gateway.store.catalog.putUpstream({
      id,
      name,
      protocol,
      baseUrl: bedrock.url,
      credentials: [credential],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
      passage: { dialect: 'bedrock', region: 'eu-west-1' },
    })
    return id
  }
  const upstreamIds: Readonly<Record<BedrockAccess, string>> = {
    anthropic: await put('bedrock-anthropic', 'anthropic', apiKey),
    openai: await put('bedrock-openai', 'openai', apiKey),
    signed: await put('bedrock-signed', 'anthropic', signing),
    converse: await put('bedrock-converse', 'converse', apiKey),
    'converse-signed': await put('bedrock-converse-signed', 'converse', signing),
  }
  return {
    gateway,
    bedrock,
    model: (name, { by = 'anthropic', target = name } = {}) =>
      putModel(gateway, { name, target, upstreamId: upstreamIds[by], prices: TEST_PRICES }),
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
