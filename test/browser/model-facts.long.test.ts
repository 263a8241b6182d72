import { afterAll, beforeAll, expect, test } from 'vitest'
import { FACT_NAMES } from '../../src/models/facts.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// What a model takes at its targets, as an admin reads and corrects it.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
  const body = { name: 'vendor', protocol: 'openai', base_url: 'http://127.0.0.1:1/v1' }
  expect((await root.ask('POST', '/api/upstreams', body)).status).toBe(201)
})
afterAll(() => place.stop())

async function aModel(name: string) {
  const { status, body } = await root.ask('POST', '/api/models', {
    name,
    price: { input: '1', output: '2' },
    targets: [
      { upstream: 'vendor', model: 'o3' },
      { upstream: 'vendor', model: 'house-model', priority: 1 },
    ],
  })
  expect(status).toBe(201)
  return body
}

test.each(walkedIn('zh-CN'))(
  'a fact is set for a target and for the model, shown in force beside the shipped one, and reset, in $language',
  async ({ language, prices, modelFacts: t, shared }) => {
    const model = await aModel(`facts-${language}`)
    const rulesNow = async () => {
      const { body } = await root.ask('GET', `/api/models/${model.id}`)
      return [body.rules, ...body.targets.map(({ rules }: { rules: object }) => rules)]
    }
    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/models/${model.id}`)
    await press(page, prices.targets.facts)
    const drawer = page.getByRole('dialog', { name: t.title(model.name) })
    const row = (fact: string) => drawer.getByRole('listitem', { name: fact, exact: true })
    const heat = t.facts.temperature
    await reads(row(heat), t.words.temperature.not_while_reasoning)
    // Of what the family does not state nothing is shown before it is asked for.
    expect(await row(t.facts.seed).count()).toBe(0)

    const form = drawer.getByRole('form')
    await press(drawer, t.changeOf(heat))
    await field(form, t.value).selectOption({ label: t.words.temperature.taken })
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(row(heat), t.setForTarget)
    await reads(row(heat), t.words.temperature.taken)
    await reads(row(heat), t.shipped(t.words.temperature.not_while_reasoning))
    expect(await rulesNow()).toEqual([{}, { temperature: 'taken' }, {}])

    await press(drawer, t.changeOf(t.facts.stops))
    await fill(form, t.value, '1.5')
    await press(form, shared.save)
    await reads(form, t.whole('0', '1,000,000,000'))
    await fill(form, t.value, '3')
    await field(form, t.scope).selectOption({ label: t.allTargets })
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(row(t.facts.stops), t.setForModel)

    await field(drawer, t.target).selectOption({ label: 'vendor · house-model' })
    await reads(drawer, t.noFamily)
    await reads(row(t.facts.stops), t.setForModel)
    await press(drawer, t.showAll(String(FACT_NAMES.length)))
    await press(drawer, t.changeOf(t.facts.tool_schema))
    await field(form, t.value).fill(t.words.tool_schema.no_tuples)
    await page.getByRole('option', { name: t.words.tool_schema.no_tuples, exact: true }).click()
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(row(t.facts.tool_schema), t.setForTarget)
    await reads(row(t.facts.tool_schema), t.shipped(t.none))
    expect(await rulesNow()).toEqual([{ stops: 3 }, { temperature: 'taken' }, { tool_schema: ['no_tuples'] }])

    await press(drawer, t.resetOf(t.facts.tool_schema))
    await drawer.getByRole('button', { name: t.resetOf(t.facts.tool_schema) }).waitFor({ state: 'detached' })
    await press(drawer, t.resetOf(t.facts.stops))
    await drawer.getByRole('button', { name: t.resetOf(t.facts.stops) }).waitFor({ state: 'detached' })
    expect(await rulesNow()).toEqual([{}, { temperature: 'taken' }, {}])
  },
)

test('who may not change models reads what they take, and finds nothing to press', async () => {
  const [{ prices, modelFacts: t }] = LANGUAGES
  const model = await aModel('facts-read')
  const auditor = await place.person({ role: 'auditor' })
  const { page, open } = await visit(place, { language: 'en', as: auditor })
  await open(`/admin/models/${model.id}`)
  await press(page, prices.targets.facts)
  const drawer = page.getByRole('dialog', { name: t.title(model.name) })
  await reads(drawer, t.facts.temperature)
  expect(await drawer.getByRole('button', { name: t.change }).count()).toBe(0)
})
