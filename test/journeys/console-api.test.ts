import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { testPostgres } from '../support/test-servers.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type Environment, type GatewayProcess } from '../support/gateway-process.ts'
import { inSuite } from '../support/run/suite.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** One request to the console API as an admin's automation sends it. */
async function ask(origin: string, route: `${string} /${string}`, body?: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

/** The fault that a call of the key meets, or its status. */
async function call(origin: string, secret: string, model: string): Promise<string> {
  const answer = await sent(origin, secret, model)
  await answer.text()
  return answer.headers.get('x-tollgate-fault') ?? String(answer.status)
}

/** What the caller reads of the fault. */
async function messageOf(origin: string, secret: string, model: string): Promise<string> {
  const { error } = (await (await sent(origin, secret, model)).json()) as { error: { message: string } }
  return error.message
}

function sent(origin: string, secret: string, model: string): Promise<Response> {
  return fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
}

/** An OpenAI-like server that answers one sentence, and its list of models with the credential. */
async function anUpstream(): Promise<string> {
  const { url, close } = await scriptedUpstream((request, response) => {
    request.resume()
    if (request.headers.authorization !== 'Bearer right') {
      response.writeHead(401).end('{"error":{"message":"wrong credential"}}')
      return
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return void response.end('{"object":"list","data":[{"id":"x"}]}')
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'x', choices, usage }))
  })
  onTestFinished(close)
  return `${url}/v1`
}

const TWO_NODES = 'two nodes on postgres'
const KINDS = inSuite({ long: ['one node on sqlite', TWO_NODES] as const, short: [TWO_NODES] as const })

describe.for(KINDS)('a place set up over the API, %s', (kind) => {
  let environment: Environment = {}
  let drop = async () => {}

  beforeAll(async () => {
    environment = await freshEnvironment({ TOLLGATE_DEMO: '0', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN })
    if (kind === 'one node on sqlite') return
    const database = await testPostgres()
    environment = { ...environment, DATABASE_URL: database.url, TOLLGATE_SECRET: 'x7'.repeat(16) }
    drop = database.drop
  }, 900_000)
  afterAll(() => drop())

  /** The node that is asked for changes, and the one that is called. */
  async function nodes(): Promise<readonly [GatewayProcess, GatewayProcess]> {
    const first = await startGateway(environment)
    return [first, kind === 'one node on sqlite' ? first : await startGateway(environment)]
  }

  test('serves at once what was added, and refuses at once what was taken away, on every node', async () => {
    const baseUrl = await anUpstream()
    const [asked, called] = await nodes()
    const make = async (path: `/${string}`, body: object) => {
      const answer = await ask(asked.origin, `POST ${path}`, body)
      expect(answer, path).toMatchObject({ status: 201 })
      return answer.body
    }
    const change = async (method: string, path: `/${string}`, body?: object) => {
      const answer = await ask(asked.origin, `${method} ${path}`, body)
      expect([200, 204], `${method} ${path}`).toContain(answer.status)
      return answer.body
    }
    const upstream = await make('/api/upstreams', {
      name: 'main',
      protocol: 'openai',
      base_url: baseUrl,
      credential: 'wrong',
    })
    const tested = await ask(asked.origin, `POST /api/upstreams/${upstream.id}/test`)
    expect(tested.body).toMatchObject({ ok: false, status: 401 })
    await change('PATCH', `/api/upstreams/${upstream.id}`, { credential: 'right' })
    expect((await ask(asked.origin, `POST /api/upstreams/${upstream.id}/test`)).body).toMatchObject({
      ok: true,
      status: 200,
    })

    const price = { input: '1', output: '2' }
    const model = await make('/api/models', { name: 'm', price, targets: [{ upstream: 'main', model: 'x' }] })
    const group = await make('/api/groups', { name: 'members', models: ['m'] })
    const account = await make('/api/accounts', { email: 'ada@example.test' })
    await make(`/api/accounts/${account.id}/ledger`, { amount: '1', reason: 'a start' })
    const { secret, key } = await make('/api/keys', { name: 'laptop', group: 'members', account_id: account.id })
    const calls = () => call(called.origin, secret, 'm')
    expect(await calls()).toBe('200')

    await change('PATCH', `/api/groups/${group.id}`, { enabled: false })
    expect(await calls()).toBe('group_disabled')
    await change('PATCH', `/api/groups/${group.id}`, { enabled: true, open: false })
    expect(await calls()).toBe('group_forbidden')
    await make('/api/plans', { name: 'pro', groups: ['members'], days: 30, price: '20' })
    const subscription = await make(`/api/accounts/${account.id}/subscriptions`, { plan: 'pro' })
    expect(await calls()).toBe('200')
    await change('POST', `/api/subscriptions/${subscription.id}/cancel`)
    expect(await calls()).toBe('group_forbidden')
    await change('PATCH', `/api/groups/${group.id}`, { open: true })
    await change('PATCH', `/api/accounts/${account.id}`, { status: 'disabled' })
    expect(await calls()).toBe('account_disabled')
    await change('PATCH', `/api/accounts/${account.id}`, { status: 'active' })
    await change('PATCH', `/api/models/${model.id}`, { price: null })
    expect(await calls()).toBe('model_unpriced')
    const title = { en: 'A new database', 'zh-CN': '更换数据库' }
    const ends_at = '2100-01-02T03:04:05Z'
    const maintenance = await make('/api/announcements', { kind: 'maintenance', title, ends_at })
    const said = 'Maintenance until 2100-01-02 03:04 UTC: A new database'
    expect(await messageOf(called.origin, secret, 'm')).toContain(said)
    await change('DELETE', `/api/announcements/${maintenance.id}`)
    expect(await messageOf(called.origin, secret, 'm')).not.toContain('Maintenance')
    await change('DELETE', `/api/models/${model.id}`)
    expect(await calls()).toBe('model_unknown')

    const { body } = await ask(asked.origin, `GET /api/usage?account_id=${account.id}&key=${key.id}`)
    const served = body.data.filter(({ outcome }: { outcome: string }) => outcome === 'completed')
    expect(served).toMatchObject([
      { cost: '0.00002', paid_by_balance: '0', paid_by_subscriptions: [{ subscription_id: subscription.id }] },
      { cost: '0.00002', paid_by_balance: '0.00002', price_lines: [{ kind: 'input' }, { kind: 'output' }] },
    ])
    expect(await asked.stop()).toBe(0)
    if (called !== asked) expect(await called.stop()).toBe(0)
  })
})
