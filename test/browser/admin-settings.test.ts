import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads, readsNoMore, unfold } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// What the whole server is set up by, as an admin sees and changes it.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

const siteName = async (): Promise<string> => (await root.ask('GET', '/api/settings')).body.site_name

test.each(walkedIn('en'))(
  'a setting is searched, edited, refused where another admin changed it, and put back, in $language',
  async ({ language, settings: t, shared }) => {
    await place.admin('PATCH', '/api/settings', { site_name: 'Before', registration: 'invitation' })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings')
    await arrives(page, t.title)
    const name = t.settings.site_name.name
    await page.getByRole('searchbox', { name: t.search }).fill(name)
    await readsNoMore(content(page), t.settings.registration.does)
    await page.getByRole('searchbox', { name: t.search }).fill('')

    await press(page, t.edit(name))
    const form = page.getByRole('dialog', { name: t.form.title(name) })
    await fill(form, name, '')
    await press(form, shared.save)
    await reads(form, shared.required)
    await place.admin('PATCH', '/api/settings', { site_name: 'Theirs' })
    await fill(form, name, 'Mine')
    await press(form, shared.save)
    await reads(form, shared.collision.title)
    await reads(form.getByRole('row', { name }), 'Theirs')
    await eventually(siteName).toBe('Theirs')
    await press(form, shared.collision.keepMine)
    await form.waitFor({ state: 'detached' })
    await reads(content(page), 'Mine')
    await reads(content(page), root.email)
    // A colleague changes it once more, and the page has read that since.
    await place.admin('PATCH', '/api/settings', { site_name: 'Later' })
    await press(page, t.edit(name))
    await fill(form, name, 'Not this')
    await press(form, shared.save)
    await press(form, shared.collision.takeTheirs)
    await form.waitFor({ state: 'detached' })
    await reads(content(page), 'Later')
    await press(page, t.undo)
    const both = page.getByRole('dialog', { name: shared.collision.title })
    await reads(both, 'Later')
    await eventually(siteName).toBe('Later')
    await press(both, shared.collision.keepMine)
    await eventually(siteName).toBe('Before')
    await readsNoMore(content(page), t.saved(name))
  },
)

longTest.each(walkedIn('zh-CN'))(
  'limits, a body of alerts with its preview and a link are set and go back to the default, in $language',
  async ({ language, settings: t, shared }) => {
    await place.admin('PATCH', '/api/settings', { alert_template: null, account_limits: null, imports: [] })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings?edit=account_limits')
    const limits = page.getByRole('dialog', { name: t.form.title(t.settings.account_limits.name) })
    await fill(limits, t.limits.max_keys, 'ten')
    await press(limits, shared.save)
    await reads(limits, t.form.countForm)
    await fill(limits, t.limits.max_keys, '10')
    await fill(limits, t.limits['1d'], '2.5')
    await press(limits, shared.save)
    await limits.waitFor({ state: 'detached' })
    await reads(content(page), t.limit(t.limits['1d'], '$2.50'))

    const body = t.settings.alert_template.name
    await press(page, t.edit(body))
    const template = page.getByRole('dialog', { name: t.form.title(body) })
    await field(template, t.form.json).fill('{"text": "{{who}}"}')
    await reads(template, t.form.unknownPlaceholder('{{who}}'))
    await field(template, t.form.json).fill('{"text": "{{subject_name}}!"}')
    await reads(template, 'the \\"new\\" <laptop>')
    await press(template, shared.save)
    await template.waitFor({ state: 'detached' })
    await reads(content(page), t.template(1))
    await press(page, t.edit(body))
    await press(template, t.form.standard)
    await press(template, shared.save)
    await template.waitFor({ state: 'detached' })
    await reads(content(page), t.standardTemplate)

    const links = t.settings.imports.name
    await press(page, t.edit(links))
    const imports = page.getByRole('dialog', { name: t.form.title(links) })
    await press(imports, t.form.addImport)
    await fill(imports, t.form.importName(1), 'Ours')
    await fill(imports, t.form.importTemplate(1), 'ours://import?key={key}')
    await press(imports, shared.save)
    await imports.waitFor({ state: 'detached' })
    await reads(content(page), 'Ours')
    expect((await root.ask('GET', '/api/settings')).body).toMatchObject({
      alert_template: null,
      account_limits: { max_keys: 10, spend: [{ window: '1d', usd: '2.5' }] },
      imports: [{ name: 'Ours', template: 'ours://import?key={key}' }],
    })
  },
)

longTest.each(walkedIn('zh-CN'))(
  'the installation is saved as a file, and what it leaves out is said, in $language',
  async ({ language, settings: t, shared }) => {
    await place.admin('POST', '/api/announcements', { title: { en: 'Hello', 'zh-CN': '您好' } })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings')
    await press(page, shared.moreActions)
    const item = page.getByRole('menuitem', { name: t.exporting.action })
    const [download] = await Promise.all([page.waitForEvent('download'), item.click()])
    expect(download.suggestedFilename()).toBe('tollgate.yaml')
    expect(await text(await download.createReadStream())).toContain('upstreams:')
    const done = page.getByRole('dialog', { name: t.exporting.done })
    await reads(done, 'Announcements are left out')
    await press(done, shared.close)
    await done.waitFor({ state: 'detached' })
  },
)

longTest.each(walkedIn('en'))(
  'an auditor sees where each value comes from, no secret, and nothing to change it with, in $language',
  async ({ language, settings: t, staff }) => {
    const auditor = await place.person({ role: 'auditor' })
    const { page, open } = await visit(place, { language, as: auditor })
    await open('/admin/settings')
    await arrives(page, t.title)
    await reads(content(page), staff.readOnly(staff.roles.auditor, [staff.roles.admin]))
    expect(await page.getByRole('button', { name: t.edit(t.settings.site_name.name) }).count()).toBe(0)
    expect(await page.getByRole('button', { name: t.alerts.test }).count()).toBe(0)
    // Neither by its address.
    await open('/admin/settings?edit=site_name')
    await arrives(page, t.title)
    await reads(content(page), t.settings.site_name.does)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await open('/admin/environment')
    await arrives(page, t.environment.title)
    await unfold(content(page), t.environment.parts.server)
    const row = page.getByRole('listitem').filter({ hasText: 'TOLLGATE_ADMIN_TOKEN' }).last()
    await reads(row, new RegExp(`${t.environment.secret}|${t.environment.unset('')}`))
    await page.getByRole('searchbox', { name: t.environment.search }).fill('TOLLGATE_ADMIN')
    await readsNoMore(content(page), t.environment.parts.telemetry)
    await row.waitFor()
  },
)

longTest.each(walkedIn('zh-CN'))(
  'a test of alerts says that they go nowhere, in $language',
  async ({ language, settings: t }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings')
    await press(page, t.alerts.test)
    await reads(page.getByRole('region', { name: t.alerts.title }), t.alerts.nowhere)
  },
)
