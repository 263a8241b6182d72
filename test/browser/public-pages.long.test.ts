import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'prices, status and the check of a key are reached from the sign-in page once they are on, in $language',
  async ({ language, public: t, outside, keys, models, problems }) => {
    await place.admin('PATCH', '/api/settings', { public_models: false, public_status: false, public_key_check: false })
    const ada = await place.person({ balance: '5' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default', quota_limit: '5' })
    for (let i = 0; i < 10; i++) await place.call(made.secret)
    const { page, open } = await visit(place, { language })
    await open('/status')
    await arrives(page, t.off.title)
    await open('/sign-in')
    await arrives(page, outside.signIn.title)
    expect(await page.getByRole('navigation').count()).toBe(0)

    await place.admin('PATCH', '/api/settings', { public_models: true, public_status: true, public_key_check: true })
    await open('/sign-in')
    await page.getByRole('link', { name: outside.publicPages.pages.models }).click()
    await arrives(page, t.models.title)
    await press(page, 'demo/echo')
    const prices = page.getByRole('region', { name: t.models.details('demo/echo'), exact: true })
    // Of groups and multipliers nothing is said to those without an account.
    await eventually(() => prices.getByRole('columnheader').allInnerTexts()).toEqual([
      models.drawer.kind,
      t.models.price,
    ])
    await reads(page.getByRole('dialog', { name: 'demo/echo' }), t.models.unit)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: outside.publicPages.pages.status }).click()
    await arrives(page, t.status.title)
    await page.getByRole('radio', { name: t.status.spans.days }).check()
    await page.getByRole('img', { name: t.status.chart('demo/echo', t.status.spans.days) }).waitFor()

    await page.getByRole('link', { name: outside.publicPages.pages.key_check }).click()
    await arrives(page, t.check.title)
    await fill(page, t.check.key, `${made.secret}x`)
    await press(page, t.check.action)
    await reads(content(page), problems.key_unreadable)
    await fill(page, t.check.key, made.secret)
    await press(page, t.check.action)
    await reads(content(page), keys.statuses.active)
    await reads(content(page), t.check.fine)
    expect(page.url()).not.toContain(made.secret)
    await press(page, t.check.another)
    await eventually(() => page.getByLabel(t.check.key, { exact: true }).inputValue()).toBe('')
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
    )
    expect(stored + (await page.content())).not.toContain(made.secret)
    expect(place.printed()).not.toContain(made.secret)
    expect(place.printed()).not.toContain(`${made.secret}x`)
  },
)

test.each(walkedIn('en'))(
  'an upstream that is down is an incident beside what was changed, and leads to its requests and their accounts, in $language',
  async ({ language, incidents: t, requests, audit }) => {
    const root = await place.person({ role: 'admin' })
    const [upstream, model] = [`down-${language}`, `lost-${language}`]
    const address = { protocol: 'openai', base_url: 'http://127.0.0.1:1/v1' }
    await root.ask('POST', '/api/upstreams', { name: upstream, ...address })
    const targets = [{ upstream, model: 'any' }]
    await root.ask('POST', '/api/models', { name: model, price: { input: '1', output: '2' }, targets })
    const ada = await place.person({ balance: '5' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const asked = { model, messages: [{ role: 'user', content: 'Hello' }] }
    for (let i = 0; i < 10; i++) expect((await place.call(made.secret, asked)).status).toBeGreaterThanOrEqual(500)
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/incidents')
    await arrives(page, t.title)
    await page.getByRole('radio', { name: t.spans['1'] }).check()
    const list = page.getByRole('region', { name: t.lanes.incidents })
    const incident = list.getByRole('listitem').filter({ hasText: t.atUpstream(upstream) })
    await reads(incident, t.models([model]))
    await reads(incident, t.failed('10', '10'))
    const changes = page.getByRole('region', { name: t.lanes.changes })
    await reads(changes, audit.sentences['upstream.create'] ?? '')
    await reads(changes, upstream)
    await incident.getByRole('link', { name: t.accounts }).click()
    await arrives(page, requests.title)
    await reads(content(page), ada.email)
    await page.goBack()
    await incident.getByRole('link', { name: t.requests }).click()
    await arrives(page, requests.title)
    await reads(content(page), model)
  },
)
