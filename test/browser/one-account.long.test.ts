import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, chooseFrom, content, eventually, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// The page of one account: every part of it, its limits, its sessions, and its end.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'keys, requests, balance history, subscriptions and audit of an account each have a tab, in $language',
  async ({ language, keys: names, oneAccount: t, plans, billing, audit }) => {
    const owner = await place.person({ balance: '7.5' })
    const { body } = await owner.ask('POST', '/api/keys', { name: 'of-the-owner', group: 'default' })
    await place.call(body.secret)
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts?search=${encodeURIComponent(owner.email)}`)
    await page.getByRole('img', { name: owner.email }).waitFor()
    await page.getByRole('button', { name: owner.email, exact: true }).click()
    await arrives(page, owner.email)
    await page.getByRole('region', { name: t.curve.title, exact: true }).waitFor()
    const tab = async (name: string) => {
      await page.getByRole('tab', { name, exact: true }).click()
      return page.getByRole('tabpanel', { name })
    }
    const keys = await tab(t.tabs.keys)
    await keys.getByRole('link', { name: 'of-the-owner' }).first().waitFor()
    // Its link alone leads to a key, and amounts and times are sorted the most and the latest first.
    expect(await keys.getByRole('rowheader').getByRole('button').count()).toBe(0)
    for (const [column, sort] of [
      [names.columns.spent, '-spent'],
      [names.columns.lastUsed, '-last_used_at'],
      [names.columns.expires, '-expires_at'],
    ] as const) {
      await keys.getByRole('button', { name: column, exact: true }).click()
      await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe(sort)
    }
    const requests = await tab(t.tabs.requests)
    await reads(requests, 'demo/echo')
    await requests.getByRole('row').nth(1).getByRole('button').first().click()
    await page.getByRole('dialog', { name: 'demo/echo' }).waitFor()
    await page.keyboard.press('Escape')
    await reads(await tab(t.tabs.history), billing.ledger.kinds.credit)
    await reads(await tab(t.tabs.subscriptions), plans.subscriptions.none)
    await reads(await tab(t.tabs.audit), audit.sentences['key.create'] ?? '')
    // Where one was is in the address.
    await page.reload()
    await reads(page.getByRole('tabpanel', { name: t.tabs.audit }), audit.sentences['account.create'] ?? '')
  },
)

longTest.each(walkedIn('en'))(
  'a limit below what is used is not saved before it is said what is meant, in $language',
  async ({ language, oneAccount: { tabs, limits: t }, account: { limits: names } }) => {
    const owner = await place.person({ balance: '7.5' })
    for (const name of ['one', 'two', 'three']) await owner.ask('POST', '/api/keys', { name, group: 'default' })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}?tab=limits`)
    const panel = page.getByRole('tabpanel', { name: tabs.limits })
    await fill(panel, names.counts.concurrency, 'many')
    await press(panel, t.save)
    await reads(panel, t.count)
    await fill(panel, names.counts.concurrency, '7')
    await fill(panel, names.spend['1d'], '2.50')
    await fill(panel, names.keys, '2')
    await press(panel, t.save)
    const asking = page.getByRole('dialog', { name: t.below.title })
    await reads(asking, t.below.count(names.keys, '3', '2'))
    expect((await root.ask('GET', `/api/accounts/${owner.id}`)).body.limits).toBeNull()
    await asking.getByRole('radio', { name: new RegExp(t.below.stop) }).check()
    await press(asking, t.save)
    await hears(page, t.saved)
    expect((await root.ask('GET', `/api/accounts/${owner.id}`)).body.limits).toEqual({
      concurrency: 7,
      spend: [{ window: '1d', usd: '2.5' }],
      max_keys: 2,
    })
    await reads(page.getByRole('region', { name: t.standing }), names.used('$0.00', '$2.50'))
    await eventually(() => panel.getByRole('textbox', { name: names.counts.concurrency }).inputValue()).toBe('7')
  },
)

