import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sealer } from '../../src/core/secret-box.ts'
import type { Credential } from '../../src/routing/credential.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

// Which credential of its upstream a stored response is asked for with.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

/** An upstream that keeps what it answers, with a pool of credentials. */
interface Keeper {
  readonly model: string
  /** The credentials of requests for answers, and of those for what is stored. */
  readonly made: string[]
  readonly lookedUp: string[]
  /** Refused with 401: for everything, or for what is stored alone. */
  readonly refused: Set<string>
  readonly refusedLookups: Set<string>
  /** Upstreams that find nothing that is stored. */
  readonly lacking: Set<string>
}

async function keeper(credentials: Readonly<Record<string, Partial<Credential>>>): Promise<Keeper> {
  const of: Keeper = {
    model: `kept-${++models}`,
    made: [],
    lookedUp: [],
    refused: new Set(),
    refusedLookups: new Set(),
    lacking: new Set(),
  }
  const upstream = await scriptedUpstream((request, response) => {
    request.resume()
    const name = request.headers.authorization?.replace('Bearer sk-', '') ?? 'none'
    const isLookup = request.url !== '/v1/responses'
    const asked = isLookup ? of.lookedUp : of.made
    asked.push(name)
    const isRefused = of.refused.has(name) || (isLookup && of.refusedLookups.has(name))
    const isLacking = isLookup && of.lacking.has(name)
    response.writeHead(isRefused ? 401 : isLacking ? 404 : 200, { 'content-type': 'application/json' })
    if (isRefused || isLacking) return void response.end('{"error":{"message":"No.","type":"invalid_request_error"}}')
    const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
    const output = [{ id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', status: 'completed', content }]
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    response.end(JSON.stringify({ id: `resp_${randomUUID()}`, object: 'response', status: 'completed', output, usage }))
  })
  onTestFinished(() => upstream.close())
  const pool = poolOf(credentials)
  await putModelOf(gateway.store, {
    name: of.model,
    targets: [{ port: upstream.port, settings: { credentials: pool } }],
  })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${of.model}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return of
}

function poolOf(credentials: Readonly<Record<string, Partial<Credential>>>): readonly Credential[] {
  return Object.entries(credentials).map(([name, more]) => ({
    ...unlimitedCredential(sealer(TEST_SECRET).seal(`sk-${name}`), name),
    ...more,
  }))
}

/** Has a response made, of which it is not known which of these realms keeps it: as after a restart. */
async function makeForgotten(of: Keeper, credentials: Readonly<Record<string, Partial<Credential>>>): Promise<string> {
  const id = await make(of)
  const { catalog } = gateway.store
  const upstream = (await catalog.upstreams()).find(({ name }) => name === `${of.model}-0`)
  if (upstream === undefined) throw new Error('the upstream of the model is there')
  await catalog.putUpstream({ ...upstream, credentials: poolOf(credentials) })
  const names = Object.keys(credentials)
  const asksThem = async () => {
    await lookUp(id)
    return names.includes(of.lookedUp.at(-1) ?? '')
  }
  await expect.poll(asksThem, { timeout: PATIENCE_MS }).toBe(true)
  of.lookedUp.length = 0
  return id
}

/** Has a response made, in a session of its own, and returns its id. */
async function make({ model }: Keeper): Promise<string> {
  const response = await fetch(`${gateway.origin}/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-tollgate-session': randomUUID(),
    },
    body: JSON.stringify({ model, input: 'hello' }),
  })
  const { id } = (await response.json()) as { id: string }
  expect(response.status).toBe(200)
  return id
}

async function lookUp(id: string, { method = 'GET', part = '' } = {}) {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${gateway.origin}/v1/responses/${id}${part}`, { method, headers })
  await response.text()
  return { status: response.status, fault: response.headers.get('x-tollgate-fault') }
}

test('what is asked of a stored response is asked with a credential that is not held', async () => {
  const of = await keeper({ 'a-bad': {}, 'b-good': {} })
  of.refused.add('a-bad')
  let id = await make(of)
  while (!of.made.includes('a-bad')) id = await make(of)
  expect(await lookUp(id)).toMatchObject({ status: 200 })
  expect(await lookUp(id, { method: 'POST', part: '/cancel' })).toMatchObject({ status: 200 })
  expect(await lookUp(id, { method: 'DELETE' })).toMatchObject({ status: 200 })
  expect(of.lookedUp).toEqual(['b-good', 'b-good', 'b-good'])
})

test('nor with one that has expired', async () => {
  const of = await keeper({ 'a-old': { expiresAt: Date.now() - 1 }, 'b-good': {} })
  expect(await lookUp(await make(of))).toMatchObject({ status: 200 })
  expect(of.lookedUp).toEqual(['b-good'])
})

test('where it is refused, at most two others are asked, each once, and none is held for it', async () => {
  const names = ['a', 'b', 'c', 'd']
  const of = await keeper(Object.fromEntries(names.map((name) => [name, {}])))
  const id = await make(of)
  of.refusedLookups.add('a')
  expect(await lookUp(id)).toMatchObject({ status: 200 })
  expect(of.lookedUp).toEqual(['a', 'b'])
  for (const name of names) of.refusedLookups.add(name)
  expect(await lookUp(id)).toEqual({ status: 502, fault: 'upstream_unavailable' })
  expect(of.lookedUp.slice(2)).toEqual(['a', 'b', 'c'])
})

test('the credential that the response was made with is asked first, and then others of its realm alone', async () => {
  const of = await keeper({
    a1: { realm: 'a' },
    a2: { realm: 'a' },
    b1: { realm: 'b' },
    b2: { realm: 'b' },
  })
  const ids = new Map<string, string>()
  while (ids.size < 4) {
    const id = await make(of)
    ids.set(of.made.at(-1) ?? '', id)
  }
  for (const [name, id] of ids) {
    expect(await lookUp(id)).toMatchObject({ status: 200 })
    expect(of.lookedUp.splice(0)).toEqual([name])
  }
  of.refusedLookups.add('b2')
  expect(await lookUp(ids.get('b2') ?? '')).toMatchObject({ status: 200 })
  expect(of.lookedUp.splice(0)).toEqual(['b2', 'b1'])
  of.refusedLookups.add('b1')
  expect(await lookUp(ids.get('b2') ?? '')).toMatchObject({ status: 502 })
  expect(of.lookedUp).toEqual(['b2', 'b1'])
})

test('where its realm is not known, as after a restart, one of each other realm is asked before it is said not to be there', async () => {
  const of = await keeper({ gone: { realm: 'gone' } })
  const realms = { a1: { realm: 'a' }, a2: { realm: 'a' }, b: { realm: 'b' }, c: { realm: 'c' }, d: { realm: 'd' } }
  const id = await makeForgotten(of, realms)
  of.lacking.add('a1').add('a2')
  expect(await lookUp(id)).toEqual({ status: 200, fault: null })
  expect(of.lookedUp.splice(0)).toEqual(['a1', 'b'])
  for (const name of ['b', 'c', 'd']) of.lacking.add(name)
  expect(await lookUp(id)).toEqual({ status: 404, fault: 'path_unknown' })
  expect(of.lookedUp.splice(0)).toEqual(['a1', 'b', 'c'])
  // A realm that refused its credential may keep it.
  of.refusedLookups.add('b')
  expect(await lookUp(id)).toEqual({ status: 502, fault: 'upstream_unavailable' })
  expect(of.lookedUp.splice(0)).toEqual(['a1', 'b', 'c'])
})

test('where its realm is known, no other is asked for what that one does not keep', async () => {
  const of = await keeper({ a: { realm: 'a' }, b: { realm: 'b' } })
  const id = await make(of)
  of.lacking.add('a').add('b')
  expect(await lookUp(id)).toEqual({ status: 404, fault: 'path_unknown' })
  expect(of.lookedUp).toHaveLength(1)
})

test('where all of them are disabled, none is asked, and it is said that the gateway’s credential is to blame', async () => {
  const of = await keeper({ one: {} })
  const id = await make(of)
  const upstream = (await gateway.store.catalog.upstreams()).find(({ name }) => name === `${of.model}-0`)
  await gateway.store.catalog.changeCredential({ upstreamId: upstream?.id ?? '', name: 'one', isDisabled: true })
  await expect.poll(async () => (await lookUp(id)).status, { timeout: PATIENCE_MS }).toBe(502)
  const asked = of.lookedUp.length
  expect(await lookUp(id)).toEqual({ status: 502, fault: 'upstream_unavailable' })
  expect(of.lookedUp).toHaveLength(asked)
  expect(of.lookedUp).not.toContain('none')
})
