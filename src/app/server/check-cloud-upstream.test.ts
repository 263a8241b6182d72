import { expect, onTestFinished, test, vi } from 'vitest'
import { plainUpstream, upstreamInUse } from '../../../test/support/saved-upstream.ts'
import { startFakeAzure } from '../../../tools/fake-upstream/clouds/azure.ts'
import { startFakeBedrock } from '../../../tools/fake-upstream/clouds/bedrock.ts'
import { startFakeVertex } from '../../../tools/fake-upstream/clouds/vertex.ts'
import { systemClock } from '../../core/clock.ts'
import { createLogger } from '../../core/log.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import type { Authorizer } from '../../upstreams/cloud-upstream.ts'
import { MintedCredentials } from '../../upstreams/minted-credentials.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { askWhereListed } from './cloud-model-list.ts'
import { listUpstreamModels, lookAtUpstreamModels, testUpstream } from './check-upstream.ts'

type Minted = Pick<MintedCredentials, 'authorizer'>
interface Given extends Pick<Upstream, 'protocol' | 'baseUrl' | 'passage'> {
  readonly secret: string
  readonly credential?: Partial<Credential>
  readonly minted?: Minted
}

const UNUSED = 'http://127.0.0.1:9'

/** A saved upstream, as the gateway holds it. */
function saved({ secret, credential, minted, ...of }: Given): Promise<UpstreamInUse> {
  const credentials = [{ ...unlimitedCredential(secret), ...credential }]
  return upstreamInUse(plainUpstream({ credentials, ...of }), minted)
}

/** What each of those who ask a saved upstream for its models hears. */
async function heardOf(upstream: UpstreamInUse): Promise<readonly object[]> {
  return [
    await testUpstream(upstream, systemClock),
    await listUpstreamModels(upstream, systemClock),
    (await lookAtUpstreamModels(upstream, systemClock)?.()) ?? {},
  ]
}

function listed(names: readonly string[]): readonly object[] {
  const list = { isGood: true, result: 'listed', listed: { names, isWhole: true } }
  return [{ isGood: true, result: 'listed', provesCredential: true }, list, list]
}

const REFUSED = { isGood: false, result: 'credential_refused' }

/** The list of models of Azure's v1 API was taken for what is deployed by langflow-ai/langflow#14023 and janhq/jan#8835. */
test.for([
  ['openai', '/openai/v1', {}, ['gpt']],
  ['openai-chat', '/openai', { apiVersion: '2024-10-21' }, ['gpt']],
  ['anthropic', '/anthropic/v1', {}, ['claude']],
] as const)('a saved upstream of Azure for %s lists its deployments', async ([protocol, path, settings, names]) => {
  const deployments = {
    gpt: { model: 'fake/echo', base: 'gpt-5' },
    claude: { model: 'fake/echo', base: 'claude-sonnet-4-5' },
  }
  const azure = await startFakeAzure({ upstream: UNUSED, deployments })
  onTestFinished(() => azure.close())
  const of = { protocol, baseUrl: azure.url + path, passage: { dialect: 'azure', ...settings } } as const
  expect(await heardOf(await saved({ ...of, secret: 'azure-key' }))).toMatchObject(listed(names))
  const other = await saved({ ...of, secret: 'another-key' })
  expect(await heardOf(other)).toMatchObject([REFUSED, REFUSED, REFUSED])
})

