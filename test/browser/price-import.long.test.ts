import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// Prices from a catalogue: a text, the shipped list, or another Tollgate.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'prices of a catalogue are compared, held back where they look wrong, saved as ticked and taken back, in $language',
  async ({ language, priceImport: t, prices, shared }) => {
    const named = (name: string): string => `imported-${name}-${language}`
    const [plain, odd, same, locked] = [named('plain'), named('odd'), named('same'), named('locked')]
    const ids: string[] = []
    for (const name of [plain, odd, same, locked]) {
      ids.push((await root.ask('POST', '/api/models', { name, price: { input: '1', output: '4' } })).body.id)
    }
    const inputs = async (): Promise<unknown[]> =>
      Promise.all(ids.map(async (id) => (await root.ask('GET', `/api/models/${id}`)).body.price.input))
    const catalogue = {
      [plain]: {
        litellm_provider: 'x',
        input_cost_per_token: 1.5e-6,
        output_cost_per_token: 4e-6,
        max_input_tokens: 9000,
      },
      [odd]: { litellm_provider: 'x', input_cost_per_token: 1.5e-5, output_cost_per_token: 4e-6, mood_cost: 1 },
      scanner: { litellm_provider: 'x', ocr_cost_per_page: 0.001 },
      [locked]: { litellm_provider: 'x', input_cost_per_token: 1.1e-6, output_cost_per_token: 4e-6 },
      [same]: { litellm_provider: 'x', input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 },
    }
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/models/${ids.at(-1)}`)
    await press(page, prices.lock)
    await reads(content(page), prices.lockedText)
    await open('/admin/models/import')
    await arrives(page, t.title)
    await fill(page, t.source.text, '{"half')
    await press(page, t.source.action)
    await reads(content(page), t.source.objections.no_json)
    await fill(page, t.source.text, JSON.stringify(catalogue))
    await press(page, t.source.action)
    const rows = page.getByRole('list', { name: t.list })
    await reads(rows, t.held.far)
    await reads(rows, t.held.partial)
    await reads(rows, t.leftOut.ofModel('mood_cost', t.leftOut.why.unknown))
    await reads(content(page), t.leftOut.models(1))
    await reads(content(page), t.leftOut.prices(1, t.leftOut.why.not_counted, 'ocr_cost_per_page'))
    await reads(content(page), t.left.same(1))
    await reads(content(page), t.left.locked(locked, 0))
    await eventually(() => rows.getByRole('checkbox', { name: odd }).isChecked()).toBe(false)
    await eventually(() => rows.getByRole('checkbox', { name: plain }).isChecked()).toBe(true)
    await press(page, t.apply(1))
    await press(page.getByRole('alertdialog', { name: t.confirm(1) }), t.apply(1))
    await reads(content(page), t.saved(1))
    await eventually(inputs).toEqual(['1.5', '1', '1', '1'])
    const context = async (): Promise<unknown> => (await root.ask('GET', `/api/models/${ids[0]}`)).body.context_tokens
    await eventually(context).toBe(9000)
    await press(page, t.undo)
    await reads(content(page), t.undone)
    expect([await inputs(), await context()]).toEqual([['1', '1', '1', '1'], null])
    await rows.getByRole('checkbox', { name: odd }).check()
    await press(page, t.apply(2))
    await press(page.getByRole('alertdialog', { name: t.confirm(2) }), t.apply(2))
    await reads(content(page), t.saved(2))
    await eventually(inputs).toEqual(['1.5', '15', '1', '1'])

    // The list of models says where a price is from, and who changed it.
    await open('/admin/models')
    await page.setViewportSize({ width: 1920, height: 1000 })
    const listed = page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(plain) }) })
    await reads(listed, prices.source.importOf('LiteLLM'))
    await reads(
      page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(same) }) }),
      prices.source.byHand,
    )
    await press(page, shared.table.menu)
    await page.getByRole('menuitemcheckbox', { name: prices.columns.changedBy }).click()
    await page.keyboard.press('Escape')
    await reads(listed, root.email)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('columnheader', { name: prices.columns.source }).waitFor({ state: 'detached' })

    // One that was changed since the comparison is shown with both versions.
    await root.ask('PATCH', `/api/models/${ids[2]}`, { price_locked: false })
    await root.ask('PATCH', `/api/models/${ids[3]}`, { price_locked: false })
    await open('/admin/models/import')
    await fill(page, t.source.text, JSON.stringify({ [locked]: catalogue[locked] }))
    await press(page, t.source.action)
    await rows.getByRole('checkbox', { name: locked }).waitFor()
    await root.ask('PATCH', `/api/models/${ids[3]}`, { price: { input: '7', output: '4' } })
    await press(page, t.apply(1))
    await press(page.getByRole('alertdialog', { name: t.confirm(1) }), t.apply(1))
    const collided = page.getByRole('listitem', { name: locked })
    await reads(collided, '7')
    await press(collided, shared.collision.keepMine)
    await reads(content(page), t.saved(1))
    await eventually(inputs).toEqual(['1.5', '15', '1', '1.1'])

    // And for a time to come.
    await open('/admin/models/import')
    await fill(page, t.source.text, JSON.stringify({ [same]: catalogue[locked] }))
    await press(page, t.source.action)
    await page.getByRole('checkbox', { name: prices.planning.later }).check()
    await press(page, t.plan(1))
    await press(page.getByRole('alertdialog', { name: t.confirmPlan(1) }), t.plan(1))
    await reads(content(page), t.planned(1))
    expect((await root.ask('GET', `/api/models/${ids[2]}`)).body).toMatchObject({
      price: { input: '1' },
      scheduled: { price: { input: '1.1' }, import_id: expect.stringMatching(/^imp_/) },
    })

    // Also later, as far as nothing else was changed since.
    await root.ask('PATCH', `/api/models/${ids[1]}`, { price: { input: '2', output: '4' } })
    await open('/admin/models/import')
    const past = page.getByRole('region', { name: t.history.title })
    await reads(past, t.history.standing(1, plain))
    // The newest of two with it: the first was undone and made again.
    await past.getByRole('listitem').filter({ hasText: plain }).getByRole('button', { name: t.undo }).first().click()
    await press(page.getByRole('alertdialog', { name: t.history.confirm(1) }), t.undo)
    await reads(past, t.undone)
    expect([await inputs(), await context()]).toEqual([['1', '2', '1', '1.1'], null])
  },
)

test.each(walkedIn('en'))(
  'finance imports prices and reads that limits stay, an auditor only compares, in $language',
  async ({ language, priceImport: t }) => {
    const name = `by-finance-${language}`
    const { body: model } = await root.ask('POST', '/api/models', { name, price: { input: '1', output: '4' } })
    const entry = { litellm_provider: 'x', input_cost_per_token: 2e-6, output_cost_per_token: 4e-6 }
    const catalogue = JSON.stringify({ [name]: { ...entry, max_input_tokens: 9000 } })
    for (const role of ['auditor', 'finance'] as const) {
      const { page, open } = await visit(place, { language, as: await place.person({ role }) })
      await open('/admin/models/import')
      await fill(page, t.source.text, catalogue)
      await press(page, t.source.action)
      await reads(page.getByRole('list', { name: t.list }), name)
      if (role === 'auditor') {
        expect(await page.getByRole('button', { name: t.apply(1) }).count()).toBe(0)
        continue
      }
      await reads(content(page), t.pricesOnly)
      await press(page, t.apply(1))
      await press(page.getByRole('alertdialog', { name: t.confirm(1) }), t.apply(1))
      await reads(content(page), t.saved(1))
    }
    const { body } = await root.ask('GET', `/api/models/${model.id}`)
    expect([body.price.input, body.context_tokens]).toEqual(['2', null])
  },
)

test.each(walkedIn('zh-CN'))(
  'prices are compared with those that are shipped, without a file, in $language',
  async ({ language, priceImport: t }) => {
    const { body: shipped } = await root.ask('GET', '/api/prices/catalogue')
    const [name = ''] = Object.keys(shipped.providers.deepseek)
    const made = await root.ask('POST', '/api/models', { name, price: { input: '70', output: '80' } })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/models/import')
    await press(page, t.source.shipped)
    await reads(content(page), t.forms.shipped)
    await reads(page.getByRole('list', { name: t.list }), name)
    await root.ask('DELETE', `/api/models/${made.body.id}`)
  },
)

test.each(walkedIn('en'))(
  'prices are fetched from another Tollgate by its URL, and what is not a list of prices is said, in $language',
  async ({ language, priceImport: t }) => {
    const name = `fetched-${language}`
    const other = await startPlace()
    onTestFinished(() => other.stop())
    const targets = [{ upstream: 'demo', model: 'demo/echo' }]
    const dearer = { name, price: { input: '1.5', output: '4' }, targets }
    expect((await other.admin('POST', '/api/models', dearer)).status).toBe(201)
    const { body: model } = await root.ask('POST', '/api/models', { name, price: { input: '1', output: '4' } })
    const { page, open } = await visit(place, { language, as: await place.person({ role: 'finance' }) })
    await open('/admin/models/import')
    const source = page.getByRole('region', { name: t.source.title })
    const failure = source.getByRole('alert')
    await fill(source, t.source.url, other.origin.replace('//', '//ada:secret@'))
    await press(source, t.source.fetch)
    await reads(source, t.source.urlWithLogin)
    await fill(source, t.source.url, `${other.origin}/nothing-here`)
    await press(source, t.source.fetch)
    await reads(failure, t.source.fetchStatus(404))
    await reads(failure, `${other.origin}/nothing-here`)
    await fill(source, t.source.url, `${other.origin}/healthz`)
    await press(source, t.source.fetch)
    await reads(failure, t.source.fetchFailures.unknown_form)
    await fill(source, t.source.url, 'http://127.0.0.1:9')
    await press(source, t.source.fetch)
    await reads(failure, t.source.fetchFailures.connection_refused)
    await fill(source, t.source.url, other.origin)
    await press(source, t.source.fetch)
    await reads(content(page), t.forms.tollgate)
    await page.getByRole('list', { name: t.list }).getByRole('checkbox', { name }).check()
    await press(page, t.apply(1))
    await press(page.getByRole('alertdialog', { name: t.confirm(1) }), t.apply(1))
    await reads(content(page), t.saved(1))
    expect((await root.ask('GET', `/api/models/${model.id}`)).body.price.input).toBe('1.5')
    const { body: audit } = await root.ask('GET', '/api/audit?action=prices.fetch')
    expect(audit.data[0].changes.origin.after).toBe(other.origin)

    const { page: auditors, open: openAsAuditor } = await visit(place, {
      language,
      as: await place.person({ role: 'auditor' }),
    })
    await openAsAuditor('/admin/models/import')
    await reads(content(auditors), t.source.shippedHint)
    expect(await auditors.getByRole('button', { name: t.source.fetch }).count()).toBe(0)
  },
)
