import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../console/admin-pages.ts'
import { GO, type GoPage } from '../../console/shell/shell-keys.ts'
import { openDoor } from './door.ts'
import { furnish, type Furnished } from './furnish.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, press, reads, readsNoMore } from './reading.ts'
import { goWithin, visit, type VisitOptions } from './visit.ts'

// What is said on every page when something is wrong that is not the page's own: the pages one after the other in one
// window, by their single keys. What a page does with its own rows is in bad-day.long.test.ts.

let place: OwnPlace
let ada: Furnished
beforeAll(async () => {
  place = await startPlace()
  ada = await furnish(place)
})
afterAll(() => place.stop())

const [english, chinese] = LANGUAGES
/** Pages of admins that are of nothing in particular. */
const ADMIN_PAGES = Object.values(ADMIN_PATHS).filter((path) => !path.includes('$'))
const PAGES = Object.entries<GoPage>(GO)

/** What each page shows at once of what was read from the gateway. */
const READ: Readonly<Record<GoPage, string>> = {
  overview: 'laptop',
  keys: 'laptop',
  usage: 'demo/reasoner',
  models: 'demo/echo',
  billing: 'pro of ',
  playground: 'demo/echo',
  account: '@example.test',
}

async function go(page: Page, key: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
}

async function behindDoor(options: Pick<VisitOptions, 'language'>) {
  const door = await openDoor(place)
  return { door, ...(await visit(place, { ...options, as: ada, origin: door.origin, hasBadLine: true })) }
}

test.each(['shut', 'hang'] as const)(
  'every page says that the gateway cannot be reached and keeps its navigation when connections %s',
  async (how) => {
    const { shared } = english
    const { door, page, open } = await behindDoor(english)
    await open('/keys')
    await reads(content(page), 'laptop')
    door[how]()
    await press(page, shared.table.refresh)
    for (const [key] of PAGES) {
      await go(page, key)
      await reads(content(page), /the gateway can’t be reached/i)
      await reads(page.getByRole('navigation').first(), shared.pages.usage)
    }
    door.open()
    await arrives(page, shared.pages.account)
    await readsNoMore(content(page), shared.connection.notRefreshed)
    await readsNoMore(content(page), shared.connection.down)
  },
)

test('so do the pages that are deeper, and those of admins', async () => {
  const { shared, shell } = english
  const root = await place.person({ role: 'admin' })
  const { body } = await root.ask('POST', '/api/keys', { name: 'of root', group: 'default' })
  const door = await openDoor(place)
  const { page, open } = await visit(place, { language: 'en', as: root, origin: door.origin, hasBadLine: true })
  await open('/keys')
  await reads(content(page), 'of root')
  await page.waitForLoadState('networkidle')
  for (const how of ['shut', 'hang'] as const) {
    door[how]()
    await press(page, shared.table.refresh)
    for (const path of ['/usage/keys', `/keys/${body.key.id}`, ...ADMIN_PAGES]) {
      await goWithin(page, path)
      await reads(content(page), /the gateway can’t be reached/i)
      const isAdmin = path.startsWith('/admin')
      const rail = page.getByRole('navigation', {
        name: isAdmin ? shell.admin.navigation : shared.navigation,
        exact: true,
      })
      await reads(rail, isAdmin ? shell.admin.pages.operations : shared.pages.usage)
    }
    door.open()
    await goWithin(page, '/keys')
    await reads(content(page), 'of root')
    await readsNoMore(content(page), shared.connection.notRefreshed)
  }
})

test('every page says that the console was updated after the gateway came back with another build', async () => {
  const { shared } = english
  const { door, page, open, context } = await behindDoor(english)
  await open('/keys')
  await reads(content(page), 'laptop')
  door.shut()
  await press(page, shared.table.refresh)
  await reads(content(page), shared.connection.notRefreshed)
  const body = '<script type="module" src="/console/assets/console-another.js"></script><div id="root"></div>'
  await context.route('**/console/', (route) => route.fulfill({ contentType: 'text/html', body }))
  door.open()
  for (const [key, name] of PAGES) {
    await go(page, key)
    await arrives(page, shared.pages[name])
    await reads(content(page), shared.newVersion)
  }
})

test.each(walkedIn('zh-CN'))(
  'in $language every page is read by a browser that calls itself offline',
  async (texts) => {
    const { shared, language } = texts
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    await reads(content(page), 'laptop')
    await page.evaluate(`
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false })
    dispatchEvent(new Event('offline'))
  `)
    for (const [key, name] of PAGES) {
      await go(page, key)
      await arrives(page, shared.pages[name])
      await reads(content(page), READ[name])
    }
    expect(await page.getByText(shared.connection.down).count()).toBe(0)
  },
)

test('every page that reads something says that the database does not answer', async () => {
  const { shared, problems, language } = chinese
  const { page, open, context } = await visit(place, { language, as: ada, hasBadLine: true })
  await open('/account')
  await arrives(page, shared.pages.account)
  await context.route(API, (route) => route.fulfill(problem(503, 'store_unavailable')))
  // The account was read before, and the account page shows little else.
  for (const [key, name] of PAGES.filter(([, each]) => each !== 'account')) {
    await go(page, key)
    await arrives(page, shared.pages[name])
    await reads(content(page), problems.store_unavailable)
  }
})

test('every page leads to signing in when the session has ended, and names the page that one comes back to', async () => {
  const { shared, outside, language } = chinese
  const { page, open, context } = await visit(place, { language, as: ada, hasBadLine: true })
  for (const [key, name] of PAGES) {
    await open('/account')
    await arrives(page, shared.pages.account)
    await context.route(API, (route) => route.fulfill(problem(401, 'credential_expired')))
    await go(page, key)
    if (name === 'account') await page.getByRole('tab', { name: chinese.account.tokens.tab }).click()
    await reads(content(page), outside.signIn.signedOut(shared.pages[name]))
    await context.unroute(API)
  }
})

/** What every page asks; whether the gateway is there, and signing in, are apart. */
const API = /\/api\/(?!hello|auth)/

function problem(status: number, code: string) {
  const body = JSON.stringify({ code, status, title: '', detail: '' })
  return { status, contentType: 'application/problem+json', body }
}