test('a saved upstream of Bedrock lists models and profiles of its region, to a key and to signed requests', async () => {
  const keys = { AKIDEXAMPLE: { secretAccessKey: 'a secret', sessionToken: null } }
  const bedrock = await startFakeBedrock({
    upstream: { url: UNUSED },
    region: 'eu-west-1',
    apiKey: 'bedrock-key',
    keys,
  })
  onTestFinished(() => bedrock.close())
  const passage = { dialect: 'bedrock', region: 'eu-west-1' } as const
  const of = { protocol: 'anthropic', baseUrl: bedrock.url, passage } as const
  const names = ['anthropic.claude-3-haiku-20240307-v1:0', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0']
  expect(await heardOf(await saved({ ...of, secret: 'bedrock-key' }))).toMatchObject(listed(names))
  const credential = { kind: 'aws', settings: { access_key_id: 'AKIDEXAMPLE' } } as const
  const signed = { ...of, credential, minted: minting() }
  expect(await heardOf(await saved({ ...signed, secret: 'a secret' }))).toMatchObject(listed(names))
  expect(await listUpstreamModels(await saved({ ...signed, secret: 'another' }), systemClock)).toMatchObject(REFUSED)
})

test('requests for the lists of Bedrock are signed for the host that has them', async () => {
  const upstream = { id: 'ups_1', name: 'main', protocol: 'anthropic' } as const
  const credential = { name: 'default', sealedSecret: '', kind: 'aws', settings: { access_key_id: 'AKID' } } as const
  const signerOf = (host: string) => {
    const of = { ...upstream, baseUrl: `https://${host}.us-east-1.amazonaws.com` }
    return minting().authorizer({ upstream: of, credential, secret: 'a secret' }, UNHEARD)
  }
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const request = { method: 'GET', path: '/foundation-models', headers: {}, body: [] } as const
  const own = await signerOf('bedrock').headers(request)
  const serving = signerOf('bedrock-runtime')
  expect(await serving.headers(request)).not.toEqual(own)
  expect(await serving.at?.('https://bedrock.us-east-1.amazonaws.com').headers(request)).toEqual(own)
})

test('a saved upstream of Vertex AI lists all pages of its publisher, to a key and to a token that stays in use', async () => {
  const vertex = await startFakeVertex({
    upstream: UNUSED,
    apiKey: 'google-key',
    takesToken: (token) => token === 'a-token',
  })
  onTestFinished(() => vertex.close())
  const baseUrl = `${vertex.url}/v1/projects/fake-project/locations/global`
  const of = { protocol: 'gemini', baseUrl, passage: { dialect: 'vertex' } } as const
  const names = ['gemini-2.5-flash', 'gemini-3-pro']
  expect(await heardOf(await saved({ ...of, secret: 'google-key' }))).toMatchObject(listed(names))
  const close = vi.fn<Authorizer['close']>()
  const authorizer = (): Authorizer => ({
    headers: () => ({ authorization: 'Bearer a-token' }),
    at: authorizer,
    close,
  })
  const upstream = await saved({ ...of, secret: 'a private key', credential: { kind: 'gcp' }, minted: { authorizer } })
  expect(await heardOf(upstream)).toMatchObject(listed(names))
  expect(close).not.toHaveBeenCalled()
  expect(JSON.stringify(vertex.requests.map(({ headers }) => headers))).not.toContain('a private key')
})

test('where a cloud has no list, that is what is said, and nothing is asked', async () => {
  const upstream = await saved({
    protocol: 'gemini',
    baseUrl: `${UNUSED}/v1/projects/p/locations/global`,
    passage: { dialect: 'vertex' },
    secret: 'google-key',
  })
  const none = { isGood: false, status: null, result: 'no_list', said: null, listed: null }
  expect(await listUpstreamModels({ ...upstream, cloudList: null }, systemClock)).toMatchObject({
    ...none,
    detail: 'The cloud has no list of models: a test request proves address and credential.',
  })
})

test('a page of a list at another host is not asked for', async () => {
  const asked: string[] = []
  const client: UpstreamClient = {
    send({ path }, handler) {
      asked.push(path)
      setImmediate(() => {
        handler.onHead(200, { 'content-type': 'application/json' })
        handler.onData(Buffer.from(JSON.stringify({ name: `m${asked.length}` })))
        handler.onEnd()
      })
      return { isSent: true, pause: () => {}, resume: () => {}, abort: () => {} }
    },
    close: async () => {},
  }
  const nexts = ['https://cloud.example.com/2', 'https://collector.example.com/3']
  const listing = {
    url: 'https://cloud.example.com/1',
    read: (body: unknown) => ({ names: [(body as { name: string }).name], nextUrl: nexts.shift() ?? null }),
  }
  const answer = await askWhereListed(listing, { client, protocol: 'gemini', secrets: [] }, { limitMs: 1_000 })
  expect(answer).toMatchObject({ isGood: true, listed: { names: ['m1', 'm2'], isWhole: false } })
  expect(asked).toEqual(['/1', '/2'])
})

const UNHEARD = { onFailure: () => {}, onRecovered: () => {}, onSecrets: () => {} }

/** Mints as a node does, for itself. */
function minting(): MintedCredentials {
  return new MintedCredentials({
    clock: systemClock,
    random: Math.random,
    store: null,
    sealer: { seal: (text) => text, open: (sealed) => sealed },
    holder: 'node',
    machine: { environment: {}, tokenFiles: [], tokenHosts: [] },
    log: createLogger('silent'),
  })
}
