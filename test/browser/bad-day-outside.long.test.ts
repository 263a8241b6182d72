import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { openDoor } from './door.ts'
import { LANGUAGES, type Language, type Texts, walkedIn } from './languages.ts'
import { type OwnPlace, type Place, startPlace, startPlaceIn } from './place.ts'
import { arrives, content, fill, press, reads, readsNoMore } from './reading.ts'
import { goWithin, visit } from './visit.ts'

// The pages that need no session, while something is wrong: each says so, and heals by itself.

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
  await place.admin('PATCH', '/api/settings', PUBLIC)
})
afterAll(() => place.stop())

const PUBLIC = { public_models: true, public_status: true, public_key_check: true }

interface OutsidePage {
  readonly path: string
  title(texts: Texts): string
  /** What is there of the gateway's data. */
  shows(page: Page, texts: Texts): Promise<void>
}

const hasField = (page: Page, name: string): Promise<void> => page.getByLabel(name, { exact: true }).first().waitFor()

const PUBLIC_PAGES: readonly OutsidePage[] = [
  {
    path: '/prices',
    title: (t) => t.public.models.title,
    shows: (page) => page.getByRole('button', { name: 'demo/echo', exact: true }).waitFor(),
  },
  {
    path: '/status',
    title: (t) => t.public.status.title,
    shows: (page, t) => page.getByRole('group', { name: t.public.status.span }).waitFor(),
  },
  {
    path: '/check-key',
    title: (t) => t.public.check.title,
    shows: (page, t) => hasField(page, t.public.check.key),
  },
]

async function visitBadly(language: Language, at: Place = place) {
  const behind = { origin: at.origin }
  const door = await openDoor(behind)
  return { behind, door, ...(await visit(at, { language, origin: door.origin, hasBadLine: true })) }
}

test.each(PUBLIC_PAGES.flatMap((each) => LANGUAGES.map((texts) => ({ ...each, texts, language: texts.language }))))(
  '$path says that the gateway cannot be reached where nothing of it was read yet, and is there once it answers, in $language',
  async ({ path, title, shows, texts }) => {
    const { page, open, door, context } = await visitBadly(texts.language)
    await context.route(/\/api\/(instance|public)/, (route) => route.abort())
    await open(path)
    await reads(content(page), texts.shared.connection.back)
    await page.getByRole('button', { name: texts.shared.tryAgain, exact: true }).first().waitFor()
    door.shut()
    await press(page, texts.shared.tryAgain)
    await reads(content(page), texts.shared.connection.down)
    await context.unroute(/\/api\/(instance|public)/)
    door.open()
    await arrives(page, title(texts))
    await shows(page, texts)
    await readsNoMore(content(page), texts.shared.connection.down)
  },
)

test.each(PUBLIC_PAGES)('$path says that the database does not answer, and reads again by itself', async (each) => {
  const [texts] = LANGUAGES
  const { page, open, context } = await visitBadly(texts.language)
  const body = JSON.stringify({ code: 'store_unavailable', status: 503, title: '', detail: '' })
  await context.route(/\/api\/(instance|public)/, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
  )
  await open(each.path)
  await reads(content(page), texts.problems.store_unavailable)
  await context.unroute(/\/api\/(instance|public)/)
  await each.shows(page, texts)
})

test.each(walkedIn('en'))(
  'signing in says that the gateway cannot be reached no longer than it is so, and goes on with what was filled in, in $language',
  async ({ language, outside: t, shared, problems }) => {
    const ada = await place.person()
    const { page, open, door } = await visitBadly(language)
    await open('/sign-in')
    await fill(page, t.email, ada.email)
    await fill(page, t.password, ada.password)
    await page.getByRole('button', { name: t.signIn.passkey }).waitFor()
    door.shut()
    await press(page, t.signIn.action)
    await reads(page.getByRole('form', { name: t.signIn.title }), problems.unreachable)
    await reads(content(page), shared.connection.down)
    door.open()
    await reads(page.getByRole('form', { name: t.signIn.title }), shared.connection.back)
    await readsNoMore(content(page), problems.unreachable)
    await readsNoMore(content(page), shared.connection.down)
    await press(page, t.signIn.action)
    await arrives(page, shared.pages.overview)
  },
)

test('each says that the console was updated after the gateway came back with another build', async () => {
  const [{ language, shared }] = LANGUAGES
  const { page, open, door, context } = await visitBadly(language)
  await open('/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  door.shut()
  await goWithin(page, '/prices')
  await reads(content(page), shared.connection.down)
  const body = '<script type="module" src="/console/assets/console-another.js"></script><div id="root"></div>'
  await context.route('**/console/', (route) => route.fulfill({ contentType: 'text/html', body }))
  door.open()
  for (const path of [...PUBLIC_PAGES.map((each) => each.path), '/sign-in', '/register', '/reset-password']) {
    await goWithin(page, path)
    await reads(content(page), shared.newVersion)
  }
})

test('an invitation whose answer was lost is shown once the gateway is back', async () => {
  const [{ language, outside: t, shared }] = LANGUAGES
  const { page, open, door } = await visitBadly(language)
  const { body } = await place.admin('POST', '/api/invitations', { email: null })
  await open('/sign-in')
  await arrives(page, t.signIn.title)
  await open('/invitation')
  await reads(content(page), t.linkMissing.title)
  door.shut()
  await page.evaluate(`location.hash = ${JSON.stringify(new URL(body.url).hash)}`)
  await reads(content(page), shared.connection.down)
  door.open()
  await page.getByRole('button', { name: t.invitation.action }).waitFor()
})

test('a gateway that is killed is called that on every page that needs no session, and each is there when it is back', async () => {
  const [, texts] = LANGUAGES
  const { shared } = texts
  const directory = await temporaryDirectory()
  const before = await startPlaceIn(directory)
  await before.admin('PATCH', '/api/settings', PUBLIC)
  const { page, open, behind } = await visitBadly(texts.language, before)
  await open('/reset-password')
  await arrives(page, texts.outside.reset.askTitle)
  await before.kill()
  for (const { path } of [...PUBLIC_PAGES, { path: '/register' }, { path: '/sign-in' }, ...PUBLIC_PAGES.slice(0, 1)]) {
    await goWithin(page, path)
    await reads(content(page), shared.connection.down)
  }
  const after = await startPlaceIn(directory, {}, { isFirstStart: false })
  onTestFinished(() => after.stop())
  behind.origin = after.origin
  for (const { path, title, shows } of PUBLIC_PAGES) {
    await goWithin(page, path)
    await arrives(page, title(texts))
    await shows(page, texts)
  }
  expect(await page.getByText(shared.connection.down).count()).toBe(0)
})
