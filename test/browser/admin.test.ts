import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { type Person, type Place, startPlace } from './place.ts'
import { arrives, content, eventually, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// The pages of those who run the place, as an admin goes through them.

let place: Place
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(LANGUAGES)(
  'admins find their pages beside their own, on phones too, and others find nothing there, in $language',
  async ({ language, shared, shell, operations }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/keys')
    const rail = page.getByRole('navigation', { name: shell.admin.navigation })
    await rail.getByRole('link', { name: shell.admin.pages.operations }).click()
    await arrives(page, operations.title)
    await rail.getByRole('button', { name: shell.admin.groups.operate }).click()
    await page.reload()
    await eventually(() => rail.getByRole('button').first().getAttribute('aria-expanded')).toBe('false')
    await page.setViewportSize({ width: 360, height: 740 })
    await open('/keys')
    await press(page, shell.admin.more)
    const sheet = page.getByRole('dialog', { name: shell.admin.more })
    await sheet.getByRole('button', { name: shell.admin.groups.operate }).click()
    await sheet.getByRole('link', { name: shell.admin.pages.operations }).click()
    await arrives(page, operations.title)
    await reads(content(page), operations.setup.steps.provider)

    const other = await visit(place, { language, as: await place.person() })
    await other.open('/admin')
    await arrives(other.page, shared.notFound.title)
    expect(await other.page.getByRole('navigation', { name: shell.admin.navigation }).count()).toBe(0)
  },
)
