import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { newId } from '../../src/core/ids.ts'
import { parseMultiplier } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// What an account pays that has a multiplier of its own in a group: less than others there, and never more.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
let groupId: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  upstream = await scriptedUpstream((request, response) => {
    request.resume()
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
  })
  groupId = newId('grp', Date.now())
  await gateway.store.groups.putGroup(shared('1'))
  await putModelOf(gateway.store, { name: 'sold', targets: [{ port: upstream.port }] })
})
afterAll(async () => {
  upstream.close()
  await gateway.close()
})

function shared(multiplier: string) {
  const settings = { models: ['sold'], isEnabled: true, isOpen: true, isManaged: false }
  return { id: groupId, name: 'shared', multiplier: parseMultiplier(multiplier), ...settings }
}

async function ask(method: 'GET' | 'PATCH', path: string, body?: unknown) {
  const response = await fetch(`${gateway.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

const setOwn = ({ id }: Account, multiplier: string | null) =>
  ask('PATCH', `/api/accounts/${id}`, {
    multipliers: multiplier === null ? [] : [{ group: 'shared', multiplier }],
  })

/** The multiplier that the record of a request has. */
async function multiplierOf(secret: string): Promise<bigint | null | undefined> {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sold', messages: [{ role: 'user', content: 'hi' }] }),
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  const id = answer.headers.get('x-request-id') ?? ''
  const record = () => gateway.store.usage.record(id)
  await expect.poll(record, { timeout: PATIENCE_MS }).toMatchObject({ outcome: 'completed' })
  return (await record())?.multiplier
}

async function priceFor(secret: string) {
  const answer = await fetch(`${gateway.origin}/v1/models/sold`, { headers: { authorization: `Bearer ${secret}` } })
  return ((await answer.json()) as { pricing?: { input: string } }).pricing?.input
}

test('an account pays its own multiplier from the call that sets it, whichever key it uses, and others do not', async () => {
  const [ada, bob] = [await gateway.account({ balance: '1000' }), await gateway.account({ balance: '1000' })]
  const direct = await gateway.key(ada, { groupId })
  const bare = newId('grp', Date.now())
  await gateway.store.groups.putGroup({ ...shared('1'), id: bare, name: 'bare', models: ['another'] })
  const fallback = await gateway.key(ada, { groupId: bare, fallbackGroupIds: [groupId] })
  const other = await gateway.key(bob, { groupId })
  await expect.poll(() => priceFor(direct.secret), { timeout: PATIENCE_MS }).toBeDefined()
  const whole = await priceFor(direct.secret)
  const before = await gateway.store.ledger.balance(ada.id)

  expect(await multiplierOf(direct.secret)).toBe(parseMultiplier('1'))
  const paidWhole = before - (await gateway.store.ledger.balance(ada.id))
  expect(await setOwn(ada, '0.25')).toMatchObject({ status: 200 })
  expect(await multiplierOf(direct.secret)).toBe(parseMultiplier('0.25'))
  const paidOwn = before - paidWhole - (await gateway.store.ledger.balance(ada.id))
  // Rounded up to a whole nano-USD.
  expect([paidWhole > 0n, paidOwn]).toEqual([true, (paidWhole + 3n) / 4n])
  expect(await multiplierOf(other.secret)).toBe(parseMultiplier('1'))
  expect(Number(await priceFor(direct.secret)) * 4).toBeCloseTo(Number(whole), 12)
  expect(await priceFor(other.secret)).toBe(whole)

  const [own, ofBob] = await Promise.all([direct, other].map(({ key }) => ask('GET', `/api/keys/${key.id}`)))
  expect([own?.body.group_multiplier, ofBob?.body.group_multiplier]).toEqual(['0.25', '1'])
  const explained = await ask('GET', `/api/route?key=${fallback.key.id}&model=sold`)
  expect(explained.body).toMatchObject({ group: 'shared', multiplier: '0.25' })
  expect(await multiplierOf(fallback.secret)).toBe(parseMultiplier('0.25'))

  // What the effect of another multiplier of the group is worked out from.
  const use = (await ask('GET', '/api/groups/use')).body.data.find(({ id }: { id: string }) => id === groupId)
  expect(use.own_multipliers).toEqual([{ multiplier: '0.25', charged: expect.stringMatching(/^0\.\d*[1-9]/) }])

  // The lower of both counts.
  await gateway.store.groups.putGroup(shared('0.125'))
  await expect.poll(() => multiplierOf(direct.secret), { timeout: PATIENCE_MS }).toBe(parseMultiplier('0.125'))
  await gateway.store.groups.putGroup(shared('1'))
  await expect.poll(() => multiplierOf(other.secret), { timeout: PATIENCE_MS }).toBe(parseMultiplier('1'))
  expect((await setOwn(ada, null)).body.multipliers).toEqual([])
  expect(await multiplierOf(direct.secret)).toBe(parseMultiplier('1'))
  expect((await gateway.store.ledger.prove({})).disagreements).toEqual([])
})

test('what costs nothing for an account needs no money', async () => {
  const poor = await gateway.account({ balance: '0' })
  const { secret } = await gateway.key(poor, { groupId })
  await setOwn(poor, '0')
  expect(await multiplierOf(secret)).toBe(parseMultiplier('0'))
  expect(await gateway.store.ledger.balance(poor.id)).toBe(0n)
})
