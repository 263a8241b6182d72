import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, chooseFrom, eventually, fill, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// The pages of those who run the place, as an admin goes through them.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())
const accountOf = async (id: string | undefined) => (await root.ask('GET', `/api/accounts/${id}`)).body

test.each(walkedIn('en'))(
  'several accounts are credited by a list that is checked first, once for each reference, and disabled, in $language',
  async ({ language, accounts: t }) => {
    const [ada, bob] = [await place.person({ balance: '1' }), await place.person({ balance: '1' })]
    const { page, open } = await visit(place, { language, as: root })
    const credit = async (state: 'done' | 'before'): Promise<void> => {
      await open('/admin/accounts?new=credits')
      const form = page.getByRole('dialog', { name: t.credits.title })
      await fill(form, t.credits.list, `email,amount\n${ada.email},2.5\n${bob.email},1\nnone@x.test,4\neve,1`)
      await fill(form, t.credit.reason, 'paid')
      await fill(form, t.credit.reference, `R-${ada.id}`)
      await press(form, t.credits.check)
      await reads(form, t.credits.states.unknown)
      await reads(form, t.credits.objections.form)
      await reads(form, t.credits.sum(2, '$3.50'))
      await press(form, t.credits.send(2))
      await eventually(() => form.getByText(t.credits.states[state]).count()).toBe(2)
    }
    await credit('done')
    await credit('before')
    expect([(await accountOf(ada.id)).balance, (await accountOf(bob.id)).balance]).toEqual(['3.5', '2'])
    await open('/admin/accounts')
    for (const { email } of [ada, bob]) {
      await page.getByRole('row').filter({ hasText: email }).getByRole('checkbox').check()
    }
    await press(page, t.disable)
    await press(page.getByRole('alertdialog', { name: t.bulk.disableTitle(2) }), t.disable)
    await hears(page, t.bulk.changed(2))
    expect([(await accountOf(ada.id)).status, (await accountOf(bob.id)).status]).toEqual(['disabled', 'disabled'])
  },
)

