import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsd } from '../../../src/core/money.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { type AttackedGateway, attackedGateway, type Purse } from '../attacked-gateway.ts'
import { MEDIA_CASES, type MediaCase } from './media-cases.ts'
import { MEDIA_PRICES, type MediaProvider, startMediaProvider } from './media-provider.ts'
import { AT_ONCE } from './play-cases.ts'
import { CENT_USD } from './purses.ts'

// What is charged by the unit, held before it runs: on a cent no more is spent than the cent, however many run at once.

const CENT = parseUsd(CENT_USD)
let gateway: AttackedGateway
let provider: MediaProvider

beforeAll(async () => {
  gateway = await attackedGateway()
  provider = await startMediaProvider()
  const { admin, prefix } = gateway
  await admin.ask('POST', '/api/upstreams', {
    name: `${prefix}media`,
    protocol: 'openai',
    base_url: provider.url,
    credential: 'a-credential-for-tests',
  })
  const targets = [{ upstream: `${prefix}media`, model: 'm' }]
  for (const [name, price] of Object.entries(MEDIA_PRICES)) {
    await admin.ask('POST', '/api/models', { name: prefix + name, price, targets })
  }
})
afterAll(async () => {
  await gateway.close()
  provider.close()
})

test.for(MEDIA_CASES.map((one) => [one.medium, one.name, one] as const))('%s: %s', async ([, , one]) => {
  const alone = await play(one, { count: 1, balance: '5' })
  expect(alone.served).toBe(one.mostOfACent === 0 ? 0 : 1)
  expect(alone.charged).toBeGreaterThanOrEqual(alone.billed)
  const together = await play(one, { count: AT_ONCE, balance: CENT_USD })
  expect(together.charged).toBeGreaterThanOrEqual(together.billed)
  expect(together.charged).toBeLessThanOrEqual(CENT)
  expect(together.served > 0).toBe(one.mostOfACent > 0)
  expect(together.served).toBeLessThanOrEqual(one.mostOfACent)
})

test('the books are exact after all of it', async () => {
  expect(await gateway.checkLedger()).toBeNull()
})

let played = 0

async function play(one: MediaCase, { count, balance }: { count: number; balance: string }) {
  const purse = await gateway.purse(balance)
  const tag = `media-${++played}-`
  await Promise.all(Array.from({ length: count }, (_, index) => send(one, purse, tag + index)))
  const bills = provider.billsOf(tag)
  const charged = await chargedTo(purse, count)
  return { served: bills.length, billed: bills.reduce((sum, bill) => sum + bill, 0n), charged }
}

async function send({ path, body, medium }: MediaCase, { secret }: Purse, tag: string): Promise<void> {
  const made = body()
  const model = gateway.prefix + medium
  if (made instanceof FormData) made.set('model', model)
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'user-agent': tag,
      ...(made instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    body: made instanceof FormData ? made : made.replace('MODEL', model),
  })
  await answer.arrayBuffer()
}

/** Nano-USD, once each request has its record. */
async function chargedTo({ accountId }: Purse, count: number): Promise<bigint> {
  const path = `/api/usage?account_id=${accountId}&limit=100`
  let costs: readonly string[] = []
  const look = async () => {
    const { data } = await gateway.admin.ask<{ data: readonly { readonly cost: string }[] }>('GET', path)
    costs = data.map(({ cost }) => cost)
    return costs.length
  }
  await expect.poll(look, { timeout: PATIENCE_MS }).toBe(count)
  return costs.reduce((sum, cost) => sum + parseUsd(cost), 0n)
}
