import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd, parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

// Targets with groups and costs: who is served where and at which price, what a key without a target hears, what is left.

let gateway: GatewayUnderTest
beforeAll(async () => {
  gateway = await gatewayUnderTest()
})
afterAll(() => gateway.close())

function answers(status: number): Script {
  return (request, response) => {
    request.resume()
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { id: 'x', object: 'chat.completion', choices, usage } : {}))
  }
}

async function group(name: string, multiplier: string): Promise<string> {
  const id = newId('grp', Date.now())
  const settings = { models: ['*'], isEnabled: true, isOpen: true, isManaged: false }
  await gateway.store.groups.putGroup({ id, name, multiplier: parseMultiplier(multiplier), ...settings })
  return id
}

async function call(secret: string, model: string) {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return {
    status: answer.status,
    fault: answer.headers.get('x-tollgate-fault'),
    id: answer.headers.get('x-request-id') ?? '',
  }
}

async function models(secret: string): Promise<readonly string[]> {
  const answer = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

test('keys are served by the targets of their group alone, also when those fail, and by a fallback group that has some', async () => {
  const [cheap, fast] = await Promise.all([scriptedUpstream(answers(200)), scriptedUpstream(answers(200))])
  onTestFinished(() => [cheap, fast].forEach((upstream) => upstream.close()))
  const [cheapId, fastId, bareId] = [await group('cheap', '1'), await group('fast', '3'), await group('bare', '5')]
  await putModelOf(gateway.store, {
    name: 'pooled',
    targets: [
      { port: cheap.port, more: { groupIds: [cheapId] } },
      { port: fast.port, priority: 1, more: { groupIds: [fastId] } },
    ],
  })
  const owner = await gateway.account({ balance: '10' })
  const keyOf = async (groupId: string, fallbackGroupIds: readonly string[] = []) =>
    (await gateway.key(owner, { groupId, fallbackGroupIds })).secret
  const [ofCheap, ofFast, ofBare] = [await keyOf(cheapId), await keyOf(fastId), await keyOf(bareId)]
  await expect.poll(() => models(ofCheap), { timeout: PATIENCE_MS }).toContain('pooled')

  expect((await call(ofCheap, 'pooled')).status).toBe(200)
  expect([cheap.asked, fast.asked]).toEqual([1, 0])
  expect((await call(ofFast, 'pooled')).status).toBe(200)
  expect([cheap.asked, fast.asked]).toEqual([1, 1])
  cheap.script = answers(500)
  expect((await call(ofCheap, 'pooled')).status).toBe(502)
  expect(fast.asked).toBe(1)

  expect(await models(ofBare)).not.toContain('pooled')
  expect(await call(ofBare, 'pooled')).toMatchObject({ status: 404, fault: 'model_not_in_group' })
  const { status, id } = await call(await keyOf(bareId, [fastId]), 'pooled')
  expect(status).toBe(200)
  await expect
    .poll(() => gateway.store.usage.record(id))
    .toMatchObject({ groupName: 'fast', multiplier: parseMultiplier('3'), upstreamName: 'pooled-1' })
})

test('what a request costs at its provider is recorded and summed beside its charge, and too small a margin skips a target', async () => {
  const [dear, cheap] = await Promise.all([scriptedUpstream(answers(200)), scriptedUpstream(answers(200))])
  onTestFinished(() => [dear, cheap].forEach((upstream) => upstream.close()))
  const [sold, given] = [await group('sold', '2'), await group('given', '0.5')]
  await putModelOf(gateway.store, {
    name: 'costed',
    targets: [
      {
        port: dear.port,
        more: { cost: { kind: 'factor', factor: parseMultiplier('1') }, minMargin: parseMultiplier('0.5') },
      },
      {
        port: cheap.port,
        priority: 1,
        more: { cost: { kind: 'prices', prices: { ...TEST_PRICES, input: parseUsd('0'), output: parseUsd('7') } } },
      },
    ],
  })
  const owner = await gateway.account({ balance: '10' })
  const [ofSold, ofGiven] = [await gateway.key(owner, { groupId: sold }), await gateway.key(owner, { groupId: given })]
  await expect.poll(() => models(ofSold.secret), { timeout: PATIENCE_MS }).toContain('costed')
  const first = await call(ofSold.secret, 'costed')
  const second = await call(ofGiven.secret, 'costed')
  expect([dear.asked, cheap.asked]).toEqual([1, 1])
  const record = async (id: string) => gateway.store.usage.record(id)
  await expect.poll(() => record(second.id), { timeout: PATIENCE_MS }).toMatchObject({ providerCost: nanoUsd(7_000n) })
  const charged = (await record(first.id))?.cost ?? nanoUsd(0n)
  // A charge is twice the model's price there, which the factor is on; both are rounded up.
  const half = nanoUsd((charged + 1n) / 2n)
  expect(await record(first.id)).toMatchObject({ providerCost: half })
  expect((await record(second.id))?.routeTrace).toContain('m')

  const now = Date.now()
  const sums = await gateway.store.usage.margins({
    fromMs: now - 3_600_000,
    toMs: now,
    split: 'upstream',
    model: 'costed',
  })
  const rows = new Map(sums.rows.map(({ id, ...figures }) => [id, figures]))
  expect(rows.get('costed-0')).toMatchObject({ requests: 1, charged, costed: charged, providerCost: half })
  expect(rows.get('costed-1')).toMatchObject({ requests: 1, failed: 0, providerCost: 7_000n })
  expect(sums.total).toMatchObject({ requests: 2, providerCost: half + 7_000n })
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})
