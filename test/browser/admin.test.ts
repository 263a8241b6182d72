import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { LANGUAGES } from './languages.ts'
import { type Person, type Place, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
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

test.each(LANGUAGES)(
  'three fields and a price lead to a first real answer of a provider, and its credential is tested and disabled, in $language',
  async ({ language, upstreams: t, operations }) => {
    const fake = await startFakeUpstream({ requiredCredential: 'the-credential-of-this-test-9f3Q' })
    onTestFinished(() => fake.close())
    const name = `fake-${language}`
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams?new=upstream')
    const drawer = page.getByRole('dialog', { name: t.new })
    await fill(drawer, t.adding.url, `${fake.url}/v1`)
    await fill(drawer, t.adding.secrets, 'a-wrong-one')
    await fill(drawer, t.adding.name, name)
    await press(drawer, t.adding.look)
    await reads(drawer, t.adding.nothing)
    await reads(drawer, '401')
    await fill(drawer, t.adding.secrets, 'the-credential-of-this-test-9f3Q\na-wrong-one')
    await press(drawer, t.adding.look)
    await reads(drawer, `${t.adding.credential(2)}: ${t.adding.refused}`)
    await drawer.getByRole('checkbox', { name: 'fake/echo', exact: true }).check()
    await drawer.getByRole('textbox', { name: t.adding.inputOf('fake/echo') }).fill('1')
    await press(drawer, t.adding.create)
    await reads(drawer, t.adding.pricePair)
    await drawer.getByRole('textbox', { name: t.adding.outputOf('fake/echo') }).fill('2')
    await press(drawer, t.adding.create)
    await reads(drawer, t.testing.good)
    await drawer.getByRole('link', { name: t.adding.open }).click()

    await arrives(page, name)
    const credential = page.getByRole('listitem', { name: 'default', exact: true })
    // By this an admin recognises it.
    await reads(credential, '…9f3Q')
    await press(credential, `${t.disable} default`)
    await reads(credential, t.states.disabled)
    await press(credential, `${t.enable} default`)
    await reads(credential, t.states.healthy)
    await press(credential, `${t.test} default`)
    await press(page.getByRole('dialog'), t.testing.send)
    await reads(page.getByRole('dialog'), t.testing.good)
    const { body } = await root.ask('GET', '/api/audit?action=upstream.create')
    expect(JSON.stringify(body)).not.toContain('the-credential')
    await open('/admin')
    await reads(content(page), operations.week.requests)
    expect((await root.ask('GET', '/api/attention')).body.setup).toMatchObject({
      provider: true,
      model: true,
      answered: true,
    })
  },
)

test.each(LANGUAGES)(
  'an account is found, credited once for each reference, given a link, disabled, and another is invited, in $language',
  async ({ language, accounts: t, audit, shared }) => {
    const ada = await place.person({ balance: '1' })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/accounts')
    await page.getByRole('searchbox', { name: t.search }).fill(ada.email.toUpperCase())
    await eventually(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: ada.email, exact: true }).click()
    await arrives(page, ada.email)
    const credit = async (): Promise<void> => {
      await press(page, t.credit.action)
      const form = page.getByRole('dialog', { name: t.credit.title(ada.email) })
      await fill(form, t.credit.amount, '0')
      await fill(form, t.credit.reason, 'paid')
      await fill(form, t.credit.reference, 'R-7')
      await press(form, t.credit.action)
      await reads(form, t.credit.amountForm)
      await fill(form, t.credit.amount, '12.5')
      await press(form, t.credit.action)
      await form.waitFor({ state: 'detached' })
    }
    await credit()
    await credit()
    await reads(content(page), 'paid (R-7)')
    expect((await root.ask('GET', `/api/accounts/${ada.id}`)).body.balance).toBe('13.5')
    await press(page, t.reset)
    const link = page.getByRole('dialog', { name: t.link.title })
    await reads(link, '/console/reset-password#')
    await press(link, shared.close)
    await press(page, t.disable)
    await press(page.getByRole('alertdialog'), t.disable)
    await reads(content(page), t.statuses.disabled)
    await open('/admin/accounts?new=invitation')
    await press(page.getByRole('dialog', { name: t.inviting.title }), t.inviting.action)
    await reads(page.getByRole('dialog', { name: t.link.title }), '/console/invitation#')
    await open(`/admin/audit?q=${ada.id}`)
    const entries = page.getByRole('region', { name: audit.title })
    await reads(entries, 'status active → disabled')
  },
)

test('an admin sets after what time a second upstream is asked for a model, which says who pays for it', async () => {
  const [{ language, models, modelSettings: t, shared }] = LANGUAGES
  const { body: made } = await root.ask('POST', '/api/models', { name: 'to-be-hedged', recommended: true })
  const { page, open } = await visit(place, { language, as: root })
  await open('/models?model=to-be-hedged')
  const drawer = page.getByRole('dialog', { name: 'to-be-hedged', exact: true })
  await press(drawer, models.drawer.edit)
  const form = page.getByRole('dialog', { name: t.title('to-be-hedged') })
  await reads(form, t.hedgeHint)
  await fill(form, t.hedge_after_ms, 'soon')
  await press(form, shared.save)
  await reads(form, t.wholeNumber)
  await fill(form, t.hedge_after_ms, '5')
  await press(form, shared.save)
  await reads(form, '10')
  await fill(form, t.hedge_after_ms, '800')
  await fill(form, t.input_price, '2')
  await fill(form, t.output_price, '8')
  await press(form, shared.save)
  await form.waitFor({ state: 'detached' })
  expect((await root.ask('GET', `/api/models/${made.id}`)).body).toMatchObject({
    hedge_after_ms: 800,
    recommended: true,
    kind_from: 'default',
    price: { input: '2', output: '8' },
  })
})