longTest.each(walkedIn('zh-CN'))(
  'a limit is raised until a time, which its owner reads, and the raise is ended, in $language',
  async ({ language, oneAccount: { tabs, raise: t }, account: { limits: names }, shared }) => {
    const owner = await place.person()
    await root.ask('PATCH', `/api/accounts/${owner.id}`, { limits: { requests_per_minute: 5 } })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}?tab=limits`)
    const section = page.getByRole('tabpanel', { name: tabs.limits }).getByRole('region', { name: t.title })
    await press(section, t.action)
    const form = page.getByRole('dialog', { name: t.action })
    await press(form, t.submit)
    await reads(form, t.nothing)
    await fill(form, names.counts.requests_per_minute, '50')
    await press(form, t.submit)
    await hears(page, t.done)
    await reads(section, shared.labelled(names.counts.requests_per_minute, '50'))
    const report = async () => (await owner.ask('GET', '/api/me/limits')).body
    expect((await report()).limits.requests_per_minute).toBe(50)
    const own = await visit(place, { language, as: owner })
    await own.open('/account')
    await reads(own.page.getByRole('region', { name: names.title }), names.raised('').slice(0, 8))
    await press(section, t.end)
    await hears(page, t.ended)
    await eventually(report).toMatchObject({ limits: { requests_per_minute: 5 }, raised_until: null })
  },
)

test.each(walkedIn('en'))(
  'who was invited is listed, and an invitation that was not used is withdrawn, in $language',
  async ({ language, accounts: { credits, invite, invitations: t } }) => {
    const email = `guest-${language}@example.test`
    await root.ask('POST', '/api/invitations', { email })
    const { page, open } = await visit(place, { language, as: root })
    await page.setViewportSize({ width: 360, height: 740 })
    await open('/admin/accounts')
    // On a phone, buttons keep their words on one line, and take another line of buttons where there is no room.
    for (const name of [credits.action, t.action, invite]) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox()
      expect(box?.height, name).toBeLessThan(48)
    }
    await press(content(page), t.action)
    const drawer = page.getByRole('dialog', { name: t.title })
    await reads(drawer, t.states.open)
    await press(drawer, t.withdrawOf(email))
    await reads(drawer, t.withdrawn)
    await eventually(() => drawer.innerText()).not.toContain(email)
  },
)

test.each(walkedIn('zh-CN'))(
  'an admin sees how an account signs in, and ends its sessions, in $language',
  async ({ language, oneAccount: { tabs, signIn: t }, shared }) => {
    const owner = await place.person()
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}?tab=signIn`)
    const panel = page.getByRole('tabpanel', { name: tabs.signIn })
    await reads(panel.getByRole('region', { name: t.ways }), `${t.password} ${shared.yes}`)
    await press(panel, t.endAll)
    const asking = page.getByRole('alertdialog', { name: t.endAllTitle })
    await reads(asking, t.endAllText)
    await press(asking, t.endAll)
    await hears(page, t.allEnded)
    await reads(panel, t.noSessions)
    await expect(owner.ask('GET', '/api/me')).rejects.toThrow('401')
  },
)

longTest.each(walkedIn('en'))(
  'an account is closed once its address is typed, and what is kept is said before, in $language',
  async ({ language, oneAccount: { closing: t, moreActions }, audit }) => {
    const owner = await place.person({ balance: '7.5' })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}`)
    await chooseFrom(page, moreActions, t.action)
    const form = page.getByRole('dialog', { name: t.title(owner.email) })
    await reads(form, t.keeps('$7.50'))
    await fill(form, t.confirm, 'another@example.test')
    await press(form, t.submit)
    await reads(form, t.mismatch)
    await fill(form, t.confirm, owner.email)
    await press(form, t.submit)
    await arrives(page, `${owner.id}@closed.invalid`)
    await reads(content(page), t.closed)
    expect(await content(page).getByRole('button', { name: moreActions, exact: true }).count()).toBe(0)
    await open(`/admin/accounts/${owner.id}?tab=audit`)
    await reads(content(page), audit.sentences['account.close'] ?? '')
    await eventually(() => content(page).innerText()).not.toContain(owner.email)
  },
)

longTest.each(walkedIn('zh-CN'))(
  'a closed group is opened to an account by name, in $language',
  async ({ language, oneAccount: { tabs, openGroups: t } }) => {
    const owner = await place.person()
    const name = `partners-${language.toLowerCase()}`
    const { body: group } = await root.ask('POST', '/api/groups', { name, open: false })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}?tab=limits`)
    const section = page.getByRole('tabpanel', { name: tabs.limits }).getByRole('region', { name: t.title })
    await section.getByRole('checkbox', { name }).check()
    await press(section, t.save)
    await hears(page, t.saved)
    const { body } = await root.ask('GET', `/api/accounts/${owner.id}`)
    expect(body.open_groups).toEqual([group.id])
  },
)

longTest.each(walkedIn('en'))(
  'an account gets a multiplier of its own, not above the group’s, and loses it again, in $language',
  async ({ language, oneAccount: { tabs, multipliers: t } }) => {
    const owner = await place.person()
    const name = `trade-${language.toLowerCase()}`
    const { body: group } = await root.ask('POST', '/api/groups', { name, multiplier: '0.8' })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}?tab=limits`)
    const section = page.getByRole('tabpanel', { name: tabs.limits }).getByRole('region', { name: t.title })
    await reads(section, t.none)
    await section.getByRole('combobox', { name: t.add }).selectOption(group.id)
    await fill(section, name, '0.9')
    await press(section, t.save)
    await reads(section, t.tooHigh('×0.8'))
    await fill(section, name, '0.5')
    await press(section, t.save)
    await hears(page, t.saved)
    const own = async () => (await root.ask('GET', `/api/accounts/${owner.id}`)).body.multipliers
    expect(await own()).toEqual([{ group: group.id, multiplier: '0.5' }])
    await fill(section, name, '')
    await press(section, t.save)
    await reads(section, t.none)
    expect(await own()).toEqual([])
  },
)
