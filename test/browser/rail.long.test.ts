import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS, ADMIN_RAIL, MAIN_ADMIN_PAGES } from '../../console/admin-pages.ts'
import { accessibilityFindings, settles } from './accessibility.ts'
import { hasFocus, tabTo } from './by-keyboard.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { palette, take } from './palette-keys.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, content, eventually, press } from './reading.ts'
import { visit } from './visit.ts'

// The column at the side: six pages that everyone has, seven of those who run the gateway, one side at a time.

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

const [english] = LANGUAGES
const { shared, shell } = english

const own = (page: Page): Locator => page.getByRole('navigation', { name: shared.navigation, exact: true })
const ofAdmins = (page: Page): Locator => page.getByRole('navigation', { name: shell.admin.navigation, exact: true })
const sides = (page: Page): Locator => page.getByRole('navigation', { name: shared.sides.label })
const lit = (where: Locator): Promise<string[]> =>
  where
    .getByRole('link')
    .or(where.getByRole('button'))
    .evaluateAll((all) =>
      all
        .filter((each) => each.ariaCurrent === 'page' && each.checkVisibility())
        .map((each) => ('innerText' in each ? String(each.innerText) : '')),
    )

test.each([
  ['user', []],
  ['auditor', ADMIN_RAIL],
  ['operator', ADMIN_RAIL],
  ['finance', ADMIN_RAIL],
  ['admin', ADMIN_RAIL],
] as const)(
  'the rail of %s has six pages, and its own of the administration, in sight without scrolling',
  async (role, pages) => {
    const { page, open } = await visit(place, { language: 'en', as: await place.person({ role }) })
    await page.setViewportSize({ width: 1280, height: 860 })
    await open('/keys')
    await own(page).getByRole('link').first().waitFor()
    expect(await own(page).getByRole('link').allInnerTexts()).toEqual(
      (['overview', 'keys', 'usage', 'models', 'billing', 'playground'] as const).map((name) => shared.pages[name]),
    )
    expect(await sides(page).count()).toBe(pages.length === 0 ? 0 : 1)
    if (pages.length === 0) return
    await sides(page).getByRole('link', { name: shared.sides.admin }).click()
    await eventually(() => ofAdmins(page).getByRole('link').count()).toBe(7)
    expect(await own(page).count()).toBe(0)
    for (const link of await ofAdmins(page).getByRole('link').all()) expect(await isWhole(link)).toBe(true)
    await settles(page)
    expect(await accessibilityFindings(page)).toEqual([])
  },
)

const isWhole = (link: Locator): Promise<boolean> =>
  link.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const column = element.closest('aside')?.getBoundingClientRect()
    return column !== undefined && box.top >= column.top && box.bottom <= column.bottom
  })

// tchiotludo/akhq 932 and shinken-monitoring/mod-webui 263: on a low window the last items could not be reached.
test('on a low window the rail fades where it goes on, and its last page comes into sight', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person({ role: 'admin' }) })
  await page.setViewportSize({ width: 1280, height: 340 })
  await open('/admin')
  const last = ofAdmins(page).getByRole('link').last()
  await last.waitFor()
  const edge = (name: string) => ofAdmins(page).evaluate((nav, of) => nav.parentElement?.getAttribute(of) ?? null, name)
  await eventually(() => edge('data-hidden-end')).not.toBeNull()
  await last.focus()
  await eventually(() => isWhole(last)).toBe(true)
  await eventually(() => edge('data-hidden-start')).not.toBeNull()
})

test('the switch leads back to the page of the other side that was open last, with its filter', async () => {
  const root = await place.person({ role: 'admin' })
  const { page, open } = await visit(place, { language: 'en', as: root })
  await open('/admin/accounts?role=admin')
  const at = (): string => page.url().slice(place.origin.length)
  await sides(page).getByRole('link', { name: shared.sides.console }).click()
  await own(page).getByRole('link', { name: shared.pages.models }).click()
  await eventually(at).toBe('/console/models')
  await sides(page).getByRole('link', { name: shared.sides.admin }).click()
  await eventually(at).toBe('/console/admin/accounts?role=admin')
  await page.reload()
  await sides(page).getByRole('link', { name: shared.sides.console }).click()
  await eventually(at).toBe('/console/models')
})

