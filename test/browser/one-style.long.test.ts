import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { furnish, type Furnished } from './furnish.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { content, eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

// One way to write a time, one a duration, one an amount, and one colour for a name, wherever they stand.

let place: Place
let ada: Furnished
beforeAll(async () => {
  place = await sharedPlace()
  ada = await furnish(place)
})

const [english, chinese] = LANGUAGES

/** The name of each series in the legend, with its colour. */
async function coloursOf(page: Page, summary: string): Promise<Readonly<Record<string, string>>> {
  const lines = page.getByRole('region', { name: summary }).getByRole('listitem')
  const colours = await lines.evaluateAll((all) =>
    all.map((line) => {
      const mark = line.firstElementChild ?? line
      return mark.ownerDocument.defaultView?.getComputedStyle(mark).backgroundColor ?? ''
    }),
  )
  // There is a line without a button: what all others had together.
  const names = await Promise.all((await lines.all()).map((line) => line.getByRole('button').allTextContents()))
  return Object.fromEntries(names.map(([name = ''], at) => [name, colours[at] ?? '']))
}

const hueOf = (colour: string): string | undefined => /^oklch\(\S+ \S+ ([\d.]+)/.exec(colour)?.[1]

test('a model has one colour over thirty days, seven days and in one of them, and one hue in both themes', async () => {
  const { usage } = english
  const { page, open } = await visit(place, { language: english.language, as: ada })
  await open('/usage?span=30d')
  const seen = async () => coloursOf(page, usage.summary)
  await eventually(async () => Object.keys(await seen()).length).toBeGreaterThan(2)
  const first = await seen()
  expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length)
  // The one of the most requests is another one than that of the highest cost.
  for (const path of ['/usage?span=7d', '/usage?span=24h&measure=requests', '/usage?span=24h&model=demo%2Ftools']) {
    await open(path)
    await eventually(async () => Object.keys(await seen()).length).toBeGreaterThan(0)
    for (const [name, colour] of Object.entries(await seen())) expect(colour, `${name} at ${path}`).toBe(first[name])
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/usage?span=30d')
  await eventually(async () => Object.keys(await seen()).length).toBe(Object.keys(first).length)
  for (const [name, colour] of Object.entries(await seen())) {
    expect(colour, name).not.toBe(first[name])
    expect(hueOf(colour), name).toBeDefined()
    expect(hueOf(colour), name).toBe(hueOf(first[name] ?? ''))
  }
})

test.each(walkedIn('en'))(
  'times are of one clock and durations of one style, in lists, details and billing, in $language',
  async ({ language, billing, usage }) => {
    const { page, open } = await visit(place, { language, as: ada })
    const isTwelve = language === 'en'
    const areOfOneStyle = async (where: Locator): Promise<void> => {
      await reads(where, /\d:\d\d/)
      const words = (await where.innerText()).replaceAll('\u202F', ' ')
      const times = words.match(/\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?/g) ?? []
      expect(times.filter((time) => /[AP]M$/.test(time) !== isTwelve)).toEqual([])
      // One sign for what was taken away.
      expect(words).not.toContain('-$')
      expect(words).not.toMatch(/\d ?(?:secs?|seconds?|msec|milliseconds?|mins?\.)\b/)
      if (!isTwelve) expect(words).not.toMatch(/\d ?(?:ms|s|min)\b/)
    }
    await open('/usage')
    const records = page.getByRole('region', { name: usage.records })
    await areOfOneStyle(records)
    await records.getByRole('row').nth(1).getByRole('rowheader').getByRole('button').click()
    await areOfOneStyle(page.getByRole('dialog'))
    await open('/billing?view=entries')
    await areOfOneStyle(page.getByRole('region', { name: billing.ledger.views.entries }))
  },
)

test('the points of a column of amounts stand below each other, and fractions of a cent have three digits', async () => {
  const { usage } = english
  const { page, open, context } = await visit(place, { language: english.language, as: ada })
  const costs = ['0.029', '0.16', '0.0285', '12.5', '0.000131']
  await context.route('**/api/usage?*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const changed = data.map((record: object, index: number) => ({ ...record, cost: costs[index % costs.length] }))
    await route.fulfill({ response, json: { ...rest, data: changed } })
  })
  await open('/usage')
  const cells = page.getByRole('region', { name: usage.records }).getByRole('button').filter({ hasText: /^\$/ })
  await eventually(() => cells.count()).toBeGreaterThanOrEqual(costs.length)
  const shown = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const words = cell.ownerDocument.createTreeWalker(cell, 4).nextNode()
      const text = words?.textContent ?? ''
      const point = cell.ownerDocument.createRange()
      if (words !== null) {
        point.setStart(words, text.indexOf('.'))
        point.setEnd(words, text.indexOf('.') + 1)
      }
      return { text, left: point.getBoundingClientRect().left }
    }),
  )
  expect(shown.slice(0, costs.length).map(({ text }) => text)).toEqual([
    '$0.0290',
    '$0.16',
    '$0.0285',
    '$12.50',
    '$0.000131',
  ])
  const [first] = shown
  for (const { text, left } of shown) expect(Math.abs(left - (first?.left ?? 0)), text).toBeLessThan(1)
})

test('in Chinese a kind stays on its line beside large amounts, filters have a colon of full width, and the zone its Chinese name', async () => {
  const { language, billing, keys, shared, usage } = chinese
  const { page, open } = await visit(place, { language, as: ada, more: { timezoneId: 'Asia/Shanghai' } })
  await page.route(/\/api\/ledger(?:\?|$)/, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const large = data.map((entry: object) => ({
      ...entry,
      amount: '123456789.123456789',
      balance_after: '999999999.123456789',
    }))
    await route.fulfill({ response, json: { ...rest, data: large } })
  })
  await open('/billing?view=entries')
  const kind = page
    .getByRole('region', { name: billing.ledger.views.entries })
    .getByRole('cell', { name: billing.ledger.kinds.credit, exact: true })
    .first()
  await kind.waitFor()
  await reads(page.getByRole('region', { name: billing.ledger.views.entries }), '123,456,789.123456789')
  const lines = await kind.evaluate((cell) => {
    const words = cell.ownerDocument.createRange()
    words.selectNodeContents(cell)
    return new Set([...words.getClientRects()].map(({ top }) => top)).size
  })
  expect(lines).toBe(1)
  await open('/keys')
  const status = page.getByRole('combobox', { name: keys.columns.status, exact: true })
  await status.waitFor()
  expect((await status.getByRole('option').allInnerTexts())[0]).toBe(shared.table.all)
  await status.selectOption('active')
  await reads(content(page), `${keys.columns.status}：${keys.statuses.active}`)
  await open('/usage')
  await reads(page.getByRole('region', { name: usage.summary }), '中国标准时间（UTC+8）')
})
