import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../console/admin-pages.ts'
import { pageAt } from '../../console/pages/outside/page-name.ts'
import { openDoor } from './door.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, press, reads, readsNoMore } from './reading.ts'
import { goWithin, visit } from './visit.ts'

// The pages of admins, those of one object, and those of what was spent: what each says when something is wrong that is not
// its own. The pages that a single key leads to are in bad-day-on-every-page.long.test.ts.

const [english, chinese] = LANGUAGES

interface Deep {
  readonly path: string
  /** What is there of the gateway's data. */
  readonly read: string
}

let place: OwnPlace
let root: Person
let deep: readonly Deep[]
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin', balance: '5' })
  deep = await furnished()
})
afterAll(() => place.stop())

/** Something on every page, and the pages. */
async function furnished(): Promise<readonly Deep[]> {
  const { body: made } = await root.ask('POST', '/api/keys', { name: 'of root', group: 'default', tags: ['team a'] })
  await place.call(made.secret)
  await place.call(made.secret, { model: 'demo/ecco', messages: [{ role: 'user', content: 'Hello' }] })
  await place.admin('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
  await place.admin('POST', '/api/announcements', { title: { en: 'A faster model', 'zh-CN': '更快的模型' } })
  const { body: upstream } = await place.admin('POST', '/api/upstreams', {
    name: 'far away',
    protocol: 'openai',
    base_url: 'http://127.0.0.1:1/v1',
    credentials: [{ name: 'default', secret: 'k' }],
  })
  const { body: models } = await place.admin('GET', '/api/models?search=demo%2Fecho')
  const of = (path: string, id: string): string => path.replace(/\$\w+/, id)
  return [
    { path: '/usage/keys', read: 'of root' },
    { path: '/usage/tags', read: 'team a' },
    { path: `/keys/${made.key.id}`, read: 'of root' },
    { path: ADMIN_PATHS.operations, read: 'demo/ecco' },
    { path: ADMIN_PATHS.requests, read: 'demo/echo' },
    { path: ADMIN_PATHS.incidents, read: english.audit.sentences['upstream.create'] ?? '' },
    { path: ADMIN_PATHS.upstreams, read: 'far away' },
    { path: of(ADMIN_PATHS.upstream, upstream.id), read: 'far away' },
    { path: ADMIN_PATHS.prices, read: 'demo/echo' },
    { path: of(ADMIN_PATHS.price, models.data[0].id), read: 'demo/echo' },
    { path: ADMIN_PATHS.groups, read: 'default' },
    { path: ADMIN_PATHS.accounts, read: root.email },
    { path: of(ADMIN_PATHS.account, root.id), read: root.email },
    { path: ADMIN_PATHS.plans, read: 'pro' },
    { path: ADMIN_PATHS.announcements, read: 'A faster model' },
    { path: ADMIN_PATHS.audit, read: english.audit.sentences['account.create'] ?? '' },
    { path: ADMIN_PATHS.settings, read: english.settings.settings.site_name.name },
    { path: ADMIN_PATHS.system, read: english.system.database.tables },
  ]
}

/** The page of imports reads nothing before it is asked to. */
const allPaths = (): string[] => [...deep.map(({ path }) => path), ADMIN_PATHS.priceImport]

/** Opens the list of keys, from where the others are gone to within the same program. */
async function atKeys({ page, open }: { page: Page; open(path: string): Promise<void> }): Promise<void> {
  await open('/keys')
  await reads(content(page), 'of root')
}

test.each(['shut', 'hang'] as const)(
  'every page of admins, of an object and of sums says that the gateway cannot be reached and keeps its navigation when connections %s',
  async (how) => {
    const { shared, shell } = english
    const door = await openDoor(place)
    const { page, open } = await visit(place, { language: 'en', as: root, origin: door.origin, hasBadLine: true })
    await atKeys({ page, open })
    // The rail of the other side is fetched once this one is there.
    await page.waitForLoadState('networkidle')
    door[how]()
    await press(page, shared.table.refresh)
    for (const path of allPaths()) {
      await goWithin(page, path)
      await reads(content(page), /the gateway can’t be reached/i)
      await reads(
        page.getByRole('navigation', { name: shell.admin.navigation, exact: true }),
        shell.admin.pages.operations,
      )
    }
    door.open()
    const [first] = deep.toReversed()
    await goWithin(page, first?.path ?? '')
    await reads(content(page), first?.read ?? '')
    await readsNoMore(content(page), shared.connection.notRefreshed)
    await readsNoMore(content(page), shared.connection.down)
  },
)

test('they are read from the gateway by a browser that calls itself offline', async () => {
  const { shared } = english
  const { page, open } = await visit(place, { language: 'en', as: root })
  await atKeys({ page, open })
  await page.evaluate(OFFLINE)
  for (const { path, read } of deep) {
    await goWithin(page, path)
    await reads(content(page), read)
  }
  expect(await page.getByText(shared.connection.down).count()).toBe(0)
})

test('each says that the console was updated after the gateway came back with another build', async () => {
  const { shared } = english
  const door = await openDoor(place)
  const { page, open, context } = await visit(place, {
    language: 'en',
    as: root,
    origin: door.origin,
    hasBadLine: true,
  })
  await atKeys({ page, open })
  door.shut()
  await press(page, shared.table.refresh)
  await reads(content(page), shared.connection.notRefreshed)
  const body = '<script type="module" src="/console/assets/console-another.js"></script><div id="root"></div>'
  await context.route('**/console/', (route) => route.fulfill({ contentType: 'text/html', body }))
  door.open()
  for (const path of allPaths()) {
    await goWithin(page, path)
    await reads(content(page), shared.newVersion)
  }
})

test('each says that the database does not answer, and reads again once it does', async () => {
  const { problems, language } = chinese
  const { page, open, context } = await visit(place, { language, as: root, hasBadLine: true })
  await atKeys({ page, open })
  await context.route(API, (route) => route.fulfill(problem(503, 'store_unavailable')))
  for (const { path } of deep) {
    await goWithin(page, path)
    await reads(content(page), problems.store_unavailable)
  }
  await context.unroute(API)
  for (const { path } of deep) {
    await goWithin(page, path)
    await readsNoMore(content(page), problems.store_unavailable)
  }
})

const OFFLINE = `
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false })
  dispatchEvent(new Event('offline'))
`

test('they lead to signing in when the session has ended, and name the page that one comes back to', async () => {
  const { shared, shell, outside, language } = chinese
  const { page, open, context } = await visit(place, { language, as: root, hasBadLine: true })
  for (const { path } of deep) {
    await atKeys({ page, open })
    await context.route(API, (route) => route.fulfill(problem(401, 'credential_expired')))
    await goWithin(page, path)
    await arrives(page, outside.signIn.title)
    const found = pageAt(path)
    const name = found === undefined ? '' : 'page' in found ? shared.pages[found.page] : shell.admin.pages[found.admin]
    await reads(content(page), outside.signIn.signedOut(name))
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(path)
    await context.unroute(API)
  }
})

/** What every page asks; whether the gateway is there, and signing in, are apart. */
const API = /\/api\/(?!hello|auth)/

function problem(status: number, code: string) {
  const body = JSON.stringify({ code, status, title: '', detail: '' })
  return { status, contentType: 'application/problem+json', body }
}
