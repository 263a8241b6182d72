import { beforeAll, expect, test } from 'vitest'
import { chooseByKeys, hasFocus, tabTo } from './by-keyboard.ts'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, eventually, field } from './reading.ts'
import { visit } from './visit.ts'

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

test.each(walkedIn('zh-CN'))(
  'a key is made, copied, disabled and deleted by keyboard alone, in $language',
  async (texts) => {
    const { language, keys, shared } = texts
    const ada = await place.person()
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/keys')
    await arrives(page, shared.pages.keys)
    await page.keyboard.press('Tab')
    await eventually(() => hasFocus(page.getByRole('link', { name: shared.skipToContent }))).toBe(true)
    await page.keyboard.press('Enter')
    const create = page.getByRole('button', { name: keys.create, exact: true }).first()
    await tabTo(page, create)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: keys.form.title })
    await eventually(() => hasFocus(field(form, keys.form.name))).toBe(true)
    await page.keyboard.type('laptop')
    const validity = form.getByRole('radio', { name: keys.form.validities.permanent })
    await tabTo(page, validity)
    await page.keyboard.press('ArrowRight')
    await eventually(() => form.getByRole('radio', { name: keys.form.validities.days(7) }).isChecked()).toBe(true)
    await tabTo(page, form.getByRole('button', { name: keys.form.submit, exact: true }))
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    // The next thing to do has the focus already.
    await eventually(() => hasFocus(shown.getByRole('button', { name: keys.secret.copy, exact: true }))).toBe(true)
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: keys.secret.leaveTitle })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await tabTo(page, shown.getByRole('button', { name: keys.secret.copy, exact: true }))
    await page.keyboard.press('Enter')
    await eventually(() => copied.at(-1) ?? '').toMatch(/^sk-tg-/)
    await eventually(() => shown.getByRole('checkbox', { name: keys.secret.saved }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
    // Back where it began, so that a reader of the screen is not lost.
    await eventually(() => hasFocus(create)).toBe(true)

    const more = page.getByRole('button', { name: keys.actionsOf('laptop'), exact: true })
    await chooseByKeys(page, more, keys.disable)
    const disabling = page.getByRole('alertdialog')
    await tabTo(page, disabling.getByRole('button', { name: keys.confirm.disableAction }))
    await page.keyboard.press('Enter')
    await disabling.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: keys.statuses.disabled }).waitFor()
    await chooseByKeys(page, more, keys.delete)
    const deleting = page.getByRole('alertdialog', { name: keys.confirm.deleteTitle('laptop') })
    // A key that was pressed once too often deletes nothing.
    await eventually(() => hasFocus(deleting.getByRole('button', { name: shared.cancel, exact: true }))).toBe(true)
    await tabTo(page, deleting.getByRole('button', { name: keys.confirm.deleteAction }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: keys.empty.title }).waitFor()
    expect((await ada.ask('GET', '/api/keys')).body.data).toEqual([])
  },
)
