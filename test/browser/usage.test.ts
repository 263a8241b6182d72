import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Furnished, furnish } from './furnish.ts'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

let place: Place
let ada: Furnished
beforeAll(async () => {
  place = await sharedPlace()
  ada = await furnish(place)
})

describe.each(walkedIn('en'))('in $language', (texts) => {
  const { language, usage, record, keySpend, models, billing, causes, refusals, shared } = texts

  test('usage: filters stand in the address, and a request is explained line by line', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/usage')
    await arrives(page, shared.pages.usage)
    const table = page.getByRole('region', { name: usage.records })
    const rows = async () => (await table.getByRole('row').count()) - 1
    await eventually(rows).toBe(8)
    await press(page, usage.filters.title)
    await page.getByRole('combobox', { name: usage.filters.model, exact: true }).selectOption('demo/reasoner')
    await eventually(rows).toBe(2)
    await eventually(() => new URL(page.url()).searchParams.get('model')).toBe('demo/reasoner')
    await page.reload()
    await eventually(rows).toBe(2)
    await page
      .getByRole('button', { name: usage.filters.remove(shared.labelled(usage.filters.model, 'demo/reasoner')) })
      .click()
    await press(page, usage.filters.title)
    await page.getByRole('combobox', { name: usage.filters.fault, exact: true }).selectOption('model_unknown')
    await eventually(rows).toBe(1)
    await table.getByRole('row').nth(1).getByRole('rowheader').getByRole('button').click()
    const drawer = page.getByRole('dialog')
    const facts = { model: 'demo/ecco', near: ['demo/echo'] }
    const explained = causes.explain('model_unknown', facts)
    await reads(drawer, explained?.cause ?? '')
    await reads(drawer, refusals.callerGot)
    await drawer.getByRole('button', { name: refusals.fix.copyModel('demo/echo'), exact: true }).waitFor()
    await press(drawer, shared.close)
    await page.goBack()
    await open('/usage?model=demo%2Freasoner')
    const opens = table.getByRole('row').nth(2).getByRole('rowheader').getByRole('button')
    const formula = page.getByRole('tooltip')
    await opens.focus()
    await page.keyboard.press('Tab')
    await reads(formula, record.kinds.output)
    await page.keyboard.press('Escape')
    await formula.waitFor({ state: 'detached' })
    await table.getByRole('row').nth(1).getByRole('button', { name: '$' }).click()
    await reads(formula, record.cost)
    await opens.click()
    await reads(drawer, record.kinds.input)
    await reads(drawer, record.kinds.output)
    await reads(drawer, record.who)
    for (const part of [record.steps.wait, record.steps.answer, record.untilFirstByte, record.inAll])
      await reads(drawer, part)
    await eventually(() => new URL(page.url()).searchParams.get('record')).toMatch(/^req_/)
    await page.reload()
    await reads(drawer, record.attempts)
    await press(drawer, shared.close)
    // Of a key with a limit, which was not used up by what its list of models refused.
    await table.getByRole('row').nth(1).getByRole('rowheader').getByRole('button').click()
    await reads(drawer, record.limitLeft.requests('60', '60'))
  })

  longTest('usage: the zone is named as it is at the end of the span, by which its days are counted', async () => {
    const { page, open, context } = await visit(place, { language, as: ada, more: { timezoneId: 'Europe/Vienna' } })
    // Four weeks after the clocks of Vienna went back.
    await context.clock.setFixedTime('2026-11-20T12:00:00Z')
    await open('/usage?span=30d')
    const sums = page.getByRole('region', { name: usage.summary })
    await reads(sums, 'UTC+1')
    expect(await sums.innerText()).not.toContain('UTC+2')
  })

  test('usage: the chart has a table, other measures and other splits', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/usage')
    const sums = page.getByRole('region', { name: usage.summary })
    const drawn = page.getByRole('group', { name: usage.measure, exact: true })
    await drawn.getByRole('radio', { name: usage.measures.requests }).check()
    await page.getByRole('combobox', { name: usage.split }).selectOption('key')
    await reads(sums, 'laptop')
    await page.getByRole('radio', { name: usage.asTable }).check()
    await sums.getByRole('table').waitFor()
    await reads(sums.getByRole('table'), 'laptop')
    await eventually(() => new URL(page.url()).search).toContain('key')
  })

  longTest(
    'usage: the bar under the pointer says what it is made of, a click opens it, and the arrow keys go through the bars',
    async () => {
      const { page, open } = await visit(place, { language, as: ada })
      await open('/usage?span=7d')
      const sums = page.getByRole('region', { name: usage.summary })
      const chart = sums.getByRole('slider')
      await reads(sums, usage.wholeSpan)
      const { width = 0 } = (await chart.boundingBox()) ?? {}
      // The bar of today is the last; the figures of the scale are on the other side.
      const today = { x: width - 30, y: 100 }
      await chart.hover({ position: today })
      await readsNoMore(sums, usage.wholeSpan)
      await reads(sums, 'demo/reasoner')
      await page.mouse.move(0, 0)
      await reads(sums, usage.wholeSpan)
      await chart.focus()
      await page.keyboard.press('Home')
      await eventually(() => chart.getAttribute('aria-valuenow')).toBe('0')
      await page.keyboard.press('End')
      await eventually(() => chart.getAttribute('aria-valuetext')).toContain('demo/reasoner')
      await chart.click({ position: today })
      await eventually(() => new URL(page.url()).searchParams.get('from') ?? '').not.toBe('')
      await reads(sums, 'demo/reasoner')
    },
  )

  longTest(
    'usage: a model has one colour in a week, in one of its days, and beside whatever else there is',
    async () => {
      const { page, open } = await visit(place, { language, as: ada })
      const sums = page.getByRole('region', { name: usage.summary })
      const colourOf = (name: string) =>
        sums
          .getByRole('listitem')
          .filter({ hasText: name })
          .evaluate((item) => String(Reflect.get(Reflect.get(item, 'firstElementChild') ?? {}, 'style')?.background))
      const seen: string[] = []
      for (const search of [
        'span=7d',
        'span=today',
        'span=30d',
        'span=7d&model=demo%2Freasoner',
        'span=7d&measure=requests',
      ]) {
        await open(`/usage?${search}`)
        await reads(sums, 'demo/reasoner')
        seen.push(await colourOf('demo/reasoner'))
      }
      expect(seen[0]).toContain('oklch')
      expect(new Set(seen).size).toBe(1)
    },
  )

  longTest('usage: the CSV has every record of the filter', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/usage?model=demo%2Freasoner')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: usage.csv }).click(),
    ])
    const lines = (await text(await download.createReadStream())).trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('model')
    expect(lines.slice(1).every((line) => line.includes('demo/reasoner'))).toBe(true)
  })

  longTest('usage: on a phone a page of requests is short, and each control is within the window', async () => {
    const { page, open } = await visit(place, { language, as: ada, width: 360 })
    await open('/usage')
    await reads(page.getByRole('region', { name: usage.summary }), 'demo/reasoner')
    for (const each of await content(page).getByRole('group').all()) {
      const { x = -1, width = Infinity } = (await each.boundingBox()) ?? {}
      expect(x >= 0 && x + width <= 360).toBe(true)
    }
    const boxes = await Promise.all(
      (
        await content(page)
          .getByRole('group')
          .or(content(page).getByRole('combobox'))
          .or(content(page).getByRole('link', { name: usage.csv }))
          .all()
      ).map((each) => each.boundingBox()),
    )
    const overlap = boxes.some((one, index) =>
      boxes.slice(0, index).some((other) => one !== null && other !== null && areOver(one, other)),
    )
    expect(overlap).toBe(false)
    const request = page.waitForRequest(/\/api\/usage\?/)
    await page.reload()
    expect(new URL((await request).url()).searchParams.get('limit')).toBe('15')
  })

  longTest(
    'usage: what each key spent is a table that is sorted and a CSV, of the span and model that were looked at',
    async () => {
      const { page, open } = await visit(place, { language, as: ada })
      await open('/usage?span=24h&split=key&model=demo%2Freasoner')
      await page.getByRole('radio', { name: usage.views.keys, exact: true }).click()
      await arrives(page, keySpend.title)
      const table = page.getByRole('region', { name: keySpend.list })
      const names = async () => (await table.getByRole('rowheader').allInnerTexts()).map((name) => name.split('\n')[0])
      await eventually(async () => new Set(await names())).toEqual(new Set(['build server', 'laptop']))
      await reads(table, '100%')
      await reads(table, keySpend.fresh)
      await eventually(() => new URL(page.url()).searchParams.get('span')).toBe('24h')
      await open('/usage')
      await page.getByRole('radio', { name: usage.views.keys, exact: true }).click()
      await eventually(async () => (await names()).length).toBe(3)
      await table.getByRole('button', { name: keySpend.columns.key }).click()
      await eventually(async () => (await names())[0]).toMatch(/^an old one/)
      await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('name')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: keySpend.csv }).click(),
      ])
      const lines = (await text(await download.createReadStream())).trim().split('\r\n')
      expect(lines).toHaveLength(4)
      expect(lines[1]).toContain(',laptop,')
      await table.getByRole('link', { name: 'laptop', exact: true }).click()
      await arrives(page, 'laptop')
    },
  )

  longTest(
    'models: what each costs in each group, which keys may call it, two side by side, and their names as clients take them',
    async () => {
      const { page, open, copied } = await visit(place, { language, as: ada })
      await open('/models')
      await arrives(page, shared.pages.models)
      const table = page.getByRole('region', { name: shared.pages.models })
      for (const name of ['demo/echo', 'demo/tools'])
        await page.getByRole('checkbox', { name: shared.table.selectRow(name) }).check()
      await press(page, models.copyList.action)
      const list = page.getByRole('dialog', { name: models.copyList.title })
      let copies = 0
      const copyAs = async (format: keyof typeof models.copyList.formats): Promise<string> => {
        const title = models.copyList.formats[format]
        await list.getByRole('combobox', { name: models.copyList.format }).selectOption(format)
        await list.getByRole('button', { name: shared.copyItem(title), exact: true }).click()
        await eventually(() => copied.length).toBe(++copies)
        return copied.at(-1) ?? ''
      }
      expect(await copyAs('commas')).toBe('demo/echo,demo/tools')
      expect(Object.keys(JSON.parse(await copyAs('opencode')))).toEqual(['demo/echo', 'demo/tools'])
      await press(list, shared.close)
      // Two, side by side, under an address that can be passed on.
      await press(page, models.compare.action)
      const compared = page.getByRole('dialog', { name: models.compare.title })
      await reads(compared.getByRole('row', { name: new RegExp(`^${models.use}`) }), /3 1$/)
      await page.reload()
      await compared.getByRole('columnheader', { name: 'demo/tools' }).waitFor()
      await press(compared, shared.close)
      await page.getByRole('searchbox', { name: models.search }).fill('echo')
      await eventually(() => table.getByRole('row').count()).toBe(2)
      await page.getByRole('button', { name: models.copyName('demo/echo') }).click()
      await eventually(() => copied.at(-1)).toBe('demo/echo')
      // By the row, since the name may say beside the model how it answers, which depends on what others asked it.
      await table.getByRole('rowheader').getByRole('button').click()
      const drawer = page.getByRole('dialog', { name: 'demo/echo' })
      await reads(drawer, models.drawer.prices)
      await reads(drawer, 'laptop')
      await eventually(() => new URL(page.url()).searchParams.get('model')).toBe('demo/echo')
      await drawer.getByRole('link', { name: models.drawer.usage }).click()
      await arrives(page, shared.pages.usage)
      await eventually(() => new URL(page.url()).searchParams.get('model')).toBe('demo/echo')
    },
  )

  test('billing: balance, subscription windows, the ledger, and a code that works once', async () => {
    const { body: made } = await place.admin('POST', '/api/redeem-codes', { amount: '7.5' })
    const grace = await place.person({ balance: '2' })
    const { page, open } = await visit(place, { language, as: grace })
    await open('/billing')
    await arrives(page, shared.pages.billing)
    await reads(content(page), '$2.00')
    await reads(content(page), billing.subscriptions.empty)
    const form = page.getByRole('form', { name: billing.redeem.title })
    await press(form, billing.redeem.action)
    await reads(form, shared.required)
    await fill(form, billing.redeem.code, 'K7QM-2XWP-9DRA-HT4C-CN8P')
    await press(form, billing.redeem.action)
    await form.getByRole('alert').or(form.getByLabel(billing.redeem.code)).first().waitFor()
    await fill(form, billing.redeem.code, made.codes[0].toLowerCase())
    await press(form, billing.redeem.action)
    await reads(content(page), billing.redeem.balance('$7.50'))
    await reads(content(page), '$9.50')
    const ledger = page.getByRole('region', { name: billing.ledger.title })
    // By how it ends, and not by an ID that says nothing.
    const end = `…${String(made.codes[0]).slice(-4)}`
    await reads(ledger, `${billing.ledger.kinds.redeem} · ${end}`)
    await ledger.getByRole('radio', { name: billing.ledger.views.entries }).check()
    await page.getByRole('combobox', { name: billing.ledger.kind }).selectOption('redeem')
    await ledger.getByRole('cell', { name: end, exact: true }).waitFor()
    await page.getByRole('combobox', { name: billing.ledger.kind }).selectOption('credit')
    await eventually(() => ledger.getByRole('row').count()).toBe(2)
    await ledger.getByRole('radio', { name: billing.ledger.views.days }).check()
    await eventually(() => new URL(page.url()).search).toBe('')
    const other = await visit(place, { language, as: ada })
    await other.open('/billing')
    await reads(content(other.page), billing.subscriptions.statuses.running)
    await reads(content(other.page), billing.subscriptions.window(billing.subscriptions.windows['5h']))
    // A day opens to its requests, each called by its model and key, which lead to its record.
    const days = other.page.getByRole('region', { name: billing.ledger.title })
    await days.getByRole('listitem').getByRole('group').first().click()
    await days.getByRole('link', { name: 'demo/echo · laptop' }).first().click()
    await other.page.getByRole('dialog').waitFor()
    expect(new URL(other.page.url()).searchParams.get('record')).toMatch(/^req_/)
  })
})

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function areOver(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1
  const isBelow = one.y + one.height <= other.y + 1 || other.y + other.height <= one.y + 1
  return !isBeside && !isBelow
}
