import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { GO, type GoPage } from '../../console/shell/shell-keys.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'
import { openDoor } from './door.ts'
import { furnish } from './furnish.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, startPlace, startPlaceIn } from './place.ts'
import { arrives, content, press, reads, readsNoMore } from './reading.ts'
import { goWithin, visit } from './visit.ts'

// With a process that is killed and a PostgreSQL that is gone, instead of doors and answers that are made up.

const [english, chinese] = LANGUAGES
const PAGES = Object.entries<GoPage>(GO)

async function go(page: Page, key: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
}

test('a gateway that is killed is called that on every page; started again, it goes on where it was, without signing in', async () => {
  const { shared } = chinese
  const directory = await temporaryDirectory()
  const before = await startPlaceIn(directory)
  const ada = await furnish(before)
  const behind: { origin: string } = { origin: before.origin }
  const door = await openDoor(behind)
  const { page, open } = await visit(before, {
    language: chinese.language,
    as: ada,
    origin: door.origin,
    hasBadLine: true,
  })
  await open('/keys')
  await reads(content(page), 'laptop')
  await before.kill()
  await press(page, shared.table.refresh)
  for (const [key] of PAGES) {
    await go(page, key)
    await reads(content(page), /无法连接网关/)
    await reads(page.getByRole('navigation').first(), shared.pages.usage)
  }
  const after = await startPlaceIn(directory, {}, { isFirstStart: false })
  onTestFinished(() => after.stop())
  behind.origin = after.origin
  await go(page, 'k')
  await reads(content(page), 'laptop')
  await readsNoMore(content(page), shared.connection.notRefreshed)
  for (const [key, name] of PAGES) {
    await go(page, key)
    await arrives(page, shared.pages[name])
  }
  expect(await page.getByText(shared.newVersion).count()).toBe(0)
})

test('while PostgreSQL is gone every page says that the database does not answer, and reads again once it is back', async () => {
  const { shared, problems } = english
  const database = await testPostgres()
  const wire = await openDoor({ origin: database.url })
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = new URL(wire.origin).port
  const place: OwnPlace = await startPlace({ DATABASE_URL: url.href, TOLLGATE_SECRET: SECRET })
  onTestFinished(() => place.stop())
  const root = await place.person({ role: 'admin', balance: '5' })
  const { body } = await root.ask('POST', '/api/keys', { name: 'of root', group: 'default' })
  const { page, open } = await visit(place, { language: 'en', as: root, hasBadLine: true })
  await open('/account')
  await arrives(page, shared.pages.account)
  wire.shut()
  const asked = [...PAGES.filter(([, name]) => name !== 'account').map(([, name]) => `/${name}`), ...OF_ADMINS]
  for (const path of [...asked, `/keys/${body.key.id}`]) {
    await goWithin(page, path)
    await reads(content(page), problems.store_unavailable)
  }
  wire.open()
  await goWithin(page, '/keys')
  await reads(content(page), 'of root')
  for (const path of OF_ADMINS) {
    await goWithin(page, path)
    await readsNoMore(content(page), problems.store_unavailable)
  }
})

/** The secret of an installation whose database others reach, too. */
const SECRET = 'a-secret-for-a-test-that-is-long-enough'

const OF_ADMINS = ['/admin', '/admin/requests', '/admin/accounts', '/admin/settings']
