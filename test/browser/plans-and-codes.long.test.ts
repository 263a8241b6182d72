import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { chooseFrom, field, fill, press, reads, take, unfold } from './reading.ts'
import { visit } from './visit.ts'

// What finance does every week, with the clicks that it takes.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'a plan with a weekly allowance asks for six things, and the rest is folded away, in $language',
  async ({ language, plans: t }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/plans')
    await press(page, t.new)
    const form = page.getByRole('dialog', { name: t.new })
    await field(form, t.windows['7d']).waitFor()
    expect(await form.getByRole('textbox').or(form.getByRole('combobox')).count()).toBe(6)
    await fill(form, t.form.name, 'weekly')
    await fill(form, t.form.price, '0')
    await field(form, t.form.groups).fill('default')
    await page.getByRole('option', { name: 'default' }).click()
    await fill(form, t.windows['7d'], '25')
    await press(form, t.form.create)
    await form.waitFor({ state: 'detached' })
    const { data } = (await root.ask('GET', '/api/plans?search=weekly')).body
    expect(data[0]).toMatchObject({ quotas: [{ window: '7d', usd: '25' }], opens_groups: true })
    // One with something that is folded away shows it at once.
    await root.ask('POST', '/api/plans', { name: 'odd', groups: ['default'], days: 1, price: '0', opens_groups: false })
    await open('/admin/plans')
    await chooseFrom(page, t.actionsOf('odd'), t.edit)
    await page.getByRole('dialog').getByRole('checkbox', { name: t.form.opensGroups }).waitFor()
  },
)

test.each(walkedIn('zh-CN'))(
  'a plan is assigned by three clicks beside the choice of who gets it, in $language',
  async ({ language, plans: t }) => {
    const name = `assigned-${language}`
    await root.ask('POST', '/api/plans', { name, groups: ['default'], days: 30, price: '0' })
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/plans')
    await chooseFrom(page, t.actionsOf(name), t.assign)
    const form = page.getByRole('dialog', { name: t.assigning.title(name) })
    await take(page, form.getByRole('combobox'), ada.email)
    await press(form, t.assigning.action)
    await form.waitFor({ state: 'detached' })
    const { data } = (await root.ask('GET', `/api/accounts/${ada.id}/subscriptions`)).body
    expect(data).toMatchObject([{ plan: name, status: 'running' }])
  },
)

test.each(walkedIn('en'))(
  'codes are created and kept as a file for spreadsheets by three clicks, in $language',
  async ({ language, plans: { codes: t } }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/plans')
    await press(page, t.new)
    const form = page.getByRole('dialog', { name: t.new })
    await fill(form, t.amount, '5')
    await fill(form, t.count, '2')
    await unfold(form, t.more)
    await fill(form, t.noteLabel, '=spring')
    await press(form, t.new)
    const shown = page.getByRole('dialog', { name: t.shownTitle(2) })
    const [download] = await Promise.all([page.waitForEvent('download'), press(shown, t.csv)])
    const lines = (await text(await download.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^[\w-]{24},5,,'=spring$/)
    await reads(shown, lines[2]?.split(',')[0] ?? 'no code')
    // They are saved, so nothing is asked.
    await press(shown, t.done)
    await shown.waitFor({ state: 'detached' })
  },
)
