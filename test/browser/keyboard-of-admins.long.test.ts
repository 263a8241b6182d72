import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseByKeys, hasFocus, holdsFocus, tabTo } from './by-keyboard.ts'
import { LANGUAGES, type Texts, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually } from './reading.ts'
import { visit } from './visit.ts'

// What admins open on their pages, without a mouse: the focus is where it is needed, and back where it was.

let place: OwnPlace
let root: Person
let upstreamPath: string
let modelPath: string
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin', balance: '5' })
  await root.ask('POST', '/api/keys', { name: 'of root', group: 'default' })
  await place.admin('POST', '/api/groups', { name: 'another', multiplier: '0.5' })
  await place.admin('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
  await place.admin('POST', '/api/announcements', { title: { en: 'A faster model', 'zh-CN': 'A faster model' } })
  const address = { protocol: 'openai', base_url: 'http://127.0.0.1:1/v1' }
  const { body: upstream } = await place.admin('POST', '/api/upstreams', { name: 'far away', ...address })
  upstreamPath = `/admin/upstreams/${upstream.id}`
  const { body: model } = await place.admin('POST', '/api/models', {
    name: 'gone soon',
    price: { input: '1', output: '2' },
  })
  modelPath = `/admin/models/${model.id}`
})
afterAll(() => place.stop())

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true }).first()

interface Opened {
  readonly path: string
  readonly opener: Locator
  /** The item of the menu that the opener opens; left out: the opener opens the dialog itself. */
  readonly item?: string
}

/** Questions before something is deleted. */
function questions(page: Page, texts: Texts): readonly Opened[] {
  const { groups, plans, announcements, upstreams, prices, shared } = texts
  return [
    { path: '/admin/groups', opener: button(page, groups.actionsOf('default')), item: groups.delete },
    { path: '/admin/groups', opener: button(page, groups.actionsOf('another')), item: groups.delete },
    { path: '/admin/plans', opener: button(page, plans.actionsOf('pro')), item: plans.delete },
    {
      path: '/admin/announcements',
      opener: button(page, announcements.actionsOf('A faster model')),
      item: announcements.delete,
    },
    { path: upstreamPath, opener: button(page, upstreams.actionsOf('far away')), item: upstreams.deleting.action },
    { path: modelPath, opener: button(page, shared.moreActions), item: prices.deleting.action },
  ]
}

/** Forms. */
function forms(page: Page, texts: Texts): readonly Opened[] {
  const { groups, plans, announcements, upstreams, accounts, settings } = texts
  return [
    { path: '/admin/groups', opener: button(page, groups.new) },
    { path: '/admin/groups', opener: button(page, groups.actionsOf('another')), item: groups.edit },
    { path: '/admin/plans', opener: button(page, plans.new) },
    { path: '/admin/plans', opener: button(page, plans.actionsOf('pro')), item: plans.edit },
    { path: '/admin/plans', opener: button(page, plans.codes.new) },
    { path: '/admin/announcements', opener: button(page, announcements.new) },
    { path: '/admin/upstreams', opener: button(page, upstreams.new) },
    { path: upstreamPath, opener: button(page, upstreams.editing.action) },
    { path: '/admin/accounts', opener: button(page, accounts.invite) },
    { path: `/admin/accounts/${root.id}`, opener: button(page, accounts.credit.action) },
    { path: '/admin/settings', opener: button(page, settings.edit(settings.settings.site_name.name)) },
  ]
}

/** Past the navigation to the content, and on to what opens it. */
async function openByKeys(page: Page, { opener, item }: Opened, { shared }: Texts): Promise<void> {
  await opener.waitFor()
  await page.keyboard.press('Tab')
  await tabTo(page, page.getByRole('link', { name: shared.skipToContent }))
  await page.keyboard.press('Enter')
  if (item !== undefined) return chooseByKeys(page, opener, item)
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
}

test.each(walkedIn('en'))(
  'a question before something is deleted has the focus on Cancel, whatever is in it, and gives it back, in $language',
  async (texts) => {
    const { page, open } = await visit(place, { language: texts.language, as: root })
    for (const each of questions(page, texts)) {
      await open(each.path)
      await openByKeys(page, each, texts)
      const question = page.getByRole('alertdialog')
      const cancel = question.getByRole('button', { name: texts.shared.cancel, exact: true })
      await cancel.waitFor()
      await eventually(() => hasFocus(cancel)).toBe(true)
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
      await eventually(() => hasFocus(each.opener)).toBe(true)
    }
    expect((await place.admin('GET', '/api/groups?search=another')).body.data).toHaveLength(1)
  },
)

test.each(walkedIn('zh-CN'))(
  'a form of admins takes the focus past its close button, keeps it within itself, and gives it back when it is closed, in $language',
  async (texts) => {
    const { page, open } = await visit(place, { language: texts.language, as: root })
    for (const each of forms(page, texts)) {
      await open(each.path)
      await openByKeys(page, each, texts)
      const form = page.getByRole('dialog')
      await form.waitFor()
      await eventually(() => holdsFocus(form)).toBe(true)
      expect(await hasFocus(form.getByRole('button', { name: texts.shared.close, exact: true }))).toBe(false)
      await page.keyboard.press('Shift+Tab')
      await eventually(() => holdsFocus(form)).toBe(true)
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
      await eventually(() => hasFocus(each.opener)).toBe(true)
    }
  },
)

test('a group is made, changed and deleted by keyboard alone', async () => {
  const [texts] = LANGUAGES
  const { groups: t } = texts
  const { page, open } = await visit(place, { language: texts.language, as: root })
  await open('/admin/groups')
  await openByKeys(page, { path: '', opener: button(page, t.new) }, texts)
  const form = page.getByRole('dialog')
  // Before that, Tab would go on behind it.
  const isOpen = (window: Locator) => eventually(() => holdsFocus(window)).toBe(true)
  await isOpen(form)
  await tabTo(page, form.getByLabel(t.form.name, { exact: true }))
  await page.keyboard.type('by keys')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  const menu = button(page, t.actionsOf('by keys'))
  await chooseByKeys(page, menu, t.edit)
  await isOpen(form)
  await tabTo(page, form.getByLabel(t.form.multiplier, { exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('0.2')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'by keys' }).filter({ hasText: '×0.2' }).waitFor()
  await chooseByKeys(page, menu, t.delete)
  await isOpen(page.getByRole('alertdialog'))
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: t.deleting.action, exact: true }))
  await page.keyboard.press('Enter')
  // Behind the question no button has its role: the menu is gone only once the question is.
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await menu.waitFor({ state: 'detached' })
  expect((await place.admin('GET', '/api/groups?search=by keys')).body.data).toEqual([])
})
