import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatList } from '../../console/format/list.ts'
import { furnish } from './furnish.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads, unfold } from './reading.ts'
import { visit } from './visit.ts'

// What an account sees of itself without asking: on the overview, in the list of keys, on a key's page and in billing.

let place: OwnPlace
beforeAll(async () => {
  // So that the first charge is one that the account gets an alert for.
  place = await startPlace({ TOLLGATE_LOW_BALANCE_USD: '5' })
  for (const name of ['east', 'north', 'south', 'up', 'west'])
    await place.admin('POST', '/api/groups', { name, multiplier: '0.35', models: name === 'up' ? [] : ['demo/echo'] })
})
afterAll(() => place.stop())

const keyNamed = async ({ ask }: Person, name: string) =>
  (await ask('GET', '/api/keys')).body.data.find((key: { name: string }) => key.name.startsWith(name))

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

/** The upper and lower edge of an element in the window, CSS pixels. */
async function edges(where: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  const { y = Number.NaN, height = Number.NaN } = (await where.boundingBox()) ?? {}
  return { top: y, bottom: y + height }
}

test.each(walkedIn('en'))(
  'balance, spending, windows, keys to check, failures, each key’s days and history, and what each day cost, in $language',
  async ({ language, account, overview, billing, faults, key: { detail }, keys, usage }) => {
    const ada = await furnish(place)
    const old = await keyNamed(ada, 'an old one')
    await ada.ask('PATCH', `/api/keys/${old.id}`, { quota_limit: '12.5' })
    await ada.ask('PATCH', `/api/keys/${old.id}`, { quota_limit: '20', tags: ['team a', 'night'] })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/overview')
    const tile = (title: string) =>
      content(page)
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    await reads(tile(overview.balance.title), '$5.00')
    await reads(tile(overview.balance.title), overview.balance.yearsLeft)
    for (const span of ['today', 'last_7_days', 'this_month'] as const) {
      const spent = tile(overview.spend[span])
      await reads(spent, overview.spend.before[span]('$0.00'))
      await reads(spent, `${overview.spend.requests(8, '8')} · ${overview.spend.failed(3, '3')}`)
    }
    const subscriptions = page.getByRole('region', { name: overview.subscriptions.title })
    await reads(subscriptions, billing.subscriptions.window(billing.subscriptions.windows['5h']))
    // One line, about its fullest window: Billing has the others.
    await eventually(() => subscriptions.getByRole('meter').count()).toBe(1)
    const watched = page.getByRole('region', { name: overview.keys.title }).getByRole('listitem')
    await reads(watched.filter({ hasText: 'laptop' }), overview.keys.expires('').trim())
    const latest = page.getByRole('region', { name: overview.requests.title }).getByRole('listitem')
    await reads(latest.first(), faults.key_disabled.title)
    await reads(latest.nth(2), faults.model_unknown.title)
    await reads(latest.nth(3), 'demo/')
    await reads(page.getByRole('region', { name: overview.alerts.title }), billing.alerts.low_balance)
    // At another pace it is said for how many days it lasts.
    await page.route('**/api/overview?*', async (route) => {
      const response = await route.fetch()
      const { balance, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, balance: { ...balance, days_left: 12, per_day: '0.4' } } })
    })
    await open('/overview')
    await reads(tile(overview.balance.title), overview.balance.daysLeft('12'))
    await reads(tile(overview.balance.title), overview.balance.atPace('$0.40'))
    await page.unroute('**/api/overview?*')

    await open('/keys')
    const laptop = rowOf(page, 'laptop')
    await reads(laptop, /\$0\.000\d+ today|今天 \$0\.000\d+/)
    await reads(rowOf(page, old.name), keys.activity.today('$0.00'))
    const spark = laptop.getByRole('img', { name: keys.activity.label('laptop', '$0.0').split('$0.0')[0] ?? '' })
    expect((await spark.boundingBox())?.width).toBeGreaterThan(50)
    // However long a name is: one line, and all of it on the pointer.
    const name = rowOf(page, old.name).getByRole('link', { name: old.name, exact: true })
    expect(await name.getAttribute('title')).toBe(old.name)
    const linePx = await name.evaluate((link) =>
      Number.parseFloat(link.ownerDocument.defaultView?.getComputedStyle(link).lineHeight ?? ''),
    )
    expect((await name.boundingBox())?.height).toBeLessThan(linePx * 1.5)
    await page.getByRole('combobox', { name: keys.tag, exact: true }).selectOption('team a')
    await eventually(() => page.getByRole('rowheader').count()).toBe(2)
    await page.getByRole('combobox', { name: keys.tag, exact: true }).selectOption('night')
    await eventually(() => page.getByRole('rowheader').count()).toBe(1)

    await name.click()
    await arrives(page, old.name)
    const history = page.getByRole('region', { name: detail.history }).getByRole('listitem')
    await reads(
      history.first(),
      `${detail.fields['quota_limit']}: $12.50 → $20.00`.replace(': ', language === 'en' ? ': ' : '：'),
    )
    await reads(history.first(), formatList(['team a', 'night'], language))
    await reads(history.first(), detail.byYou('127.0.0.1'))
    await reads(history.last(), detail.actions['key.create'] ?? '')

    await open('/billing')
    const days = page.getByRole('region', { name: billing.ledger.title })
    // One line for all requests of a day, and one for what was added.
    await eventually(() => days.getByRole('listitem').count()).toBe(1)
    await reads(days, /[1-9] (requests|个请求)/)
    await reads(days, billing.ledger.kinds.credit)
    await reads(days, '+$5.00')
    // Alerts have one home, to which this page leads.
    expect(await page.getByText(billing.alerts.low_balance).count()).toBe(0)
    await content(page).getByRole('link', { name: billing.alerts.title, exact: true }).click()
    await reads(page.getByRole('region', { name: account.notifications.recent }), billing.alerts.low_balance)

    await open('/usage?span=90d')
    const hour = page.getByRole('radio', { name: usage.sizes.hour, exact: true })
    await hour.waitFor()
    expect(await hour.isDisabled()).toBe(true)
    expect(await hour.getAttribute('title')).toBe(usage.hoursOut(14))
  },
)

