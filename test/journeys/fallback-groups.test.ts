import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { Group } from '../../src/access/group.ts'
import { newId } from '../../src/core/ids.ts'
import { parseMultiplier } from '../../src/core/money.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// A request whose first group has no target that answers goes on in the next group of its key, at the multiplier of that one.

let gateway: GatewayUnderTest
let account: Account
const ids: Record<string, string> = {}
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  account = await gateway.account({ balance: '10' })
  for (const [name, multiplier] of [
    ['first', '1'],
    ['second', '3'],
    ['third', '0.5'],
    ['free', '0'],
  ] as const) {
    ids[name] = await putGroup(name, multiplier)
  }
})
afterAll(() => gateway.close())

async function putGroup(name: string, multiplier: string, more: Partial<Group> = {}): Promise<string> {
  const id = newId('grp', Date.now())
  const settings = { models: ['*'], isEnabled: true, isOpen: true, isManaged: false, ...more }
  await gateway.store.groups.putGroup({ id, name, multiplier: parseMultiplier(multiplier), ...settings })
  return id
}

const failing: Script = (request, response) => {
  request.resume()
  response.writeHead(500, { 'content-type': 'application/json' })
  response.end('{}')
}

/** Streams one word, or answers whole. */
const answering: Script = (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    if (!Buffer.concat(pieces).includes('"stream":true')) return well(request, response)
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...more })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: 'stop' }] }))
    response.end(`${chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`)
  })
}

/** A target for each group, or for several (`a+b`), in their order. */
async function put(
  name: string,
  ...groups: readonly (readonly [string, Script, UpstreamProtocol?])[]
): Promise<readonly ScriptedUpstream[]> {
  const all = await Promise.all(groups.map(([, script]) => scriptedUpstream(script)))
  onTestFinished(() => all.forEach((upstream) => upstream.close()))
  const targets = groups.map(([group, , protocol = 'openai'], at) => ({
    protocol,
    port: all[at]?.port ?? 0,
    more: { groupIds: group.split('+').map((each) => ids[each] ?? each) },
    settings: { credentials: [unlimitedCredential(sealer(TEST_SECRET).seal('sk-upstream'), 'only')] },
  }))
  await putModelOf(gateway.store, { name, targets })
  const probe = await keyOf('first', ['second', 'third', 'free'])
  const isKnown = async () =>
    (await fetch(`${gateway.origin}/v1/models/${name}`, { headers: { authorization: `Bearer ${probe}` } })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return all
}

async function keyOf(first: string, fallbacks: readonly string[], of = account): Promise<string> {
  const id = (name: string) => ids[name] ?? name
  return (await gateway.key(of, { groupId: id(first), fallbackGroupIds: fallbacks.map(id) })).secret
}

async function call(
  secret: string,
  model: string,
  more: { readonly path?: string; readonly [field: string]: unknown } = {},
) {
  const { path = '/v1/chat/completions', ...fields } = more
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }], ...fields }),
  })
  const text = await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  return { status: answer.status, text, id, fault: answer.headers.get('x-tollgate-fault') }
}

async function record(id: string) {
  await expect.poll(() => gateway.store.usage.record(id), { timeout: PATIENCE_MS }).not.toBeNull()
  return gateway.store.usage.record(id)
}

test.each([false, true])(
  'where the first group’s targets are dead the next group’s answers and is paid at its multiplier (stream: %s)',
  async (stream) => {
    const name = `dead-${stream}`
    const [dead, alive] = await put(name, ['first', failing], ['second', answering])
    const plain = await put(`plain-${stream}`, ['second', answering])
    const secret = await keyOf('first', ['second'])
    const answer = await call(secret, name, { stream })
    expect([answer.status, answer.text.includes('hello'), dead?.asked, alive?.asked]).toEqual([200, true, 1, 1])
    const found = await record(answer.id)
    expect(found).toMatchObject({
      groupName: 'second',
      groupId: ids['second'],
      multiplier: parseMultiplier('3'),
      upstreamName: `${name}-1`,
      outcome: 'completed',
      routeTrace: `${name}-0=t;${name}-1=t`,
    })
    expect(found?.attempts.map(({ fault }) => fault)).toEqual(['upstream_unavailable', null])
    const asSecond = await record((await call(await keyOf('second', []), `plain-${stream}`, { stream })).id)
    expect([found?.cost, found?.balancePaid]).toEqual([asSecond?.cost, asSecond?.cost])
    expect(plain[0]?.asked).toBe(1)
  },
)

test('a key without fallback groups, and one whose next group serves it no better, fails as before', async () => {
  const [dead, alive] = await put('alone', ['first', failing], ['second', well])
  expect(await call(await keyOf('first', []), 'alone')).toMatchObject({ status: 502, fault: 'upstream_unavailable' })
  expect(await call(await keyOf('first', ['third']), 'alone')).toMatchObject({ status: 502 })
  expect([dead?.asked, alive?.asked]).toEqual([2, 0])
})

test('groups follow in the key’s order, no target is asked twice, and three attempts are all there are', async () => {
  const [first, second, third] = await put('order', ['first+second', failing], ['second', failing], ['third', well])
  const answer = await call(await keyOf('first', ['second', 'third']), 'order')
  expect([answer.status, first?.asked, second?.asked, third?.asked]).toEqual([200, 1, 1, 1])
  expect(await record(answer.id)).toMatchObject({ groupName: 'third', multiplier: parseMultiplier('0.5') })
})

