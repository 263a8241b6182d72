import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { eventually, press } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

const HELP = 'https://help.example.test'

describe.each(walkedIn('zh-CN'))('in $language', ({ language, refusals, start }) => {
  const { fix, toAdmin } = refusals

  /** Someone whose request was refused for want of money. */
  async function refused() {
    const person = await place.person()
    const { body } = await person.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    expect((await place.call(body.secret)).status).toBe(402)
    const { body: usage } = await person.ask('GET', '/api/usage')
    return { person, secret: String(body.secret), id: String(usage.data[0].id) }
  }

  test('where an address is given, a message to the admins begins there with the facts of the request and no secret', async () => {
    await place.admin('PATCH', '/api/settings', { support_address: 'help@example.test' })
    const { person, secret, id } = await refused()
    const { page, open, copied, context } = await visit(place, { language, as: person, friends: [HELP] })
    for (const path of [`/usage?record=${id}`, `/diagnose?request=${id}`, '/overview']) {
      await open(path)
      const group = path === '/overview' ? page.getByRole('listitem').filter({ hasText: start.credit.title }) : page
      const link = group.getByRole('link', { name: fix.writeAdmin, exact: true }).first()
      const { searchParams, pathname } = new URL((await link.getAttribute('href')) ?? '')
      expect(pathname).toBe('help@example.test')
      const body = searchParams.get('body') ?? ''
      expect(body).toContain(person.email)
      expect(body).not.toContain(secret.slice(6, 20))
      if (path !== '/overview') expect(body).toContain(`${toAdmin.id}: ${id}`)
      if (path !== '/overview') expect(body).toContain(`${toAdmin.model}: demo/echo`)
      if (path !== '/overview') expect(body).toContain(`${toAdmin.code}: balance_exhausted`)
    }
    // A page without a place for the message is opened, and the message is on the clipboard.
    await context.route(`${HELP}/**`, (route) => route.fulfill({ body: 'How can we help?' }))
    await place.admin('PATCH', '/api/settings', { support_address: `${HELP}/chat` })
    await open(`/usage?record=${id}`)
    await page.reload()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: fix.writeAdmin, exact: true }).click()
    expect((await opened).url()).toBe(`${HELP}/chat`)
    await eventually(() => copied.at(-1) ?? '').toContain(`${toAdmin.id}: ${id}`)
  })

  test('where none is given, the message and the facts are there to copy', async () => {
    await place.admin('PATCH', '/api/settings', { support_address: null })
    const { person, id } = await refused()
    const { page, open, copied } = await visit(place, { language, as: person })
    await open(`/diagnose?request=${id}`)
    await press(page, fix.askAdmin)
    await eventually(() => copied.at(-1) ?? '').toContain(`${toAdmin.account}: ${person.email}`)
    await press(page, fix.copySupport)
    await eventually(() => copied.at(-1) ?? '').toMatch(new RegExp(`^${toAdmin.id}: ${id}`))
    expect(await page.getByRole('link', { name: fix.writeAdmin }).count()).toBe(0)
  })
})
