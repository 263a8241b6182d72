import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What an admin does with what was found: puts it off, makes good for it, and looks at what was around it.

let place: OwnPlace
let root: Person
let poor: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
  poor = await place.person({ balance: '1' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'an item is put off with a reason, and is shown again by hand, in $language',
  async ({ language, operations: t, shared }) => {
    const model = `nowhere-${language}`
    await root.ask('POST', '/api/models', { name: model, price: { input: '1', output: '1' } })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin')
    const title = t.items.no_target(model, 'default')
    await press(page, `${t.snooze.action}: ${title}`)
    const dialog = page.getByRole('dialog', { name: t.snooze.title })
    await press(dialog, t.snooze.action)
    await reads(dialog, shared.required)
    await fill(dialog, t.snooze.reason, 'Its provider comes tomorrow')
    await press(dialog, t.snooze.action)
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(t.snooze.list, { exact: true }).click()
    await reads(content(page), 'Its provider comes tomorrow')
    await press(page, `${t.snooze.wake}: ${title}`)
    await page.getByRole('button', { name: `${t.snooze.action}: ${title}`, exact: true }).waitFor()
  },
)

test.each(walkedIn('zh-CN'))(
  'a subscription is extended by days with a reason, in $language',
  async ({ language, plans: { subscriptions: t }, shared }) => {
    const name = `plan-${language}`
    const { body: plan } = await root.ask('POST', '/api/plans', { name, groups: ['default'], days: 30, price: '0' })
    const path = `/api/accounts/${poor.id}/subscriptions`
    const { body: made } = await root.ask('POST', path, { plan: plan.name })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${poor.id}?tab=subscriptions`)
    await press(page, `${t.extend} ${name}`)
    const dialog = page.getByRole('dialog', { name: t.extending.title(name) })
    await fill(dialog, t.extending.days, '36501')
    await press(dialog, t.extend)
    await reads(dialog, t.extending.daysForm)
    await reads(dialog, shared.required)
    await fill(dialog, t.extending.days, '3')
    await fill(dialog, t.extending.reason, 'The provider was down')
    await press(dialog, t.extend)
    await dialog.waitFor({ state: 'detached' })
    const endsAt = async () => Date.parse((await root.ask('GET', path)).body.data[0].ends_at)
    await eventually(endsAt).toBe(Date.parse(made.ends_at) + 3 * 86_400_000)
  },
)

test.each(walkedIn('en'))(
  'the drawer of a request leads admins to its account and to requests like it, and says what else happened then, in $language',
  async ({ language, requests, record: { surroundings: t }, groups, audit }) => {
    const { body: made } = await poor.ask('POST', '/api/keys', { name: `key-${language}`, group: 'default' })
    const group = `changed-${language}`
    await root.ask('POST', '/api/groups', { name: group })
    await place.call(made.secret, { model: 'demo/none', messages: [{ role: 'user', content: 'Hello' }] })
    await place.call(made.secret)
    const latest = async () => (await root.ask('GET', `/api/usage?account_id=${poor.id}&key=${made.key.id}`)).body.data
    await eventually(async () => (await latest()).length).toBe(2)
    const [answered] = (await latest()).filter((each: { fault: string | null }) => each.fault === null)
    const { page, open } = await visit(place, { language, as: root })
    await open(`/usage?record=${answered.id}`)
    const drawer = page.getByRole('dialog', { name: 'demo/echo' })
    const around = drawer.getByRole('region', { name: t.title })
    await reads(around, 'demo')
    await reads(around, 'group.create')
    await around.getByRole('link', { name: t.like }).click()
    await arrives(page, requests.title)
    expect(new URL(page.url()).searchParams.get('model')).toBe('demo/echo')
    await page
      .getByRole('button', { name: requests.filter(poor.email) })
      .first()
      .waitFor()
    await open(`/usage?record=${answered.id}`)
    await around.getByRole('link', { name: t.account }).click()
    await arrives(page, poor.email)
    // Its owner sees nothing of that.
    const own = await visit(place, { language, as: poor })
    await own.open(`/usage?record=${answered.id}`)
    await reads(own.page.getByRole('dialog'), 'demo/echo')
    expect(await own.page.getByRole('region', { name: t.title }).count()).toBe(0)
    await open('/admin/groups')
    await press(page, groups.actionsOf(group))
    await page.getByRole('menuitem', { name: groups.history }).click()
    await reads(content(page), audit.sentences['group.create'] ?? '')
  },
)

test.each(walkedIn('zh-CN'))(
  'requests are found by what a provider said of them, without sums, in $language',
  async ({ language, shared, requests: t, requests: { live } }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/requests')
    const sums = page.getByRole('region', { name: t.title, exact: true })
    await sums.waitFor()
    await page.getByRole('combobox', { name: t.find.label }).fill('No quota left')
    await page.getByRole('option', { name: t.find.said('No quota left') }).click()
    await reads(content(page), t.noSums)
    await reads(content(page), live.notFound)
    expect(new URL(page.url()).searchParams.get('said')).toBe('No quota left')
    await press(page, t.removeFilter(shared.labelled(t.saidFilter, 'No quota left')))
    await sums.waitFor()
  },
)