test('while the first group’s targets rest the next group is charged at once', async () => {
  const busy: Script = (request, response) => {
    request.resume()
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '50' })
    response.end('{}')
  }
  const [resting, alive] = await put('resting', ['first', busy], ['second', well])
  const secret = await keyOf('first', ['second'])
  expect((await call(secret, 'resting')).status).toBe(200)
  const answer = await call(secret, 'resting')
  expect([answer.status, resting?.asked, alive?.asked]).toEqual([200, 1, 2])
  const found = await record(answer.id)
  expect(found).toMatchObject({ groupName: 'second' })
  expect(found?.routeTrace).toMatch(/^resting-1=t;resting-0=c\d+$/)
})

test('a group of which the price cannot be held is not entered: the caller hears how the first group failed', async () => {
  const poor = await gateway.account({ balance: '0.0003' })
  const [dead, alive] = await put('dear', ['first', failing], ['second', well])
  const secret = await keyOf('first', ['second'], poor)
  // So much is held in the first group, and three times that in the second.
  const answer = await call(secret, 'dear')
  expect(answer).toMatchObject({ status: 502, fault: 'upstream_unavailable' })
  expect([dead?.asked, alive?.asked]).toEqual([1, 0])
  expect(await record(answer.id)).toMatchObject({ groupName: 'first', outcome: 'failed', cost: 0n })
  expect(await gateway.balance(poor)).toBe('0.0003')
})

test('a subscription pays in the groups that it covers alone, whichever of them answers', async () => {
  const subscriber = await gateway.account({ balance: '0.1' })
  await put('covered', ['first', failing], ['second', well])
  const subscription = {
    id: newId('sub', Date.now()),
    accountId: subscriber.id,
    planId: 'pln_test',
    planName: 'pro',
    groupIds: [ids['first'] ?? ''],
    opensGroups: true,
    quotas: [],
    startsAt: Date.now() - 1_000,
    endsAt: Date.now() + 3_600_000,
    cancelledAt: null,
    createdAt: Date.now(),
  }
  await gateway.store.subscriptions.open(subscription)
  const away = await record((await call(await keyOf('first', ['second'], subscriber), 'covered')).id)
  expect(away).toMatchObject({ groupName: 'second', balancePaid: away?.cost, subscriptionsPaid: [] })
  const into = await keyOf('second', ['first'], subscriber)
  await put('covers', ['second', failing], ['first', well])
  const back = await record((await call(into, 'covers')).id)
  expect(back).toMatchObject({
    groupName: 'first',
    balancePaid: 0n,
    subscriptionsPaid: [{ subscriptionId: subscription.id, paid: back?.cost }],
  })
})

test('a request that costs nothing in the first group is paid in the next, and the other way round', async () => {
  await put('from-free', ['free', failing], ['second', well])
  const paid = await record((await call(await keyOf('free', ['second']), 'from-free')).id)
  expect(paid?.cost).toBeGreaterThan(0n)
  expect(paid).toMatchObject({ groupName: 'second', balancePaid: paid?.cost })
  await put('to-free', ['second', failing], ['free', well])
  const free = await record((await call(await keyOf('second', ['free']), 'to-free')).id)
  expect(free).toMatchObject({ groupName: 'free', cost: 0n, balancePaid: 0n, outcome: 'completed' })
})

test('an answer of another group is not kept for the first one, and what a request may run and count stays one', async () => {
  ids['keeping'] = await putGroup('keeping', '0', {
    cache: { ttlSeconds: 60, price: parseMultiplier('0.1'), isShared: false, since: 1 },
  })
  const [dead, alive] = await put('kept', ['keeping', failing], ['second', well])
  const { key, secret } = await gateway.key(account, {
    groupId: ids['keeping'],
    fallbackGroupIds: [ids['second'] ?? ''],
    rateLimit: { concurrency: 1, requestsPerMinute: 2, tokensPerMinute: null, spend: [] },
  })
  for (const asked of [1, 2]) {
    expect((await call(secret, 'kept')).status).toBe(200)
    expect(alive?.asked).toBe(asked)
  }
  expect(await call(secret, 'kept')).toMatchObject({ status: 429, fault: 'rate_limited' })
  expect([dead?.asked, key.fallbackGroupIds.length]).toEqual([2, 1])
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})

test('a first group whose targets cannot be asked in the request’s protocol leaves it to the next, which is paid', async () => {
  const [messages, all] = await put('other-wire', ['first', failing, 'anthropic'], ['second', well])
  const secret = await keyOf('first', ['second'])
  const answer = await call(secret, 'other-wire', { prompt: 'hi', path: '/v1/completions' })
  expect([answer.status, messages?.asked, all?.asked]).toEqual([200, 0, 1])
  expect(await record(answer.id)).toMatchObject({ groupName: 'second', multiplier: parseMultiplier('3') })
  const alone = await call(await keyOf('first', []), 'other-wire', { prompt: 'hi', path: '/v1/completions' })
  expect([alone.status, alone.fault]).toEqual([400, 'request_invalid'])
})

test('what the first group’s targets cannot carry goes to the next group that can, and is refused by the first’s name where none can', async () => {
  const [cannot, nor, can] = await put(
    'not-carried',
    ['first', failing, 'anthropic'],
    ['second', failing, 'anthropic'],
    ['third', well],
  )
  const asked = { frequency_penalty: 1 }
  const answer = await call(await keyOf('first', ['second', 'third']), 'not-carried', asked)
  expect([answer.status, cannot?.asked, nor?.asked, can?.asked]).toEqual([200, 0, 0, 1])
  expect(await record(answer.id)).toMatchObject({ groupName: 'third' })
  const refused = await call(await keyOf('first', ['second']), 'not-carried', asked)
  expect([refused.status, refused.fault]).toEqual([400, 'request_invalid'])
  expect(refused.text).toContain('frequency_penalty')
})
