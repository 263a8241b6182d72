import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatAgo } from '../../console/format/time.ts'
import { openDoor, type Door } from './door.ts'
import { furnish, type Furnished } from './furnish.ts'
import { LANGUAGES, type Language, walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads, readsNoMore } from './reading.ts'
import { visit, type Visit } from './visit.ts'

let place: OwnPlace
let ada: Furnished
beforeAll(async () => {
  place = await startPlace()
  ada = await furnish(place)
})
afterAll(() => place.stop())

const AT = '2026-11-21T08:30:00Z'

/** What is fetched for later is not there yet, as on a page that was just opened. */
async function visitThroughDoor(language: Language): Promise<Visit & { readonly door: Door }> {
  const door = await openDoor(place)
  const seen = await visit(place, { language, as: ada, origin: door.origin, hasBadLine: true })
  await seen.context.addInitScript('globalThis.requestIdleCallback = () => 0')
  return { ...seen, door }
}

async function rowsOf(page: Page, list: string): Promise<number> {
  return page.getByRole('region', { name: list }).getByRole('row').count()
}

describe.each(walkedIn('zh-CN'))('in $language', ({ language, keys, models, outside, shared, start, usage }) => {
  const { connection } = shared

  test('a gateway that is down is called that; the page stays with its rows and their age, and what was pressed opens when it is back', async () => {
    const { page, open, door } = await visitThroughDoor(language)
    await open('/keys')
    await arrives(page, shared.pages.keys)
    await reads(content(page), 'laptop')
    const rows = await rowsOf(page, keys.list)
    door.shut()
    await press(page, keys.create)
    await reads(content(page), connection.notRefreshed)
    await reads(content(page), connection.asOf('').replace(/[ .。]+$/, ''))
    await arrives(page, shared.pages.keys)
    expect(await rowsOf(page, keys.list)).toBe(rows)
    expect(await page.getByText(shared.newVersion).count()).toBe(0)
    door.open()
    await page.getByRole('dialog', { name: keys.form.title }).waitFor()
    expect(await page.getByText(connection.notRefreshed).count()).toBe(0)
  })

  test('a refresh that fails says so at once, counts down to the next try, and heals by itself', async () => {
    const { page, open, door } = await visitThroughDoor(language)
    await open('/usage')
    await arrives(page, shared.pages.usage)
    await reads(content(page), shared.table.asOf('').trim())
    door.shut()
    await press(page, shared.table.refresh)
    await reads(content(page), connection.notRefreshed)
    await reads(content(page), new RegExp(connection.nextTry(0).replace('0', '[1-5]')))
    door.open()
    await readsNoMore(content(page), connection.notRefreshed)
    await reads(content(page), usage.records)
  })

  test('what was done although something in front answered in place of the gateway is not done twice by pressing again', async () => {
    const eva = await place.person({ balance: '5' })
    const { page, open, context } = await visit(place, { language, as: eva, hasBadLine: true })
    await open('/keys')
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await context.route('**/api/keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
    })
    await fill(form, keys.form.name, 'once')
    await press(form, keys.form.submit)
    await reads(form, connection.back)
    await context.unroute('**/api/keys')
    await press(form, keys.form.submit)
    await form.waitFor({ state: 'hidden' })
    const { body } = await eva.ask('GET', '/api/keys')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['once'])
  })

  test('a page that was not fetched yet keeps the shell around it and opens when the gateway is back', async () => {
    const { page, open, door } = await visitThroughDoor(language)
    await open('/keys')
    await arrives(page, shared.pages.keys)
    await reads(content(page), 'laptop')
    door.shut()
    await page.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
    await reads(content(page), connection.pageFollows)
    expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
    door.open()
    await arrives(page, shared.pages.models)
    await reads(content(page), models.lead)
  })

  test('a gateway that hangs is called down, and its rows are refreshed when it answers again', async () => {
    const { page, open, door } = await visitThroughDoor(language)
    await open('/keys')
    await reads(content(page), 'laptop')
    door.hang()
    await press(page, shared.table.refresh)
    await reads(content(page), connection.notRefreshed)
    door.open()
    await readsNoMore(content(page), connection.notRefreshed)
    await reads(content(page), 'laptop')
  })

  test('the console is called updated only when the gateway serves another build', async () => {
    const { page, open, context } = await visitThroughDoor(language)
    await open('/keys')
    await arrives(page, shared.pages.keys)
    await context.route('**/assets/key-step-dialog*', (route) => route.fulfill({ status: 404 }))
    await press(page, keys.create)
    await reads(page.getByRole('alert'), shared.crashed.title)
    await arrives(page, shared.pages.keys)
    expect(await page.getByText(shared.newVersion).count()).toBe(0)
    const html = '<script type="module" src="/console/assets/console-another.js"></script><div id="root"></div>'
    await context.route('**/console/', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await press(page, shared.tryAgain)
    await reads(content(page), shared.newVersion)
    await arrives(page, shared.pages.keys)
  })

  test('a browser that calls itself offline still reads from a gateway that it reaches', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    await reads(content(page), 'laptop')
    await page.evaluate(`
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false })
      dispatchEvent(new Event('offline'))
    `)
    const asked = page.waitForResponse((response) => response.url().includes('/api/keys'))
    await press(page, shared.table.refresh)
    await asked
    await page.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
    await reads(content(page), 'demo/echo')
  })

  test('a session that ended says so, and where signing in leads back to', async () => {
    const eva = await place.person()
    const { page, open } = await visit(place, { language, as: eva })
    await open('/models')
    await arrives(page, shared.pages.models)
    // Else what it still asks by itself finds the end of the session before the press.
    await page.waitForLoadState('networkidle')
    await eva.ask('POST', '/api/auth/sign-out', {})
    await press(page, shared.table.refresh)
    await arrives(page, outside.signIn.title)
    await reads(content(page), outside.signIn.signedOut(shared.pages.models))
    await fill(page, outside.email, eva.email)
    await fill(page, outside.password, eva.password)
    await press(page, outside.signIn.action)
    await arrives(page, shared.pages.models)
  })

  test('theme and language chosen in one tab are taken in the others', async () => {
    const { page, open, context } = await visit(place, { language })
    await open('/sign-in')
    const other = await context.newPage()
    await other.goto('/console/sign-in')
    await page.getByRole('combobox', { name: shared.theme }).selectOption('dark')
    await eventually(() => other.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    const texts = LANGUAGES.find((each) => each.language !== language) ?? LANGUAGES[0]
    await page.getByRole('combobox', { name: shared.language }).selectOption(texts.language)
    await arrives(other, texts.outside.signIn.title)
  })

  test('a try that arrived by a clock ahead of the browser’s is just now, never in the future', async () => {
    const eva = await place.person()
    const { page, open, context, copied } = await visit(place, { language, as: eva })
    await context.addInitScript(`{
      const real = Date.now.bind(Date)
      const behindMs = 120_000
      globalThis.Date = class extends Date {
        constructor(...given) { super(...(given.length === 0 ? [real() - behindMs] : given)) }
        static now() { return real() - behindMs }
      }
    }`)
    await open('/overview')
    await press(page, start.key.create)
    await press(page, start.key.copySecret)
    await eventually(() => copied.at(-1) ?? '').toContain('sk-tg-')
    const hello = { model: 'none', messages: [{ role: 'user', content: 'Hello' }] }
    await place.call(copied.at(-1) ?? '', hello)
    const time = page.getByRole('status').getByRole('time').first()
    await eventually(() => time.innerText()).toBe(
      formatAgo(AT, { nowMs: Date.parse(AT), language, precision: 'second' }),
    )
  })
})
