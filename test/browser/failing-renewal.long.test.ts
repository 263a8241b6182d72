import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeTokenServices, startFakeTokenServices } from '../../tools/fake-upstream/clouds/token-issuers.ts'
import { CLIENT, CLIENT_SECRET, TENANT } from '../../tools/fake-upstream/clouds/tokens/entra-tokens.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { withStandIns } from '../support/vendor-stand-in.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { content, eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

// An application’s secret that has expired, while its last token is still good for a while.

const WORDS = 'AADSTS7000222: The provided client secret keys for app are expired.'
const REFUSAL = JSON.stringify({ error: 'invalid_client', error_description: WORDS, error_codes: [7_000_222] })
/** Half of it passes before the first renewal, and what the other half shows is read meanwhile. */
const LIFE_SECONDS = 120
const REMEDY = { en: 'Create a new one for the application', 'zh-CN': '请为该应用新建一个' }

let services: FakeTokenServices
let place: OwnPlace
let root: Person
beforeAll(async () => {
  services = await startFakeTokenServices()
  services.book.lifeSeconds = LIFE_SECONDS
  place = await startPlace(withStandIns({ 'login.microsoftonline.com': Number(new URL(services.origin).port) }))
  root = await place.person({ role: 'admin' })
})
afterAll(async () => {
  await place.stop()
  await services.close()
})

test('is read on the page of its upstream and on Operations, with when it will be held, what Entra ID says and what to do', async () => {
  const { body: upstream } = await root.ask('POST', '/api/upstreams', {
    name: 'azure',
    protocol: 'openai',
    dialect: 'azure',
    base_url: 'https://my-resource.openai.azure.com/openai/v1',
    credentials: [
      {
        name: 'app',
        kind: 'azure',
        settings: { source: 'client_secret', tenant_id: TENANT, client_id: CLIENT },
        secret: CLIENT_SECRET,
      },
    ],
  })
  await eventually(() => services.book.issued).toBeGreaterThan(0)
  services.failure = { status: 401, type: 'application/json', body: REFUSAL }
  const credential = async () => (await root.ask('GET', `/api/upstreams/${upstream.id}/credentials`)).body.data[0]
  await expect.poll(async () => (await credential()).state, { timeout: PATIENCE_MS }).toBe('renewal_failing')
  for (const { language, upstreams: t, operations } of LANGUAGES) {
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/upstreams/${upstream.id}`)
    const row = page.getByRole('listitem', { name: 'app', exact: true })
    await reads(row, t.states.renewal_failing)
    await reads(row, WORDS)
    await reads(row, REMEDY[language])
    await open('/admin')
    const item = page.getByRole('listitem').filter({ hasText: 'azure' })
    await reads(item, operations.advice.renewal_failing)
    await reads(item, REMEDY[language])
    const [time] = operations.items.renewal_failing('app', 'azure', '\n').split('\n')
    await reads(item, time ?? '')
  }
  services.failure = null
  await expect.poll(async () => (await credential()).state, { timeout: PATIENCE_MS }).toBe('healthy')
  const [{ language, operations, upstreams: t }] = LANGUAGES
  const { page, open } = await visit(place, { language, as: root })
  await open('/admin')
  await page.getByRole('heading', { name: operations.title, level: 1 }).waitFor()
  expect(await content(page).innerText()).not.toContain(operations.advice.renewal_failing)
  await open(`/admin/upstreams/${upstream.id}`)
  await reads(page.getByRole('listitem', { name: 'app', exact: true }), t.states.healthy)
}, 400_000)
