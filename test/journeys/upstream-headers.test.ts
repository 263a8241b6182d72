import { afterEach, expect, test } from 'vitest'
import { sealHeaders } from '../../src/app/cli/start.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

test('values of headers from an earlier version are sealed once, and reach the upstream in clear', async () => {
  gateway = await gatewayUnderTest()
  const { catalog } = gateway.store
  const box = sealer(TEST_SECRET)
  await gateway.model('fake/echo', { protocols: ['openai-chat'] })
  const { secret } = await gateway.key(await gateway.account())
  const stored = async () => {
    const upstream = (await catalog.upstreams()).find(({ name }) => name === 'fake-openai-chat')
    if (upstream === undefined) throw new Error('it is gone')
    return upstream
  }
  const received = async () => {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"model":"fake/echo","messages":[{"role":"user","content":"hello"}]}',
    })
    expect(response.status).toBe(200)
    return gateway.fake.requests.at(-1)?.headers['x-team']
  }
  await catalog.putUpstream({ ...(await stored()), headers: { 'x-team': 'blue team' } })
  await expect.poll(received).toBe('blue team')
  await sealHeaders(catalog, box)
  const sealed = (await stored()).headers['x-team'] ?? ''
  expect(sealed).not.toContain('blue')
  expect(box.open(sealed)).toBe('blue team')
  await catalog.putUpstream({ ...(await stored()), maxConcurrency: 7 })
  await expect.poll(received).toBe('blue team')
  await sealHeaders(catalog, box)
  expect((await stored()).headers['x-team']).toBe(sealed)
})
