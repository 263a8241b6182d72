import { beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, eventually, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What *Requests* shows, kept under names of the person's own.

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

test.each(walkedIn('en'))(
  'a view of Requests is saved, opened, renamed and deleted, and each person has their own, in $language',
  async ({ language, requests: t, shared }) => {
    const [root, other] = await Promise.all([place.person({ role: 'admin' }), place.person({ role: 'auditor' })])
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/requests?by=fault&days=1&group=default')
    await arrives(page, t.title)
    await press(page, t.views.action)
    const views = page.getByRole('dialog', { name: t.views.title })
    await press(views, t.views.save)
    await reads(views, shared.required)
    await fill(views, t.views.name, 'errors of default')
    await press(views, t.views.save)
    await hears(page, t.views.saved('errors of default'))
    const list = views.getByRole('list', { name: t.views.list })
    await reads(list, t.dimensions.fault)
    await reads(list, t.spans['1'])
    await reads(list, 'default')

    // It is there at the next visit, from another view.
    await open('/admin/requests?by=account')
    await press(page, t.views.action)
    await press(list, 'errors of default')
    await views.waitFor({ state: 'detached' })
    const shown = (name: string): string | null => new URL(page.url()).searchParams.get(name)
    await eventually(() => [shown('by'), shown('group')]).toEqual(['fault', 'default'])

    await press(page, t.views.action)
    await press(list, t.views.renameOf('errors of default'))
    await fill(views, t.views.newName('errors of default'), 'what fails')
    await press(views, t.views.rename)
    await hears(page, t.views.saved('what fails'))
    expect(await list.getByRole('listitem').count()).toBe(1)
    await press(list, t.views.deleteOf('what fails'))
    await list.waitFor({ state: 'detached' })

    await fill(views, t.views.name, 'of mine')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: 'of mine', exact: true }).waitFor()
    const theirs = await visit(place, { language, as: other })
    await theirs.open('/admin/requests')
    await press(theirs.page, t.views.action)
    await theirs.page.getByRole('dialog', { name: t.views.title }).waitFor()
    expect(await theirs.page.getByRole('listitem').filter({ hasText: 'of mine' }).count()).toBe(0)
  },
)
