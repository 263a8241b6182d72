import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chatProvider } from '../support/chat-provider.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually, field, press, reads } from './reading.ts'
import { visit } from './visit.ts'

// The first provider of an admin: forty models, in few clicks.

const SECRET = 'the-credential-of-forty-models-9f3Q'
const MOST_CLICKS = 15
const MOST_MS = 120_000

/** Models with list prices, models without one, and models that are for something else. */
const LISTED = ['gpt-5', 'gpt-5-mini', 'gpt-4.1', 'gpt-4o', 'gpt-4o-mini', 'claude-sonnet-5', 'claude-opus-5']
const OTHERS = ['text-embedding-3-large', 'dall-e-3', 'whisper-1']
const MODELS = [...LISTED, ...OTHERS, ...Array.from({ length: 30 }, (_, index) => `house-model-${index + 10}`)]

const COUNT_CLICKS =
  'globalThis.clicks = 0; addEventListener("pointerdown", () => { globalThis.clicks += 1 }, { capture: true })'

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

const [{ language, upstreams: t, models, operations }] = LANGUAGES

test('a provider with forty models is connected from the checklist in fifteen clicks and two minutes', async () => {
  expect(MODELS).toHaveLength(40)
  const provider = await chatProvider({ credential: SECRET, models: MODELS })
  onTestFinished(() => provider.close())
  const { page, open } = await visit(place, { language, as: root })
  await open('/admin')
  const beganAt = performance.now()
  await page.evaluate(COUNT_CLICKS)
  await page.getByRole('link', { name: operations.setup.steps.provider }).first().click()
  const drawer = page.getByRole('dialog', { name: t.new })
  // Each field costs a click.
  await field(drawer, t.adding.url).click()
  await page.keyboard.insertText(provider.url)
  await field(drawer, t.adding.secrets).click()
  await page.keyboard.insertText(SECRET)
  await press(drawer, t.adding.look)
  await reads(drawer, `${provider.url}/v1`)
  // Kinds other than chat are folded away.
  expect(await drawer.getByRole('checkbox', { name: 'whisper-1', exact: true }).count()).toBe(0)
  await press(drawer, `${models.modelKinds.audio} · 1`)
  await drawer.getByRole('checkbox', { name: 'whisper-1', exact: true }).waitFor()
  await drawer.getByRole('button', { name: t.adding.selectListed(LISTED.length) }).click()
  await eventually(() => drawer.getByRole('textbox', { name: t.adding.inputOf('gpt-4o-mini') }).inputValue()).toBe(
    '0.15',
  )
  await drawer.getByRole('checkbox', { name: t.adding.selectAll(40) }).click()
  await press(drawer, t.adding.createWith(40))
  await reads(drawer, t.testing.good)
  const clicks = await page.evaluate('globalThis.clicks')
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  expect(performance.now() - beganAt).toBeLessThan(MOST_MS)
  const { body } = await root.ask('GET', '/api/upstreams?search=upstream')
  expect(body.data).toMatchObject([{ protocol: 'openai-chat', base_url: `${provider.url}/v1` }])
  expect(body.data[0].models).toHaveLength(40)
})

test('no box within the drawer scrolls, and a search finds folded models', async () => {
  const provider = await chatProvider({ credential: SECRET, models: MODELS })
  onTestFinished(() => provider.close())
  const { page, open } = await visit(place, { language, as: root })
  await open('/admin/upstreams?new=upstream')
  const drawer = page.getByRole('dialog', { name: t.new })
  await field(drawer, t.adding.url).fill(provider.url)
  await field(drawer, t.adding.secrets).fill(SECRET)
  await press(drawer, t.adding.look)
  await field(drawer, t.adding.filter).fill('whisper')
  await drawer.getByRole('checkbox', { name: 'whisper-1', exact: true }).waitFor()
  await field(drawer, t.adding.filter).fill('')
  // The body of the drawer alone scrolls, and the table has no box of its own that does.
  const scrolling = await drawer.getByRole('table').evaluate((table) => {
    const found: string[] = []
    for (let each = table.parentElement; each !== null && each.role !== 'dialog'; each = each.parentElement) {
      const style = each.ownerDocument.defaultView?.getComputedStyle(each)
      if (/auto|scroll/.test(style?.overflowY ?? '')) found.push(each.className)
    }
    return found
  })
  expect(scrolling.length).toBeLessThanOrEqual(1)
})
