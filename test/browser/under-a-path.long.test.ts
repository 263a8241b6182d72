import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ShippedBalancer, startShippedBalancer } from '../packaging/shipped-balancer.ts'
import { freePort } from '../support/kept-process.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

const PATH = '/tollgate'
const [texts] = walkedIn('en')
if (texts === undefined) throw new Error('There are no English texts.')
const { keys, operations, outside, shared } = texts

/* As docs/installing.md has it: nginx with a public URL that has the path, Caddy with the header alone. */
describe.each(['nginx', 'caddy'] as const)('under a path of another site, behind %s', (name) => {
  let place: OwnPlace
  let proxy: ShippedBalancer
  let address = ''

  beforeAll(async () => {
    const port = await freePort()
    proxy = await startShippedBalancer(name, [port], PATH)
    address = `https://localhost:${proxy.port}${PATH}`
    place = await startPlace({
      PORT: String(port),
      TOLLGATE_TRUSTED_PROXIES: '127.0.0.1',
      // nginx passes the host on without its port, as is right on 443.
      ...(name === 'nginx' ? { TOLLGATE_PUBLIC_URL: address } : {}),
    })
  })
  afterAll(async () => {
    await place?.stop()
    await proxy?.stop()
  })

  test('an admin signs in, loads deep pages anew and makes a key that works at the address that is shown', async () => {
    const password = 'correct horse battery staple'
    const { body: ada } = await place.admin('POST', '/api/accounts', {
      email: 'ada@example.test',
      password,
      role: 'admin',
    })
    const credit = { amount: '5', reason: 'for a test', kind: 'credit' }
    await place.admin('POST', `/api/accounts/${ada.id}/ledger`, credit)
    const { page, open } = await visit(place, {
      language: 'en',
      origin: address,
      more: { ignoreHTTPSErrors: true },
    })
    await page.goto(`${address}/`)
    await arrives(page, outside.signIn.title)
    await fill(page, outside.email, ada.email)
    await fill(page, outside.password, password)
    await press(page, outside.signIn.action)
    // Staff without a key come to the page where the gateway is set up.
    await arrives(page, operations.title)
    await open(`/admin/accounts/${ada.id}`)
    await reads(content(page), ada.email)
    await open('/admin')
    await arrives(page, operations.title)
    expect(await content(page).innerText()).not.toContain(operations.wrongAddress.title)

    await open('/keys')
    await reads(content(page), `${address}/v1`)
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'laptop')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    await reads(shown, /sk-tg-\w{46}/)
    const secret = /sk-tg-\w{46}/.exec(await shown.innerText())?.[0] ?? ''
    const answer = await page.request.post(`${address}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${secret}` },
      data: { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] },
    })
    expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining('Hello')])
    await open('/keys')

    for (const path of ['/docs', '/docs/errors/path_unknown', '/api/docs']) {
      const pageOfDocs = await page.request.get(address + path)
      const links = [...(await pageOfDocs.text()).matchAll(/href="([^"#]+)"/g)].map(([, to = '']) => to)
      const led = new Set(
        links.map((to) => new URL(to, address + path).href).filter((to) => to.startsWith('https://localhost')),
      )
      expect(led.size).toBeGreaterThan(0)
      for (const to of led) expect(to).toContain(`${address}/`)
    }

    await page.getByRole('button', { name: shared.accountMenu(ada.email) }).click()
    await page.getByRole('menuitem', { name: shared.signOut }).click()
    await arrives(page, outside.signIn.title)
    await eventually(() => page.url()).toContain(`${address}/console/sign-in`)
  })

  test('the wrong path is answered by what to do about it', async () => {
    const answer = await place.call('sk-none', {}, `${PATH}/v1/chat/completions`)
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'path_unknown' } } })
  })
})
