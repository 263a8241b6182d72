import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What an admin comes to on a gateway that starts without the demo, until the first real response. In LinkStack 467 and
// VyManager 425 that is a page on which nothing can be done.

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace({ TOLLGATE_DEMO: '0' })
})
afterAll(() => place.stop())

describe.each(walkedIn('en'))('in $language', (texts) => {
  const { language, operations, outside, overview, shared, start } = texts
  const { steps } = operations.setup

  test('an admin is led by buttons from the link to a first real response, without asking an admin', async () => {
    const fake = await startFakeUpstream()
    onTestFinished(() => fake.close())
    const { page, open } = await visit(place, { language })
    const next = (name: string) => content(page).getByRole('link', { name, exact: true })
    await page.goto(place.setUpLink)
    await fill(page, outside.email, 'root@example.test')
    await fill(page, outside.password, 'correct horse battery staple')
    await press(page, outside.setUp.action)
    await arrives(page, operations.title)
    // The overview and the logo lead on as well.
    await open('/overview')
    await page.getByRole('region', { name: start.provider.title }).getByRole('link').waitFor()
    await reads(content(page), start.provider.lead)
    await page.getByRole('link', { name: 'Tollgate', exact: true }).first().click()
    await arrives(page, operations.title)
    await next(steps.provider).click()
    await page.getByRole('dialog').waitFor()

    const upstream = { name: 'acme', protocol: 'openai', base_url: `${fake.url}/v1`, credential: 'a secret' }
    await place.admin('POST', '/api/upstreams', upstream)
    const targets = [{ upstream: 'acme', model: 'fake/echo' }]
    const price = { input: '1', output: '1' }
    await place.admin('POST', '/api/models', { name: 'acme/echo', price, targets })
    const [group] = (await place.admin('GET', '/api/groups')).body.data
    await place.admin('PATCH', `/api/groups/${group.id}`, { models: ['acme/echo'] })
    await open('/')
    await arrives(page, operations.title)
    await next(operations.setup.go.answered).click()
    await arrives(page, shared.pages.overview)
    expect(await page.getByRole('region', { name: start.provider.title }).count()).toBe(0)

    const list = page.getByRole('list', { name: start.steps })
    await reads(list, start.credit.why)
    expect(await list.innerText()).not.toContain(start.credit.ask)
    await press(list, start.credit.own)
    await press(page.getByRole('dialog', { name: start.credit.own }), start.credit.title)
    await hears(page, start.credit.ownDone('$10.00'))
    await press(list, start.key.create)
    await press(list, texts.key.message.send)
    await hears(page, texts.key.message.answered('acme/echo'))
    expect(fake.requests).toHaveLength(1)
    await press(list, start.key.copySecret)
    await open('/')
    await arrives(page, shared.pages.overview)
    await page.getByRole('link', { name: overview.setUp, exact: true }).waitFor()
    await eventually(async () => (await place.admin('GET', '/api/attention')).body.setup.answered).toBe(true)
  })

  test('staff without a key of their own come to Operations while others call, and users to their overview', async () => {
    const night = await place.person({ role: 'operator' })
    const forStaff = await visit(place, { language, as: night })
    await forStaff.open('/')
    await arrives(forStaff.page, operations.title)
    const user = await place.person({ balance: '1' })
    const forUsers = await visit(place, { language, as: user })
    await forUsers.open('/')
    await arrives(forUsers.page, shared.pages.overview)
  })
})
