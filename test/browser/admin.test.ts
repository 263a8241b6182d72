import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { localProxy } from '../support/local-proxy.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, chooseFrom, content, eventually, field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// The pages of those who run the place, as an admin goes through them.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'admins find their pages beside their own, on phones too, and others find nothing there, in $language',
  async ({ language, shared, shell, operations }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/keys')
    const sides = page.getByRole('navigation', { name: shared.sides.label })
    await sides.getByRole('link', { name: shared.sides.admin }).click()
    await arrives(page, operations.title)
    await page
      .getByRole('navigation', { name: shell.admin.navigation, exact: true })
      .getByRole('link')
      .first()
      .waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await open('/keys')
    await press(page, shell.admin.more)
    const sheet = page.getByRole('dialog', { name: shell.admin.more })
    await sheet.getByRole('link', { name: shell.admin.pages.operations }).click()
    await arrives(page, operations.title)
    await reads(content(page), operations.setup.steps.provider)

    const other = await visit(place, { language, as: await place.person() })
    await other.open('/admin')
    await arrives(other.page, shared.notFound.title)
    expect(await other.page.getByRole('navigation', { name: shell.admin.navigation }).count()).toBe(0)
    expect(await other.page.getByRole('navigation', { name: shared.sides.label }).count()).toBe(0)
  },
)

test.each(walkedIn('zh-CN'))(
  'three fields and a price lead to a first real answer of a provider, and its credential is tested and disabled, in $language',
  async ({ language, upstreams: t, operations, shared }) => {
    const fake = await startFakeUpstream({ requiredCredential: 'the-credential-of-this-test-9f3Q' })
    const proxy = await localProxy({ kind: 'http', login: 'me:the-word-for-the-proxy' })
    onTestFinished(async () => void (await Promise.all([fake.close(), proxy.close()])))
    const name = `fake-${language}`
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams?new=upstream')
    const drawer = page.getByRole('dialog', { name: t.new })
    await fill(drawer, t.adding.url, `${fake.url}/v1`)
    await fill(drawer, t.adding.secrets, 'a-wrong-one')
    await drawer.getByText(t.adding.more).click()
    await fill(drawer, t.adding.name, name)
    await press(drawer, t.adding.look)
    await reads(drawer, t.adding.nothing)
    await reads(drawer, '401')
    await fill(drawer, t.adding.secrets, 'the-credential-of-this-test-9f3Q\na-wrong-one')
    await fill(drawer, t.adding.proxy, 'ftp://localhost')
    await press(drawer, t.adding.look)
    await eventually(() => field(drawer, t.adding.proxy).getAttribute('aria-invalid')).toBe('true')
    await fill(drawer, t.adding.proxy, proxy.url)
    await press(drawer, t.adding.look)
    await reads(drawer, shared.labelled(t.adding.credential(2), t.adding.refused))
    await drawer.getByRole('checkbox', { name: 'fake/echo', exact: true }).check()
    await drawer.getByRole('textbox', { name: t.adding.inputOf('fake/echo') }).fill('1')
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.adding.pricePair)
    await drawer.getByRole('textbox', { name: t.adding.outputOf('fake/echo') }).fill('2')
    const looked = proxy.asked.length
    await press(drawer, t.adding.createWith(1))
    await reads(drawer, t.testing.good)
    expect(proxy.asked.length).toBeGreaterThan(looked)
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
    expect(JSON.stringify(body)).not.toMatch(/the-(credential|word)/)
    await open('/admin')
    await reads(content(page), operations.week.requests)
    expect((await root.ask('GET', '/api/attention')).body.setup).toMatchObject({
      provider: true,
      model: true,
      answered: true,
    })
  },
)

