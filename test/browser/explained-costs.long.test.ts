import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { content, eventually, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What a request cost stands in many places. In each of them it says how it came about.

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

test.each(walkedIn('zh-CN'))(
  'what a request cost says how that came about, wherever it stands, in $language',
  async ({ language, billing, key, overview, playground, record, requests, start }) => {
    const root = await place.person({ role: 'admin', balance: '5' })
    const { body } = await root.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    await place.call(body.secret)
    const { page, open } = await visit(place, { language, as: root })
    const formula = page.getByRole('tooltip')
    const explains = async (where: Locator): Promise<void> => {
      const cost = where.getByRole('button', { name: /^[−-]?\$0\.0/ }).first()
      await cost.click()
      await reads(formula, record.kinds.output)
      await reads(formula, record.cost)
      await page.keyboard.press('Escape')
      await formula.waitFor({ state: 'detached' })
    }
    const region = (name: string): Locator => page.getByRole('region', { name, exact: true })

    await open('/overview')
    await explains(region(overview.requests.title))
    // The rest of the line leads to the record.
    const line = region(overview.requests.title).getByRole('listitem').first()
    await line.click({ position: { x: 4, y: 4 } })
    await eventually(() => new URL(page.url()).searchParams.get('record')).toMatch(/^req_/)

    await open(`/keys/${body.key.id}`)
    await explains(region(key.detail.requests))
    await press(region(key.testing.title), key.message.send)
    await region(key.testing.title).getByRole('link', { name: key.message.record, exact: true }).waitFor()
    await explains(region(key.testing.title))

    await open('/billing')
    const days = region(billing.ledger.title)
    await days.getByRole('listitem').getByRole('group').first().click()
    await explains(days)
    await open('/billing?view=entries')
    await explains(page.getByRole('region', { name: billing.ledger.views.entries }))

    await open('/playground?model=demo%2Fecho')
    await press(page, playground.send)
    await explains(region(playground.answerOf('demo/echo')))

    await open('/admin/requests')
    await explains(region(requests.live.list))

    const eva = await place.person({ balance: '1' })
    const other = await visit(place, { language, as: eva })
    await other.open('/overview')
    await press(other.page, start.key.create)
    await press(other.page.getByRole('list', { name: start.steps }), key.message.send)
    await hears(other.page, key.message.answered('demo/echo'))
    await content(other.page)
      .getByRole('button', { name: /^\$0\.0/ })
      .click()
    await reads(other.page.getByRole('tooltip'), record.kinds.output)
  },
)

test.each(walkedIn('en'))(
  'a key’s page has a bar for each limit, its thirty days, who used it last, what failed, and names for callers, in $language',
  async ({ language, faults, key: { detail, message, testing }, keys, shared }) => {
    const ada = await place.person({ balance: '5' })
    const { body } = await ada.ask('POST', '/api/keys', {
      name: 'laptop',
      group: 'default',
      quota_limit: '10',
      rate_limit: {
        concurrency: 3,
        requests_per_minute: 60,
        tokens_per_minute: 90_000,
        spend: [{ window: '5h', usd: '2' }],
      },
    })
    await place.call(body.secret, { model: 'demo/ecco', messages: [{ role: 'user', content: 'Hello' }] })
    await place.call(body.secret)
    const { page, open } = await visit(place, { language, as: ada })
    // Addresses are written down every minute, which is too long to wait for.
    await page.route('**/report?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), last_address: '203.0.113.7' } })
    })
    await open(`/keys/${body.key.id}`)
    const region = (name: string): Locator => page.getByRole('region', { name, exact: true })
    const limits = region(detail.limits).getByRole('listitem')
    const bars: [string, string | RegExp][] = [
      [detail.quota, /\$0\.000\d+ .*\$10\.00/],
      [detail.counted.concurrency, detail.of('0', '3')],
      [detail.counted.requests_per_minute, /60/],
      [detail.counted.tokens_per_minute, /90,000/],
      [detail.window('5h'), /\$0\.000\d+ .*\$2\.00/],
    ]
    await eventually(() => limits.count()).toBe(bars.length)
    for (const [name, said] of bars) {
      const bar = limits.filter({ has: page.getByRole('meter', { name, exact: true }) })
      await reads(bar, said)
    }

    const use = region(detail.use)
    const spark = use.getByRole('img', { name: keys.activity.label('laptop', '$0.0').split('$0.0')[0] ?? '' })
    expect((await spark.boundingBox())?.width).toBeGreaterThan(200)
    await reads(use, '203.0.113.7')
    await reads(use, 'demo/echo')
    await reads(use, detail.requestCount(2, '2'))
    await reads(region(detail.failed), faults.model_unknown.title)
    const all = region(detail.failed).getByRole('link', { name: detail.allFailed, exact: true })
    expect(await all.getAttribute('href')).toContain(`key=${body.key.id}&fault=any`)

    await press(region(testing.title), message.send)
    await region(testing.title).getByRole('link', { name: message.record, exact: true }).waitFor()
    await open(`/keys/${body.key.id}`)
    await reads(use, shared.testMessage)
    await reads(region(detail.requests), shared.testMessage)
    expect(await content(page).innerText()).not.toContain('tollgate-console')
  },
)
