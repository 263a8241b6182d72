import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MintedKind } from '../../src/core/credential-kind.ts'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type FakeTokenServices, startFakeTokenServices } from '../../tools/fake-upstream/clouds/token-issuers.ts'
import { verifySigV4 } from '../../tools/fake-upstream/clouds/verify-sig-v4.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from './gateway-under-test.ts'

/** A server that takes what the fake services have issued, and hands good requests on to a fake upstream. */
export interface TokenFront {
  readonly url: string
  /** What was refused, by its words. */
  readonly refusals: string[]
  close(): Promise<void>
}

/** Starts a server; `upstream`: the origin of the fake upstream behind it. */
export async function startTokenFront(services: FakeTokenServices, upstream: string): Promise<TokenFront> {
  const refusals: string[] = []
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    services.book.sawProof({ request: { headers: request.headers } })
    const date = new Date(services.book.now()).toUTCString()
    const refusal = refusalOf(request, body, services)
    if (refusal !== null) {
      refusals.push(refusal.message)
      const head = { 'content-type': 'application/json', 'x-amzn-errortype': refusal.type, date }
      response.writeHead(refusal.status, head)
      return void response.end(JSON.stringify({ error: { message: refusal.message, code: 'invalid_api_key' } }))
    }
    const own = { 'content-type': 'application/json', authorization: 'Bearer upstream-credential-for-tests' }
    // Where Bedrock has the endpoints of OpenAI.
    const path = (request.url ?? '').replace(/^\/openai(?=\/v1\/)/, '')
    const answered = await fetch(upstream + path, {
      method: request.method ?? 'POST',
      headers: own,
      body,
    })
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '', date })
    response.end(Buffer.from(await answered.arrayBuffer()))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refusalOf(request: IncomingMessage, body: Buffer, { book }: FakeTokenServices) {
  const authorization = request.headers.authorization ?? ''
  if (authorization.startsWith('AWS4-')) {
    const arrived = { method: request.method ?? '', target: request.url ?? '', headers: request.headers, body }
    const keysOf = (id: string) => book.keysOf(id)
    const refusal = verifySigV4(arrived, { region: 'us-east-1', service: 'bedrock', nowMs: book.now(), keysOf })
    return refusal === null ? null : { status: 403, ...refusal }
  }
  const token = authorization.replace(/^Bearer /, '')
  // As providers do that are careless with what they were sent.
  return book.isGood(token)
    ? null
    : { status: 401, type: 'x', message: `The token ${token} is not known or has ended.` }
}

export interface MintedUnderTest {
  readonly gateway: GatewayUnderTest
  readonly services: FakeTokenServices
  readonly front: TokenFront
  /** Adds a model that is served with this credential; returns its upstream's id. */
  model(name: string, of: { kind: MintedKind; settings: Record<string, string>; secret?: string }): Promise<string>
  /** Sends a chat completion, or the same in Anthropic's protocol. */
  ask(model: string, protocol?: 'openai' | 'anthropic'): Promise<{ status: number; text: string }>
  /** What all processes know of the credential: why it is held, in whose words; null: it is not. */
  hold(upstreamId: string): Promise<string | null>
  close(): Promise<void>
}

/** A gateway whose credentials are minted by fakes of the services that do. `stub` sets a variable of this process. */
export async function mintedUnderTest(
  stub: (name: string, value: string) => void,
  environment: Record<string, string> = {},
): Promise<MintedUnderTest> {
  const services = await startFakeTokenServices()
  for (const [name, value] of Object.entries(services.environment)) stub(name, value)
  const own = { ...services.environment, TOLLGATE_IDENTITY_HOSTS: '127.0.0.1' }
  const gateway = await gatewayUnderTest({ environment: { ...own, ...environment } })
  const front = await startTokenFront(services, gateway.fake.url)
  const { secret } = await gateway.key(await gateway.account({ balance: '1000' }))
  return {
    gateway,
    services,
    front,
    async model(name, { kind, settings, secret: ofCredential = '' }) {
      const now = Date.now()
      const upstreamId = newId('ups', now)
      const sealed = unlimitedCredential(sealer(TEST_SECRET).seal(ofCredential))
      await gateway.store.catalog.putUpstream({
        id: upstreamId,
        name: `minted-${name}`,
        protocol: 'openai-chat',
        baseUrl: `${front.url}/v1`,
        connectTimeoutMs: null,
        firstByteTimeoutMs: null,
        timeoutMs: null,
        maxConcurrency: null,
        headers: {},
        isManaged: false,
        passage: { region: 'us-east-1' },
        credentials: [{ ...sealed, kind, settings }],
      })
      const targets = [{ upstreamId, model: 'fake/fixed?chunks=1&input=3&output=2', priority: 0, weight: 1 }]
      const limits = { contextTokens: 200_000, maxOutputTokens: 64_000, createdAt: now, isManaged: false }
      await gateway.store.catalog.putModel({ id: newId('mdl', now), name, prices: TEST_PRICES, targets, ...limits })
      return upstreamId
    },
    async ask(model, protocol = 'openai') {
      const path = protocol === 'openai' ? '/v1/chat/completions' : '/v1/messages'
      const response = await fetch(gateway.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }),
      })
      return { status: response.status, text: await response.text() }
    },
    async hold(upstreamId) {
      const states = await gateway.store.catalog.credentialStates()
      const hold = states.find((state) => state.upstreamId === upstreamId)?.hold
      return hold == null ? null : (hold.said ?? '')
    },
    async close() {
      await gateway.close()
      await front.close()
      await services.close()
    },
  }
}