test.each(walkedIn('zh-CN'))(
  'the form of a key proposes a name, finds one of many groups and says what it lacks, and shows what is unfolded and what is wrong, in $language',
  async ({ language, keys, shared }) => {
    const ada = await place.person({ balance: '5' })
    await ada.ask('POST', '/api/keys', { name: 'build server', group: 'default', tags: ['team a'] })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys?new')
    // So low that what is unfolded stands below the fold.
    await page.setViewportSize({ width: 1280, height: 560 })
    const form = page.getByRole('dialog', { name: keys.form.title })
    await eventually(() => field(form, keys.form.name).inputValue()).toBe(keys.proposedNames.linux)
    // It is selected: what is typed takes its place.
    await page.keyboard.type('nightly')
    expect(await field(form, keys.form.name).inputValue()).toBe('nightly')

    await field(form, keys.form.group).fill('u')
    const lacking = page.getByRole('option', { name: 'up' })
    await reads(lacking, `×0.35 · ${keys.form.groupModels(0)} · ${keys.form.groupLacks('').trim()}`)
    await field(form, keys.form.group).fill('east')
    const whole = page.getByRole('option', { name: 'east' })
    await reads(whole, `×0.35 · ${keys.form.groupModels(1)}`)
    expect(await whole.innerText()).not.toContain(keys.form.groupLacks('').trim())
    await whole.click()

    await unfold(form, keys.form.moreSummary)
    const foot = form.getByRole('note', { name: keys.summaryLabel })
    const quota = field(form, keys.form.quota)
    await eventually(async () => (await edges(quota)).bottom < (await edges(foot)).top).toBe(true)
    await press(form, keys.form.addTag('team a'))
    await fill(form, keys.form.tags, `${await field(form, keys.form.tags).inputValue()}, night`)

    await fill(form, keys.form.name, '')
    await form.getByRole('switch', { name: keys.form.custom }).scrollIntoViewIfNeeded()
    await press(form, keys.form.submit)
    await reads(form, keys.objections.required)
    const label = form.getByText(keys.form.name, { exact: true })
    const head = form.getByRole('heading', { name: keys.form.title })
    await eventually(async () => (await edges(label)).top > (await edges(head)).bottom).toBe(true)
    await fill(form, keys.form.name, 'nightly')
    await press(form, keys.form.submit)
    await page.getByRole('dialog', { name: keys.secret.title('nightly') }).waitFor()
    expect(await keyNamed(ada, 'nightly')).toMatchObject({ group: 'east', tags: ['team a', 'night'] })

    // Below a list that says that nothing is there yet, no sum says it again.
    const other = await visit(place, { language, as: await place.person({ balance: '1' }) })
    await other.open('/keys')
    await reads(content(other.page), keys.empty.title)
    await reads(content(other.page), shared.table.asOf('').trim())
    expect(await content(other.page).innerText()).not.toContain(shared.table.found('0', false))
  },
)

test.each(walkedIn('zh-CN').flatMap((texts) => [1280, 1920].map((width) => ({ ...texts, width }))))(
  'the overview of an account with little to look after has no empty column at $width px, in $language',
  async ({ language, overview, width }) => {
    const eva = await place.person({ balance: '50' })
    const { body: made } = await eva.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    expect((await place.call(made.secret)).status).toBe(200)
    const { page, open } = await visit(place, { language, as: eva, width })
    await open('/overview')
    const card = (title: string) => page.getByRole('region', { name: title, exact: true })
    await reads(card(overview.requests.title), 'demo/echo')
    const [days, keys, requests] = await Promise.all(
      [overview.spend.days, overview.keys.title, overview.requests.title].map((title) => card(title).boundingBox()),
    )
    expect(keys?.height).toBeCloseTo(days?.height ?? 0, 0)
    expect(keys?.y).toBeCloseTo(days?.y ?? 0, 0)
    expect(requests?.x).toBeCloseTo(days?.x ?? 0, 0)
    expect((requests?.x ?? 0) + (requests?.width ?? 0)).toBeCloseTo((keys?.x ?? 0) + (keys?.width ?? 0), 0)
  },
)
