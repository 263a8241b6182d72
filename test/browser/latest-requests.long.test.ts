import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sidewaysPx } from './accessibility.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
let root: Person
beforeAll(async () => {
  // Its own, since the page counts the requests of all.
  place = await startPlace()
  root = await place.person({ role: 'admin', balance: '5' })
  const name = 'a-key-with-a-name-as-people-write-them-when-they-are-in-a-hurry'
  const { body } = await root.ask('POST', '/api/keys', { name, group: 'default' })
  await place.call(body.secret, { model: 'demo/none', messages: [{ role: 'user', content: 'Hello' }] })
  for (let i = 0; i < 32; i += 1) await place.call(body.secret)
})
afterAll(() => place.stop())

/** How far the nearest texts of a column at the end and of the one after it, at the start, are from each other; null: none are. */
async function nearestPx(table: Locator): Promise<number | null> {
  return table.getByRole('row').evaluateAll((rows) => {
    const gaps: number[] = []
    for (const row of rows) {
      const view = row.ownerDocument.defaultView
      const range = row.ownerDocument.createRange()
      const cells = Array.from(row.children)
      for (const [index, cell] of cells.entries()) {
        const next = cells[index + 1]
        const [isAtEnd, isNextAtEnd] = [cell, next].map(
          (each) => each !== undefined && view?.getComputedStyle(each).textAlign === 'right',
        )
        if (next === undefined || isAtEnd !== true || isNextAtEnd === true) continue
        range.selectNodeContents(cell)
        const { right } = range.getBoundingClientRect()
        range.selectNodeContents(next)
        const { left, width } = range.getBoundingClientRect()
        if (width > 0) gaps.push(left - right)
      }
    }
    return gaps.length === 0 ? null : Math.min(...gaps)
  })
}

test.each(walkedIn('zh-CN'))(
  'what each of the latest requests was charged, cost and left over is in sight on wide windows, and its charge on phones, in $language',
  async ({ language, requests: t }) => {
    const { page, open, context } = await visit(place, { language, as: root, width: 1280 })
    await context.route('**/api/usage?*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const costed = data.map((record: object) => ({ ...record, provider_cost: '0.000012' }))
      await route.fulfill({ response, json: { ...rest, data: costed } })
    })
    await open('/admin/requests')
    await arrives(page, t.title)
    const table = page.getByRole('region', { name: t.live.list, exact: true })
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await reads(table, 'demo/echo')
      await eventually(() => table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
      for (const name of [t.columns.charged, t.columns.cost, t.columns.margin])
        await table.getByRole('columnheader', { name, exact: true }).waitFor()
      // With its head.
      expect(await table.getByRole('row').count()).toBe(31)
    }
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 900 })
      const cards = page.getByRole('list', { name: t.live.list, exact: true })
      const [card] = await cards.getByRole('listitem').all()
      // Two lines: when and how it ended, and who asked what for how much.
      for (const words of [root.email, 'demo/', t.columns.charged]) await reads(card ?? cards, words)
      await eventually(() => cards.getByRole('listitem').count()).toBe(30)
      expect(await sidewaysPx(page)).toBeLessThanOrEqual(0)
    }
    await page.getByRole('button', { name: t.live.showAll(33), exact: true }).click()
    await eventually(() =>
      page.getByRole('list', { name: t.live.list, exact: true }).getByRole('listitem').count(),
    ).toBe(33)
  },
)

test.each(walkedIn('zh-CN'))(
  'tokens, the first byte and attempts of the latest requests are columns that can be chosen, in $language',
  async ({ language, requests: t, usage: { columns }, shared }) => {
    const { page, open } = await visit(place, { language, as: root, width: 1920 })
    await open('/admin/requests')
    const table = page.getByRole('region', { name: t.live.list, exact: true })
    await reads(table, 'demo/echo')
    await page.getByRole('button', { name: shared.table.menu, exact: true }).last().click()
    for (const name of [columns.input, columns.output, columns.firstByte, columns.attempts]) {
      expect(await table.getByRole('columnheader', { name, exact: true }).count()).toBe(0)
      await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
      await table.getByRole('columnheader', { name, exact: true }).waitFor()
    }
  },
)

test.each(walkedIn('en'))(
  'a request that its client cancelled is not called completed, in $language',
  async ({ language, requests: t, shared }) => {
    const { page, open, context } = await visit(place, { language, as: root })
    await context.route('**/api/usage?*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const [first, ...others] = data
      await route.fulfill({ response, json: { ...rest, data: [{ ...first, outcome: 'aborted' }, ...others] } })
    })
    await open('/admin/requests')
    const rows = page.getByRole('region', { name: t.live.list, exact: true }).getByRole('row')
    await reads(rows.nth(1), shared.outcomes.aborted)
    await reads(rows.nth(2), shared.outcomes.completed)
  },
)

test.each(walkedIn('en'))(
  'a fault is named in words among the latest requests, and costs that are not known of any take no column, in $language',
  async ({ language, requests: t, faults }) => {
    const { page, open, context } = await visit(place, { language, as: root })
    await context.route('**/api/usage?*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const changed = data.map((record: object) => ({ ...record, provider_cost: null, fault: 'model_unknown' }))
      await route.fulfill({ response, json: { ...rest, data: changed } })
    })
    await open('/admin/requests')
    const table = page.getByRole('region', { name: t.live.list, exact: true })
    await reads(table, faults.model_unknown.title)
    expect(await table.innerText()).not.toContain('model_unknown')
    expect(await table.innerText()).not.toContain(String(new Date().getFullYear()))
    for (const name of [t.columns.cost, t.columns.margin])
      expect(await table.getByRole('columnheader', { name, exact: true }).count()).toBe(0)
  },
)

test('on a phone the head of sums that scroll within themselves covers none of their rows', async () => {
  const [{ language, requests: t }] = LANGUAGES
  const { page, open } = await visit(place, { language, as: root, width: 360 })
  await open('/admin/requests')
  const sums = page.getByRole('region', { name: t.title, exact: true }).getByRole('row')
  await sums.nth(1).waitFor()
  const edgesOf = async (nth: number, of: 'columnheader' | 'rowheader') => {
    const { y = 0, height = 0 } = (await sums.nth(nth).getByRole(of).first().boundingBox()) ?? {}
    return { y, bottom: y + height }
  }
  const [head, total] = [await edgesOf(0, 'columnheader'), await edgesOf(1, 'rowheader')]
  expect(head.bottom).toBeLessThanOrEqual(total.y + 1)
})

test('no amount touches the text of the next column', async () => {
  const [{ language, keys, shared, requests }] = LANGUAGES
  const { page, open } = await visit(place, { language, as: root, width: 1280 })
  for (const [path, name] of [
    ['/keys', keys.list],
    ['/models', shared.pages.models],
    ['/admin/requests', requests.live.list],
  ] as const) {
    await open(path)
    const table = page.getByRole('region', { name, exact: true })
    await table.getByRole('row').nth(1).waitFor()
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect((await nearestPx(table)) ?? Infinity, `${path} at ${width} px`).toBeGreaterThanOrEqual(18)
    }
  }
})
