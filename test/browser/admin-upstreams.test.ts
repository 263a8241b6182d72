import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { longTest } from '../support/run/long-test.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What an admin does on the page of one upstream.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'each model of an upstream is tested with each credential, its cost said before, in $language',
  async ({ language, upstreams: t }) => {
    const secret = 'the-credential-of-this-matrix-9f3Q'
    const fake = await startFakeUpstream({ requiredCredential: secret })
    onTestFinished(() => fake.close())
    const name = `matrix-${language}`
    const credentials = [
      { name: 'good', secret },
      { name: 'wrong', secret: 'a-wrong-one' },
    ]
    const upstream = { name, protocol: 'openai', base_url: `${fake.url}/v1`, credentials }
    const { body: created } = await root.ask('POST', '/api/upstreams', upstream)
    for (const nth of ['one', 'two', 'three']) {
      const targets = [{ upstream: name, model: 'fake/echo' }]
      const price = { input: '100', output: '100' }
      await root.ask('POST', '/api/models', { name: `${name}-${nth}`, price, targets })
    }
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/upstreams/${created.id}`)
    await press(page, t.matrix.action)
    const dialog = page.getByRole('dialog', { name: t.matrix.title })
    await dialog.getByRole('checkbox', { name: `${name}-three`, exact: true }).uncheck()
    await reads(dialog, t.matrix.requests(4))
    await reads(dialog, '0.0184')
    await press(dialog, t.matrix.start(4))
    await reads(dialog, t.matrix.answered(2, 4))
    await reads(dialog, `${name}-one · wrong`)
    await reads(dialog, '401')
    await eventually(() => dialog.getByRole('cell').count()).toBe(4)
    await press(dialog, t.matrix.choose)
    await dialog.getByRole('checkbox', { name: 'wrong', exact: true }).uncheck()
    await press(dialog, t.matrix.start(2))
    await reads(dialog, t.matrix.answered(2, 2))
    expect(fake.requests).toHaveLength(6)
    await press(dialog, t.matrix.choose)
    await dialog.getByText(t.testing.options.title).click()
    await fill(dialog, t.testing.options.text, 'What is tea?')
    await dialog.getByRole('checkbox', { name: t.testing.options.stream }).check()
    await press(dialog, t.matrix.start(2))
    await reads(dialog, t.matrix.answered(2, 2))
    const [asked] = fake.requests.slice(6)
    expect(JSON.parse(String(asked?.body))).toMatchObject({ stream: true, messages: [{ content: 'What is tea?' }] })
  },
)

test.each(walkedIn('zh-CN'))(
  'what an upstream lists is compared with what is served from it: added at its list price, ignored, or gone, in $language',
  async ({ language, upstreams: { comparing: t, adding } }) => {
    const fake = await startFakeUpstream({ listedModels: ['jamba-1.5', 'unwanted'] })
    onTestFinished(() => fake.close())
    const name = `compared-${language}`
    const upstream = { name, protocol: 'openai-chat', base_url: `${fake.url}/v1` }
    const { body: created } = await root.ask('POST', '/api/upstreams', upstream)
    const withdrawn = [{ upstream: name, model: 'withdrawn' }]
    await root.ask('POST', '/api/models', { name: `${name}-withdrawn`, targets: withdrawn })
    const { body: group } = await root.ask('POST', '/api/groups', {
      name: `${name}-group`,
      models: [`${name}-withdrawn`],
    })
    const { page, open } = await visit(place, { language, as: root })
    // The list prices come later than what is ticked.
    const ticked = Promise.withResolvers<void>()
    await page.route('**/api/prices/catalogue', (route) => ticked.promise.then(() => route.continue()))
    await open(`/admin/upstreams/${created.id}`)
    await press(page, t.action)
    const drawer = page.getByRole('dialog', { name: t.title })
    await reads(drawer, t.gone(1))
    await drawer.getByRole('checkbox', { name: 'jamba-1.5', exact: true }).check()
    ticked.resolve()
    await eventually(() => drawer.getByRole('textbox', { name: adding.inputOf('jamba-1.5') }).inputValue()).toBe('0.2')
    await reads(drawer, 'ai21')
    await drawer.getByRole('checkbox', { name: group.name, exact: true }).check()
    await press(drawer, t.add(1))
    await reads(drawer, t.served(1))
    const { body: now } = await root.ask('GET', `/api/groups/${group.id}`)
    expect(now.models).toEqual([`${name}-withdrawn`, 'jamba-1.5'])
    const { body } = await root.ask('GET', '/api/models?search=jamba-1.5')
    // In another language it has been added before, with a target of its own.
    const targets = expect.arrayContaining([expect.objectContaining({ upstream: name })])
    expect(body.data).toMatchObject([{ price: { input: '0.2', output: '0.4' }, targets }])
    await drawer.getByRole('checkbox', { name: 'unwanted', exact: true }).check()
    await press(drawer, t.ignore(1))
    await drawer.getByText(t.ignored(1)).click()
    await press(drawer, `${t.offer} unwanted`)
    await drawer.getByRole('checkbox', { name: 'unwanted', exact: true }).waitFor()
  },
)

longTest.each(walkedIn('en'))(
  'what the daily look at an upstream found is named in Operations and on Upstreams, and leads to the comparison, in $language',
  async ({ language, upstreams: { comparing: t }, operations }) => {
    const fake = await startFakeUpstream({ listedModels: ['jamba-1.5', 'older'] })
    onTestFinished(() => fake.close())
    const name = `looked-at-${language}`
    const upstream = { name, protocol: 'openai-chat', base_url: `${fake.url}/v1` }
    const { body: created } = await root.ask('POST', '/api/upstreams', upstream)
    await root.ask('POST', '/api/models', { name: `${name}-old`, targets: [{ upstream: name, model: 'withdrawn' }] })
    noteLook(created, { added: ['jamba-1.5'], gone: ['withdrawn'] })
    await root.ask('PATCH', '/api/settings', { check_models: true })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams')
    const row = page.getByRole('row', { name })
    await reads(row, t.freshThere(1, '1'))
    await reads(row, t.goneThere(1, '1'))
    await open('/admin')
    await reads(page.getByRole('main'), operations.items.models_gone(name, 1, 'withdrawn'))
    const item = page.getByRole('listitem').filter({ hasText: operations.items.models_added(name, 1, 'jamba-1.5') })
    await item.getByRole('link', { name: operations.open.compare }).click()
    const drawer = page.getByRole('dialog', { name: t.title })
    await reads(drawer, t.gone(1))
    await drawer.getByRole('checkbox', { name: 'jamba-1.5', exact: true }).check()
    await press(drawer, t.ignore(1))
    await reads(drawer, t.ignored(1))
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await reads(page.getByRole('main'), t.goneNames('withdrawn'))
    const { body } = await root.ask('GET', '/api/upstreams/status')
    const { model_list: list } = body.data.find(({ id }: { readonly id: string }) => id === created.id)
    expect(list).toMatchObject({ added: [], gone: ['withdrawn'] })
  },
)

/** Notes a look at the upstream today, and one a day before. */
function noteLook(
  { id, base_url: baseUrl }: { readonly id: string; readonly base_url: string },
  { added, gone }: Readonly<Record<'added' | 'gone', readonly string[]>>,
): void {
  const database = new DatabaseSync(join(place.directory, 'tollgate.db'))
  const insert = database.prepare(`insert into listed_models values (?, ?, 'listed', ?, '[]', ?, ?)`)
  insert.run(id, Date.now(), baseUrl, JSON.stringify(added), JSON.stringify(gone))
  database.close()
}

longTest.each(walkedIn('zh-CN'))(
  'the list says what an upstream without a cap has cost today, and whether that is what its provider takes or what was charged, in $language',
  async ({ language, upstreams: t }) => {
    const fake = await startFakeUpstream()
    onTestFinished(() => fake.close())
    const ada = await place.person({ balance: '50' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'spending', group: 'default' })
    const names = { costed: `costed-${language}`, charged: `charged-${language}`, idle: `idle-${language}` }
    for (const name of Object.values(names)) {
      await root.ask('POST', '/api/upstreams', { name, protocol: 'openai', base_url: `${fake.url}/v1` })
      const cost = name === names.costed ? { cost: { factor: '0.5' } } : {}
      const targets = [{ upstream: name, model: 'fake/echo', ...cost }]
      await root.ask('POST', '/api/models', { name, price: { input: '10000', output: '10000' }, targets })
    }
    for (const model of [names.costed, names.charged]) {
      const { status } = await place.call(made.secret, { model, messages: [{ role: 'user', content: 'hi' }] })
      expect(status).toBe(200)
    }
    const sums = async () => {
      const { rows } = (await root.ask('GET', '/api/margins?split=upstream')).body
      return [names.costed, names.charged].map((name) => rows.find(({ id }: { id: string }) => id === name))
    }
    await eventually(async () => (await sums()).includes(undefined)).toBe(false)
    const [costed, charged] = await sums()
    expect(Number(costed.provider_cost)).toBeCloseTo(Number(costed.charged) / 2)
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/upstreams')
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
    await reads(row(names.charged), t.spending.none.name)
    await reads(row(names.costed), t.spending.all.name)
    const amount = async (name: string): Promise<number> =>
      Number(/\$([\d.]+)/.exec(await row(name).innerText())?.[1] ?? 'none')
    expect(await amount(names.charged)).toBe(Number(charged.charged))
    expect(await amount(names.costed)).toBe(Number(costed.provider_cost))
    expect(await row(names.idle).innerText()).not.toContain('$')
  },
)
