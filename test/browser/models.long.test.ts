import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatList } from '../../console/format/list.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { content, eventually, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// How a model is found among many: by what it does and takes, by its size and price, and by what one asked before.

/** Fewer say nothing of how a model answers. */
const ENOUGH = 5

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
  const targets = [{ upstream: 'demo', model: 'demo/echo' }]
  const make = (name: string, about: object) => place.admin('POST', '/api/models', { name, targets, ...about })
  await make('bge-m3', { price: { input: '0.01', output: '0' }, context_tokens: 8_000 })
  await make('gpt-5.5', { price: { input: '2.5', output: '10' }, context_tokens: 400_000 })
  await make('gemini-3-pro', { price: { input: '2', output: '8' }, context_tokens: 1_000_000 })
  await make('claude-only', { price: { input: '4', output: '8' }, endpoints: ['anthropic-messages'] })
})
afterAll(() => place.stop())

test.each(walkedIn('zh-CN'))(
  'models are filtered by kind, what they take, protocol, context and price, in $language',
  async ({ language, models: t, shared }) => {
    const { page, open } = await visit(place, { language, as: await place.person() })
    await open('/models')
    const table = page.getByRole('region', { name: shared.pages.models })
    const names = async () => {
      const found = await table.getByRole('rowheader').allInnerTexts()
      return found.map((text) => text.trim().split(/\s/)[0])
    }
    await eventually(names).toHaveLength(7)
    const filters = [
      [t.modelKind, 'embedding', ['bge-m3']],
      [t.supports, 'images', ['claude-only', 'gemini-3-pro', 'gpt-5.5']],
      [t.supports, 'audio', ['gemini-3-pro']],
      [t.protocol, 'gemini', ['bge-m3', 'demo/echo', 'demo/reasoner', 'demo/tools', 'gemini-3-pro', 'gpt-5.5']],
      [t.contextFrom, '1000000', ['gemini-3-pro']],
      [t.priceUpTo, '3', ['bge-m3', 'demo/echo', 'demo/reasoner', 'demo/tools', 'gemini-3-pro', 'gpt-5.5']],
    ] as const
    for (const [label, value, left] of filters) {
      await page.getByRole('combobox', { name: label, exact: true }).selectOption(value)
      await eventually(names).toEqual(left)
      await eventually(() => new URL(page.url()).search).toContain(value)
      await press(page, shared.table.clearFilters)
      await eventually(names).toHaveLength(7)
    }
    await open('/models?model=gemini-3-pro')
    const { images, audio, tools } = t.abilities
    await reads(page.getByRole('dialog'), t.abilitiesKnown(formatList([images, audio, tools], language)))
  },
)

test.each(walkedIn('en'))(
  'models are sorted by one’s own requests, and real traffic says which answer well and which fail, in $language',
  async ({ language, models: t, shared }) => {
    const dead = `a-dead-one-${language}`
    await place.admin('POST', '/api/upstreams', {
      name: dead,
      protocol: 'openai',
      base_url: 'http://127.0.0.1:1/v1',
      credential: 'none',
    })
    const targets = [{ upstream: dead, model: 'm' }]
    await place.admin('POST', '/api/models', { name: dead, price: { input: '1', output: '1' }, targets })
    const ada = await place.person({ balance: '5' })
    const { body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const messages = [{ role: 'user', content: 'Hello' }]
    for (let sent = 0; sent < ENOUGH; sent += 1) {
      await place.call(body.secret, { model: 'demo/tools', messages })
      await place.call(body.secret, { model: dead, messages })
    }
    await place.call(body.secret, { model: 'demo/tools', messages })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/models')
    const table = page.getByRole('region', { name: shared.pages.models })
    const row = (name: string) => table.getByRole('row').filter({ hasText: name })
    await reads(row('demo/tools'), t.healthInShort.healthy)
    await reads(row(dead), t.healthInShort.failing)
    expect(await row('demo/echo').innerText()).not.toContain(t.healthInShort.healthy)
    await press(table, t.use)
    await eventually(async () => (await table.getByRole('row').nth(1).innerText()).includes('demo/tools')).toBe(true)
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('-use')
    await fill(page, t.search, dead)
    await table.getByRole('rowheader', { name: dead }).getByRole('button').click()
    await reads(page.getByRole('dialog'), t.answers.failing)
  },
)

longTest.each(walkedIn('en'))(
  'where one’s own requests and the health of models cannot be read, that is said above them, in $language',
  async ({ language, problems, shared }) => {
    const { page, open, context } = await visit(place, { language, as: await place.person(), hasBadLine: true })
    const problem = { code: 'store_unavailable', status: 503, title: '', detail: '' }
    const json = { contentType: 'application/problem+json', body: JSON.stringify(problem) }
    await context.route('**/api/models/traffic', (route) => route.fulfill({ status: 503, ...json }))
    await open('/models')
    await reads(page.getByRole('region', { name: shared.pages.models }), 'demo/echo')
    await reads(content(page), problems.store_unavailable)
    await context.unroute('**/api/models/traffic')
    await press(content(page), shared.tryAgain)
    await readsNoMore(content(page), problems.store_unavailable)
  },
)

longTest.each(walkedIn('en'))(
  'the prices of a model say the multipliers of groups where one makes a difference, in $language',
  async ({ language, models: t }) => {
    const { page, open } = await visit(place, { language, as: await place.person() })
    const heads = async (): Promise<string[]> => {
      await open('/models?model=gpt-5.5')
      const prices = page.getByRole('region', { name: t.drawer.prices, exact: true })
      await prices.waitFor()
      const texts = await prices.getByRole('columnheader').allInnerTexts()
      return texts.map((text) => text.replaceAll(/\s+/g, ' '))
    }
    expect(await heads()).toEqual([t.drawer.kind, 'default'])
    await place.admin('POST', '/api/groups', { name: 'saver', multiplier: '0.6', models: ['gpt-5.5'] })
    expect(await heads()).toEqual([t.drawer.kind, 'default ×1', 'saver ×0.6'])
  },
)
