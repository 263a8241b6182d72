import { beforeAll, test } from 'vitest'
import { furnish } from './furnish.ts'
import { LANGUAGES } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, eventually, fill, press } from './reading.ts'
import { visit } from './visit.ts'

/**
 * A browser has six connections to an origin of HTTP/1.1: one that is held by each tab would leave none for the others, and
 * what the last tabs ask for would never come.
 */
const TABS = 8

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

test('eight tabs of the overview and the keys are open at once, and every one of them still answers', async () => {
  const { language, keys, shared } = LANGUAGES[0]
  const ada = await furnish(place)
  const { context, page } = await visit(place, { language, as: ada })
  const tabs = [page, ...(await Promise.all(Array.from({ length: TABS - 1 }, () => context.newPage())))]
  const nameOf = (at: number) => (at % 2 === 0 ? 'overview' : 'keys')
  await Promise.all(tabs.map((tab, at) => tab.goto(`/console/${nameOf(at)}`, { waitUntil: 'domcontentloaded' })))
  await Promise.all(tabs.map((tab, at) => arrives(tab, shared.pages[nameOf(at)])))
  for (const tab of tabs.filter((_tab, at) => nameOf(at) === 'keys')) {
    await tab.bringToFront()
    await tab.getByRole('searchbox', { name: keys.search }).fill('laptop')
    await eventually(() => tab.getByRole('region', { name: keys.list }).getByRole('row').count()).toBe(2)
  }
  const last = tabs.at(-1) ?? page
  await press(last, shared.table.clearFilters)
  await press(last, keys.create)
  const form = last.getByRole('dialog', { name: keys.form.title })
  await fill(form, keys.form.name, 'from the eighth tab')
  await press(form, keys.form.submit)
  await last.getByRole('dialog', { name: keys.secret.title('from the eighth tab') }).waitFor()
})