test.each(walkedIn('zh-CN'))(
  'an account is found, credited once for each reference, given a link, disabled, and another is invited, in $language',
  async ({ language, accounts: t, oneAccount, audit, problems, shared }) => {
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
    }
    const form = page.getByRole('dialog', { name: t.credit.title(ada.email) })
    await credit()
    await form.waitFor({ state: 'detached' })
    await reads(content(page), 'paid (R-7)')
    await credit()
    await reads(form, problems.reference_taken)
    await press(form, shared.cancel)
    expect((await root.ask('GET', `/api/accounts/${ada.id}`)).body.balance).toBe('13.5')
    await chooseFrom(page, oneAccount.moreActions, t.reset)
    const link = page.getByRole('dialog', { name: t.link.title })
    await reads(link, '/console/reset-password#')
    await press(link, shared.close)
    await chooseFrom(page, oneAccount.moreActions, t.disable)
    await press(page.getByRole('alertdialog'), t.disable)
    await reads(content(page), t.statuses.disabled)
    await open('/admin/accounts?new=invitation')
    await press(page.getByRole('dialog', { name: t.inviting.title }), t.inviting.action(1))
    await reads(page.getByRole('dialog', { name: t.invited.title(1) }), '/console/invitation#')
    await open(`/admin/audit?q=${ada.id}`)
    const entries = page.getByRole('region', { name: audit.title })
    await reads(entries, shared.labelled(t.columns.status, `${t.statuses.active} → ${t.statuses.disabled}`))
    await reads(entries, audit.sentences['account.update'] ?? '')
  },
)

test.each(walkedIn('en'))(
  'a model is added, given another target and deleted by its page, in $language',
  async ({ language, prices: t, shared }) => {
    const name = `by-hand-${language}`
    const { body: upstream } = await root.ask('POST', '/api/upstreams', {
      name: `for-${name}`,
      protocol: 'openai',
      base_url: 'http://127.0.0.1:1/v1',
    })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/models')
    await press(page, t.adding.title)
    const adding = page.getByRole('dialog', { name: t.adding.title })
    await fill(adding, t.adding.name, name)
    await fill(adding, t.adding.input, '1')
    await press(adding, t.adding.action)
    await reads(adding, t.adding.pricePair)
    await fill(adding, t.adding.output, '2')
    await press(adding, t.adding.action)
    await arrives(page, name)
    await press(page, t.targets.edit)
    const form = page.getByRole('dialog', { name: t.targets.editTitle(name) })
    await press(form, t.targets.add)
    await field(form, t.targets.fields.upstream).selectOption(upstream.name)
    await fill(form, t.targets.fields.model, 'theirs')
    await fill(form, t.targets.fields.priority, '-1')
    await press(form, shared.save)
    await reads(form, t.targets.objections.whole)
    await fill(form, t.targets.fields.priority, '3')
    await fill(form, t.targets.fields.factor, '0.5')
    await reads(form, t.targets.fields.fieldsLikeHint)
    await fill(form, t.targets.fields.fields_like, 'gpt-5.5')
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    const { body } = await root.ask('GET', '/api/models?limit=200')
    expect(body.data.find((each: { name: string }) => each.name === name)).toMatchObject({
      price: { input: '1', output: '2' },
      targets: [
        {
          upstream: upstream.name,
          model: 'theirs',
          priority: 3,
          weight: 1,
          cost: { factor: '0.5' },
          fields_like: 'gpt-5.5',
        },
      ],
    })
    await chooseFrom(page, shared.moreActions, t.deleting.action)
    await press(page.getByRole('alertdialog', { name: t.deleting.title(name) }), t.deleting.action)
    await arrives(page, t.title)
    const after = (await root.ask('GET', '/api/models?limit=200')).body.data
    expect(after.map((each: { name: string }) => each.name)).not.toContain(name)
  },
)

test.each(walkedIn('zh-CN'))(
  'who may only read a page finds the reason there and no button that changes anything, in $language',
  async ({ language, staff, shell, upstreams, accounts, oneAccount }) => {
    const [auditor, finance] = [await place.person({ role: 'auditor' }), await place.person({ role: 'finance' })]
    const reader = await visit(place, { language, as: auditor })
    await reader.open('/admin/upstreams')
    await reader.page.getByRole('navigation', { name: shell.admin.navigation, exact: true }).waitFor()
    const { roles } = staff
    await reads(content(reader.page), staff.readOnly(roles.auditor, [roles.operator, roles.admin]))
    expect(await reader.page.getByRole('button', { name: upstreams.new }).count()).toBe(0)
    const other = await visit(place, { language, as: finance })
    await other.open(`/admin/accounts/${auditor.id}`)
    await other.page.getByRole('button', { name: accounts.credit.action }).waitFor()
    expect(await other.page.getByRole('button', { name: oneAccount.moreActions }).count()).toBe(0)
    expect(await other.page.getByRole('button', { name: accounts.seeAs.action }).count()).toBe(0)
  },
)
