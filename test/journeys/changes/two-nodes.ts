/** Two gateway processes on one PostgreSQL, the API of the first, and clients of the second. */
import { gatewayEnvironment, type GatewayProcess, startGatewayProcess } from '../../support/gateway-process.ts'
import { type FakeUpstream, startFakeUpstream } from '../../../tools/fake-upstream/fake-upstream.ts'

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const GROUP = 'measured'
export const UPSTREAM = 'main'
/** A model whose streams last longer than a change may take; a whole answer takes milliseconds. */
export const MODEL = 'fake/slow-chunks?chunks=150&delay_ms=8&input=100&output=100'
/** What it costs, in USD, times the multiplier of the group. */
export const COST_USD = 0.00125

export interface Answer {
  readonly status: number
  readonly requestId: string
  /** `x-tollgate-cost` */
  readonly cost: string | null
}

export interface TwoNodes {
  readonly fakes: readonly [FakeUpstream, FakeUpstream]
  /** What there is to change, by its path in the API. */
  readonly paths: Readonly<Record<'upstream' | 'model' | 'group' | 'key', string>>
  /** Changes something through the API of the first node. */
  change(path: string, body: object): Promise<void>
  /** A request to the second node; `isOfKey`: by the key that is changed, else by one that is not. */
  ask(options?: { readonly isOfKey?: boolean }): Promise<Answer>
  /** A stream at the second node that has begun; `rest` resolves with all of it. */
  stream(): Promise<{ readonly rest: Promise<string> }>
  close(): Promise<void>
}

export async function startTwoNodes(databaseUrl: string, directory: string): Promise<TwoNodes> {
  const environment = gatewayEnvironment(directory, {
    DATABASE_URL: databaseUrl,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_SECRET: 'the same secret for both of the nodes',
    TOLLGATE_DEMO: '0',
  })
  const fakes = [await startFakeUpstream(), await startFakeUpstream()] as const
  const nodes: GatewayProcess[] = []
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await Promise.all(fakes.map((fake) => fake.close()))
  }
  try {
    // One after the other: the first one makes the tables.
    for (let count = 0; count < 2; count++) nodes.push(await startGatewayProcess(environment))
    const [here = '', there = ''] = nodes.map(({ origin }) => origin)
    const api = new Api(here)
    const { paths, secrets } = await furnish(api, fakes)
    return {
      fakes,
      paths,
      change: async (path, body) => void (await api.send('PATCH', path, body)),
      async ask({ isOfKey = false } = {}) {
        const response = await call(there, isOfKey ? secrets.changed : secrets.other, { stream: false })
        await response.arrayBuffer()
        const { status, headers } = response
        return { status, requestId: headers.get('x-request-id') ?? '', cost: headers.get('x-tollgate-cost') }
      },
      async stream() {
        const response = await call(there, secrets.other, { stream: true })
        return { rest: response.text() }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** An upstream, a model at it, a group and two keys. */
async function furnish(api: Api, [fake]: TwoNodes['fakes']) {
  const upstream = { name: UPSTREAM, protocol: 'openai', base_url: `${fake.url}/v1`, credential: 'credential-0' }
  const upstreamId = await api.make('/api/upstreams', upstream)
  const modelId = await api.make('/api/models', {
    name: MODEL,
    price: { input: '2.5', output: '10' },
    context_tokens: 200_000,
    max_output_tokens: 4_000,
    targets: [{ upstream: UPSTREAM, model: MODEL }],
  })
  const groupId = await api.make('/api/groups', { name: GROUP })
  const accountId = await api.make('/api/accounts', { email: 'ada@example.test' })
  const credit = { amount: '1000', reason: 'for the test', kind: 'credit' }
  await api.send('POST', `/api/accounts/${accountId}/ledger`, credit)
  const key = (name: string) => api.send('POST', '/api/keys', { name, group: GROUP, account_id: accountId })
  const [changed, other] = [await key('changed'), await key('other')]
  return {
    paths: {
      upstream: `/api/upstreams/${upstreamId}`,
      model: `/api/models/${modelId}`,
      group: `/api/groups/${groupId}`,
      key: `/api/keys/${idOf(changed['key'])}`,
    },
    secrets: { changed: String(changed['secret']), other: String(other['secret']) },
  }
}

type Fields = Readonly<Record<string, unknown>>

class Api {
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns the id of what is made. */
  async make(path: string, body: object): Promise<string> {
    return idOf(await this.send('POST', path, body))
  }

  async send(method: 'POST' | 'PATCH', path: string, body: object): Promise<Fields> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    return JSON.parse(text) as Fields
  }
}

function call(origin: string, secret: string, { stream }: { stream: boolean }): Promise<Response> {
  return fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 2_000 }),
  })
}

function idOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : ''
}
