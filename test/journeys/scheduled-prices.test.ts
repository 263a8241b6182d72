import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatUsd, parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { TEST_ADMIN_TOKEN } from '../support/control-under-test.ts'

// A price that was planned is charged from its time on, without anything restarted.

let gateway: GatewayUnderTest
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: TEST_ADMIN_TOKEN } })
  await gateway.model('planned-model', { prices: { ...TEST_PRICES, input: parseUsd('1'), output: parseUsd('1') } })
})
afterAll(() => gateway.close())

test('requests are charged at the old price before, and at the new one after', async () => {
  const account = await gateway.account({ balance: '10' })
  const { secret } = await gateway.key(account)
  const costOfOne = async () => {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'planned-model', max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await response.text()
    return response.headers.get('x-tollgate-cost')
  }
  await expect.poll(costOfOne, { timeout: PATIENCE_MS }).not.toBeNull()
  const before = String(await costOfOne())
  const id = (await gateway.store.catalog.models()).find(({ name }) => name === 'planned-model')?.id
  const planned = await fetch(`${gateway.origin}/api/models/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      price: { input: '3', output: '3' },
      effective_at: new Date(Date.now() + 2_000).toISOString(),
    }),
  })
  expect(await planned.json()).toMatchObject({ price: { input: '1' }, scheduled: { price: { input: '3' } } })
  expect(await costOfOne()).toBe(before)
  const after = formatUsd((parseUsd(before) * 3n) as ReturnType<typeof parseUsd>)
  await expect.poll(costOfOne, { timeout: PATIENCE_MS }).toBe(after)
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})
