import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGE_NAMES } from '../../console/language.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'an announcement is written, seen before it is sent, read by whom it is for, edited, ended and deleted, in $language',
  async ({ language, announcements: t, shared, outside }) => {
    const ada = await place.person()
    const title = { en: `Storage moves ${language}`, 'zh-CN': `存储迁移 ${language}` }
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/announcements')
    await arrives(page, t.title)
    await press(page, t.new)
    const form = page.getByRole('dialog', { name: t.new })
    await press(form, t.form.create)
    await reads(form, shared.required)
    const preview = form.getByRole('region', { name: t.form.preview })
    await fill(form, t.form.titleIn(LANGUAGE_NAMES.en), title.en)
    await reads(preview, title.en)
    await fill(form, t.form.titleIn(LANGUAGE_NAMES['zh-CN']), title['zh-CN'])
    await fill(form, t.form.textIn(LANGUAGE_NAMES.en), 'It takes an hour.')
    await field(form, t.form.level).selectOption('warning')
    await field(form, t.form.ends).fill('2020-01-01T00:00')
    await press(form, t.form.create)
    await reads(form, t.form.endsFirst)
    await field(form, t.form.ends).fill('2099-01-01T00:00')
    for (const each of Object.values(title)) await reads(preview, each)
    await press(form, t.form.create)
    await form.waitFor({ state: 'detached' })
    const { body } = await ada.ask('GET', '/api/announcements')
    expect(body.data).toMatchObject([{ title, level: 'warning', text: { en: 'It takes an hour.' }, state: 'running' }])

    await page.getByRole('button', { name: title[language], exact: true }).click()
    const edited = page.getByRole('dialog', { name: t.form.editTitle })
    await field(edited, t.form.audience).selectOption('signed_out')
    await press(edited, shared.save)
    await edited.waitFor({ state: 'detached' })
    expect((await ada.ask('GET', '/api/announcements')).body.data).toEqual([])
    const guest = await visit(place, { language })
    await guest.open('/sign-in')
    await arrives(guest.page, outside.signIn.title)
    await reads(content(guest.page), title[language])

    const choose = async (action: string): Promise<void> => {
      await press(page, t.actionsOf(title[language]))
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose(t.endNow)
    await reads(page.getByRole('row').filter({ hasText: title[language] }), t.states.over)
    await choose(t.delete)
    const deleting = page.getByRole('alertdialog', { name: t.deleting.title(title[language]) })
    await press(deleting, t.deleting.action)
    await deleting.waitFor({ state: 'detached' })
    await readsNoMore(content(page), title[language])
    await eventually(async () => (await root.ask('GET', '/api/announcements?which=all')).body.data).toEqual([])
  },
)