test('every page of the administration lights its item and its tab, and none other', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person({ role: 'admin' }) })
  await open('/admin')
  for (const { name, path, rail } of MAIN_ADMIN_PAGES) {
    await open(path)
    await eventually(() => lit(ofAdmins(page))).toEqual([shell.admin.pages[rail]])
    const tabs = MAIN_ADMIN_PAGES.filter((each) => each.rail === rail)
    const row = content(page).getByRole('navigation', { name: shell.admin.pages[rail], exact: true })
    if (tabs.length === 1) {
      expect(await row.count(), path).toBe(0)
      continue
    }
    await eventually(() => row.getByRole('link').allInnerTexts()).toEqual(
      tabs.map((each) => shell.admin.pages[each.name]),
    )
    expect(await lit(row)).toEqual([shell.admin.pages[name]])
  }
  // The page of one object has its item, and a way back in place of tabs.
  const { body } = await place.admin('GET', '/api/accounts?limit=1')
  await open(ADMIN_PATHS.account.replace('$accountId', body.data[0].id))
  await eventually(() => lit(ofAdmins(page))).toEqual([shell.admin.pages.accounts])
  expect(await content(page).getByRole('navigation', { name: shell.admin.pages.accounts, exact: true }).count()).toBe(0)
})

test('by keyboard one goes from the switch over the search to the pages, and along the tabs', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person({ role: 'admin' }) })
  await open('/admin/settings')
  const row = content(page).getByRole('navigation', { name: shell.admin.pages.settings, exact: true })
  await row.waitFor()
  const stops = [
    sides(page).getByRole('link', { name: shared.sides.console }),
    sides(page).getByRole('link', { name: shared.sides.admin }),
    page.getByRole('complementary').getByRole('button', { name: shared.search }),
    ...(await ofAdmins(page).getByRole('link').all()),
  ]
  const [first = row] = stops
  await tabTo(page, first)
  for (const stop of stops) {
    expect(await hasFocus(stop), String(stop)).toBe(true)
    await page.keyboard.press('Tab')
  }
  await tabTo(page, row.getByRole('link', { name: shell.admin.pages.audit }))
  await page.keyboard.press('Enter')
  await eventually(() => lit(row)).toEqual([shell.admin.pages.audit])
})

test.each(walkedIn('zh-CN'))('the palette leads to every page by its own name, in $language', async (texts) => {
  const { page, open } = await visit(place, { language: texts.language, as: await place.person({ role: 'admin' }) })
  await open('/models')
  await arrives(page, texts.shared.pages.models)
  const at = (): string => new URL(page.url()).pathname
  const ways = [
    ...MAIN_ADMIN_PAGES.map(({ name, path }) => [texts.shell.admin.pages[name], `/console${path}`] as const),
    [texts.shared.pages.playground, '/console/playground'] as const,
  ]
  for (const [name, path] of ways) {
    const box = await palette(page, texts)
    await box.fill(name)
    const group = path.includes('/admin') ? texts.shell.palette.parts.admin : texts.shell.palette.parts.pages
    await page.getByRole('group', { name: group }).getByRole('option', { name, exact: true }).click()
    await box.waitFor({ state: 'detached' })
    await eventually(at).toBe(path)
  }
  await palette(page, texts)
  await page.keyboard.type(texts.shell.admin.pages.environment)
  await take(page, texts.shell.admin.pages.environment)
  await eventually(at).toBe('/console/admin/environment')
})

test('on a phone the bottom has the side that one is on, and lights More on every page that it does not show', async () => {
  const { page, open } = await visit(place, { language: 'en', width: 360, as: await place.person({ role: 'admin' }) })
  const bottom = page.getByRole('navigation').filter({ has: page.getByRole('button', { name: shell.admin.more }) })
  const { pages } = shell.admin
  for (const [path, name] of [
    ['/keys', shared.pages.keys],
    ['/billing', shell.admin.more],
    ['/playground', shell.admin.more],
    ['/account', shell.admin.more],
    ['/admin', pages.operations],
    ['/admin/incidents', pages.operations],
    ['/admin/models', pages.prices],
    ['/admin/accounts', shell.admin.more],
    ['/admin/audit', shell.admin.more],
  ] as const) {
    await open(path)
    await eventually(() => lit(bottom)).toEqual([name])
  }
  await press(page, shell.admin.more)
  const sheet = page.getByRole('dialog', { name: shell.admin.more })
  await settles(page)
  expect(await accessibilityFindings(page)).toEqual([])
  await sheet.getByRole('link', { name: shared.pages.playground }).click()
  await eventually(() => new URL(page.url()).pathname).toBe('/console/playground')
})