test.each(walkedIn('zh-CN'))(
  'accounts of all pages are given a limit together, and some of them a group, in $language',
  async ({ language, accounts: { bulk: t, search }, account, shared }) => {
    const people: Person[] = []
    while (people.length < 50) people.push(...(await Promise.all(Array.from({ length: 5 }, () => place.person()))))
    const [ada, bob] = people
    await root.ask('PATCH', `/api/accounts/${ada?.id}`, { limits: { concurrency: 7, max_keys: 3 } })
    const group = `inside-${language}`
    const perMinute = language === 'en' ? 8 : 9 // Who has the limit already is not changed.
    const { body: made } = await root.ask('POST', '/api/groups', { name: group, open: false })
    const every = (await root.ask('GET', '/api/accounts?limit=200')).body.data.length
    const { page, open } = await visit(place, { language, as: root })
    const loading = Promise.withResolvers<void>()
    await page.route('**/api/accounts?*', (route) => loading.promise.then(() => route.continue()))
    await open('/admin/accounts')
    const selectAll = page.getByRole('checkbox', { name: shared.table.selectAll })
    await eventually(() => selectAll.isDisabled()).toBe(true)
    loading.resolve()
    await selectAll.check()
    await press(page, shared.table.selectEvery)
    await page.getByText(shared.table.selected(every)).waitFor()
    await press(page, t.limits.action)
    const limits = page.getByRole('dialog', { name: t.limits.title(every) })
    await fill(limits, account.limits.counts.requests_per_minute, String(perMinute))
    await press(limits, t.send(every))
    await hears(page, t.changed(every))
    expect((await accountOf(ada?.id)).limits).toEqual({ concurrency: 7, max_keys: 3, requests_per_minute: perMinute })
    expect((await accountOf(people.at(-1)?.id)).limits).toEqual({ requests_per_minute: perMinute })

    await page.getByRole('searchbox', { name: search }).fill(bob?.email ?? '')
    await eventually(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('checkbox', { name: shared.table.selectAll }).check()
    await press(page, t.groups.action)
    const groups = page.getByRole('dialog', { name: t.groups.title(1) })
    await groups.getByRole('combobox', { name: t.groups.open, exact: true }).fill(group)
    await page.getByRole('option', { name: group }).click()
    await press(groups, t.send(1))
    await hears(page, t.changed(1))
    expect((await accountOf(bob?.id)).open_groups).toEqual([made.id])
    expect((await accountOf(ada?.id)).open_groups).toEqual([])
  },
)

test.each(walkedIn('zh-CN'))(
  'an upstream gets more credentials, each with what came of it, is edited and deleted, in $language',
  async ({ language, upstreams: t, shared }) => {
    const secret = 'the-credential-of-this-pool-9f3Q'
    const fake = await startFakeUpstream({ requiredCredential: secret })
    onTestFinished(() => fake.close())
    const name = `pool-${language}`
    const body = { name, protocol: 'openai', base_url: `${fake.url}/v1`, credential: secret }
    const { body: made } = await root.ask('POST', '/api/upstreams', body)
    await root.ask('POST', '/api/models', {
      name: `of-${name}`,
      price: { input: '1', output: '1' },
      targets: [{ upstream: name, model: 'fake/echo' }],
    })
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/upstreams/${made.id}`)
    await press(page, t.pooling.action)
    const adding = page.getByRole('dialog', { name: t.pooling.title })
    await fill(adding, t.pooling.secrets, `${secret}\na-wrong-one\n${secret}`)
    await press(adding, t.pooling.action)
    const added = page.getByRole('dialog', { name: t.pooling.added(2) })
    await reads(added, `credential 2: ${t.pooling.answers}`)
    await reads(added, 'credential 3: ')
    await eventually(() => added.getByText(t.pooling.answers).count()).toBe(1)
    await added.getByRole('button', { name: shared.close, exact: true }).last().click()
    await press(page, t.editing.action)
    const editing = page.getByRole('dialog', { name: t.editing.title(name) })
    await fill(editing, t.editing.fields.max_concurrency, 'many')
    await press(editing, shared.save)
    await reads(editing, t.editing.countForm)
    await fill(editing, t.editing.fields.max_concurrency, '7')
    await fill(editing, t.editing.fields.base_url, `${fake.url}/v2`)
    await press(editing, shared.save)
    await reads(editing, shared.required)
    await fill(editing, t.editing.fields.credential, secret)
    await press(editing, shared.save)
    await editing.waitFor({ state: 'detached' })
    expect((await root.ask('GET', `/api/upstreams/${made.id}`)).body).toMatchObject({
      base_url: `${fake.url}/v2`,
      max_concurrency: 7,
      credentials: [{ name: 'default' }],
    })
    await press(page, t.actionsOf(name))
    await page.getByRole('menuitem', { name: t.deleting.action }).click()
    const deleting = page.getByRole('alertdialog', { name: t.deleting.title(name) })
    await reads(deleting, `of-${name}`)
    await press(deleting, t.deleting.actionWithModels(1))
    await arrives(page, t.title)
    expect((await root.ask('GET', '/api/models?search=of-pool')).body.data).toEqual([])
    expect(
      (await root.ask('GET', '/api/upstreams')).body.data.map((each: { name: string }) => each.name),
    ).not.toContain(name)
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

test('of two admins who change one account, the second sees both versions and chooses', async () => {
  const [{ language, accounts: t, oneAccount, shared }] = LANGUAGES
  const ada = await place.person()
  const { page, open } = await visit(place, { language, as: root })
  await open(`/admin/accounts/${ada.id}`)
  const form = page.getByRole('dialog', { name: t.changeRole.title(ada.email) })
  const choose = async (role: 'finance' | 'operator', meanwhile: 'auditor' | 'user'): Promise<void> => {
    await chooseFrom(page, oneAccount.moreActions, t.changeRole.action)
    await form.getByRole('radio', { name: t.roles[role] }).check()
    expect((await root.ask('PATCH', `/api/accounts/${ada.id}`, { role: meanwhile })).status).toBe(200)
    await press(form, shared.save)
    await reads(form, shared.collision.title)
    await reads(form.getByRole('row', { name: t.columns.role }), t.roles[meanwhile])
  }
  const roleNow = async (): Promise<unknown> => (await accountOf(ada.id)).role
  await choose('finance', 'auditor')
  await press(form, shared.collision.keepMine)
  await form.waitFor({ state: 'detached' })
  await eventually(roleNow).toBe('finance')
  await choose('operator', 'user')
  await press(form, shared.collision.takeTheirs)
  await form.waitFor({ state: 'detached' })
  await eventually(roleNow).toBe('user')
})
