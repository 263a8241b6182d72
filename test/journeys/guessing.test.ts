import { afterEach, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

/** The number of callers at once, as a browser has connections; none knows of the others. */
const AT_ONCE = 50

function ask(secret: string, from = '203.0.113.7') {
  const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': from }
  return fetch(`${gateway.origin}/v1/models`, { headers })
}

async function guess(count: number): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ask(`wrong-guess-${done + i}-2f9c61d07b3e`)))
  }
}

test('who guesses custom keys does not learn which guess is right, and others go on', async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } })
  const account = await gateway.account()
  const custom = 'ada-laptop-2f9c61d07b3e'
  const colleagues = 'bob-desktop-7Hq2xVn9Ktz4'
  await gateway.key(account, {}, custom)
  await gateway.key(account, {}, colleagues)
  const { secret } = await gateway.key(account)
  // Both are in memory; one of them was used from where the guesses come from.
  expect((await ask(custom, '198.51.100.1')).status).toBe(200)
  expect((await ask(colleagues)).status).toBe(200)
  await guess(300)

  const right = await ask(custom)
  expect([right.status, right.headers.get('x-tollgate-fault')]).toEqual([429, 'credential_throttled'])
  const wait = Number(right.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  expect((await ask(colleagues)).status).toBe(200)
  expect((await ask(secret)).status).toBe(200)
  expect((await ask(custom, '198.51.100.1')).status).toBe(200)
  expect((await ask(custom, '198.51.100.2')).status).toBe(200)
}, 60_000)

test('of many guesses at once no more are answered than of one after another', async () => {
  gateway = await gatewayUnderTest()
  const custom = 'ada-laptop-2f9c61d07b3e'
  await gateway.key(await gateway.account(), {}, custom)
  const guesses = Array.from({ length: 400 }, (_, i) => (i === 399 ? custom : `wrong-guess-${i}-2f9c61d07b3e`))
  const statuses = await Promise.all(guesses.map(async (secret) => (await ask(secret)).status))
  expect(statuses.filter((status) => status === 401)).toHaveLength(120)
}, 60_000)
