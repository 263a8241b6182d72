import { afterEach, expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { type GatewayProcess } from '../support/gateway-process.ts'
import { Browser } from '../support/sign-in-under-test.ts'

let gateway: GatewayProcess
afterEach(() => gateway.stop())

test('the link that the first start prints signs in at the running gateway, and once', async () => {
  gateway = await startGateway(await freshEnvironment())
  const link = () => /(http:\S+)\/console\/set-up#([\w-]{43})/.exec(gateway.printed())
  await expect.poll(link).not.toBeNull()
  const token = link()?.[2] ?? ''
  const browser = new Browser(gateway.origin)
  expect((await browser.post('/set-up', { token })).body).toMatchObject({
    state: 'signed_in',
    account: { email: 'admin@localhost', role: 'admin' },
  })
  const me = await fetch(`${gateway.origin}/api/me`, { headers: { cookie: browser.cookieHeader } })
  expect(await me.json()).toMatchObject({ email: 'admin@localhost' })
  const again = await new Browser(gateway.origin).post('/set-up', { token })
  const requestId = again.headers.get('x-request-id')
  expect(requestId).toMatch(/^req_/)
  expect(again).toMatchObject({ status: 410, body: { code: 'link_invalid', request_id: requestId } })
  // Links of earlier versions lead to the same page.
  const old = await fetch(`${gateway.origin}/setup/${token}`, { redirect: 'manual' })
  expect([old.status, old.headers.get('location')]).toEqual([302, `../console/set-up#${token}`])
  const strange = await fetch(`${gateway.origin}/setup/%0d%0aset-cookie:x`, { redirect: 'manual' })
  expect(strange.headers.get('location')).toBe('../console/set-up')
  expect(gateway.printed().split(token)).toHaveLength(2)
})
