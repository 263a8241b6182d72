import { beforeAll, expect, test } from 'vitest'
import { furnish } from './furnish.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, content, eventually, reads } from './reading.ts'
import { visit } from './visit.ts'

// What stands around every page: where its content begins, what paper and a reader's own colours make of it.

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

const PAGES = ['/keys', '/usage', '/models', '/billing', '/account'] as const

test.each(walkedIn('en'))(
  'an address that leads nowhere keeps the menu, in $language',
  async ({ language, shared }) => {
    const { page, open } = await visit(place, { language, as: await place.person() })
    await open('/nowhere/at-all?x=1')
    await arrives(page, shared.notFound.title)
    await page.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
    await arrives(page, shared.pages.models)
  },
)

test('every page begins at one left edge, and tables are given the room of a wide screen', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person() })
  await page.setViewportSize({ width: 1920, height: 1000 })
  const edges = new Set<number>()
  for (const path of PAGES) {
    await open(path)
    edges.add((await page.getByRole('heading', { level: 1 }).boundingBox())?.x ?? -1)
  }
  expect([...edges]).toHaveLength(1)
  await open('/models')
  const table = page.getByRole('table').first()
  await table.waitFor()
  expect((await table.boundingBox())?.width).toBeGreaterThan(1300)
})

test.each([768, 1280])('a menu that opens moves nothing that stands around it, at %i px', async (width) => {
  const [{ language, shared, shell }] = LANGUAGES
  const ada = await place.person()
  const { page, open } = await visit(place, { language, as: ada, width })
  await open('/keys')
  const account = page.getByRole('button', { name: shared.accountMenu(ada.email) })
  const before = await account.boundingBox()
  expect(before).not.toBeNull()
  await page.getByRole('button', { name: shared.help }).click()
  await page.getByRole('menuitem', { name: shell.help.docs }).waitFor()
  expect(await account.boundingBox()).toEqual(before)
})

test('paper has neither menu nor buttons, and is white', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person({ balance: '5' }) })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await open('/billing')
  for (const role of ['navigation', 'banner', 'complementary'] as const)
    expect(await page.getByRole(role).count(), role).toBe(0)
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await eventually(() => page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
})

test.each(walkedIn('zh-CN'))(
  'what is read of money is on paper, too, on a sheet of A4 and on a wide one: each day, each entry, each request, in $language',
  async ({ language, billing, usage }) => {
    const ada = await furnish(place)
    const { page, open } = await visit(place, { language, as: ada })
    const lists = [
      ['/billing', billing.ledger.title, /\d/],
      ['/billing?view=entries', billing.ledger.views.entries, '$'],
      ['/usage', usage.records, 'demo/reasoner'],
    ] as const
    for (const [path, name, shown] of lists) {
      await page.emulateMedia({ media: 'screen' })
      await open(path)
      for (const width of [A4_PX, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const table = content(page)
          .getByRole('region', { name })
          .filter({ has: page.getByRole('table') })
        const list = content(page).getByRole('list', { name }).or(table).first()
        await page.emulateMedia({ media: 'screen' })
        await reads(list, shown)
        await reads(list, '$')
        const onScreen = wordsOf(await list.innerText())
        await page.emulateMedia({ media: 'print' })
        await eventually(async () => wordsOf(await list.innerText())).toEqual(onScreen)
      }
    }
    await page.emulateMedia({ media: 'print' })
    await reads(page.getByRole('region', { name: usage.summary }), '$')
  },
)

/** A sheet without its margins. */
const A4_PX = 718

/** Where the lines break is a matter of layout. */
function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

test('with forced colours the page one is on, and what is chosen, have a border that the others do not have', async () => {
  const { page, open } = await visit(place, { language: 'en', as: await place.person() })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ forcedColors: 'active' })
  await open('/keys')
  await arrives(page, 'API keys')
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await links.first().waitFor()
  const borders = await links.evaluateAll((all) =>
    all.map((link) => link.ownerDocument.defaultView?.getComputedStyle(link).borderTopColor),
  )
  expect(borders.length).toBeGreaterThan(3)
  expect(borders[1]).not.toBe(borders[0])
  expect(new Set(borders.filter((_, index) => index !== 1)).size).toBe(1)
  await open('/usage')
  const choices = page.getByRole('main').getByRole('radio')
  await choices.first().waitFor()
  const outlined = await choices.evaluateAll((all) =>
    all.map((choice) => {
      const frame = choice.parentElement ?? choice
      const style = frame.ownerDocument.defaultView?.getComputedStyle(frame)
      return `${choice.matches(':checked')} ${style?.outlineStyle !== 'none'}`
    }),
  )
  expect(new Set(outlined)).toEqual(new Set(['true true', 'false false']))
})
