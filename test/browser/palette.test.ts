import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Furnished, furnish } from './furnish.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { hasFocus, marked, OPEN, palette, take } from './palette-keys.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { arrives, content, eventually, field, press, reads } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// What there is on every page: the command palette, single keys, and the bell.

let place: OwnPlace
let ada: Furnished
beforeAll(async () => {
  place = await startPlace()
  ada = await furnish(place)
})
afterAll(() => place.stop())

describe.each(walkedIn('zh-CN'))('in $language', (texts) => {
  const { language, shell, shared } = texts
  const [other] = LANGUAGES.filter((each) => each.language !== language)

  test('the palette leads to pages, keys and requests by keyboard alone, by words of either language', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/models')
    await arrives(page, shared.pages.models)

    await palette(page, texts)
    await page.keyboard.press('ArrowUp')
    await eventually(() => marked(page).innerText()).toContain(shell.actions.signOut)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await eventually(() => marked(page).innerText()).toContain(shared.pages.keys)
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('dialog').count()).toBe(0)

    for (const { pages } of [shared, other?.shared ?? shared]) {
      await palette(page, texts)
      await page.keyboard.type(pages.billing)
      await take(page, shared.pages.billing)
      await arrives(page, shared.pages.billing)
      await palette(page, texts)
      await page.keyboard.type(pages.usage)
      await take(page, shared.pages.usage)
      await arrives(page, shared.pages.usage)
      // Not a link on it, which a page that is there at once has already.
      await eventually(() => hasFocus(content(page))).toBe(true)
    }

    await palette(page, texts)
    await page.keyboard.type('build ser')
    await take(page, 'build server')
    await arrives(page, 'build server')
    await eventually(() => hasFocus(content(page))).toBe(true)

    const { body } = await ada.ask('GET', '/api/usage?limit=1')
    await palette(page, texts)
    await page.keyboard.type(body.data[0].id)
    await take(page, body.data[0].id)
    await reads(page.getByRole('dialog'), body.data[0].id)
  })
})

describe('in English', () => {
  const texts = LANGUAGES[0]
  const { language, shell, shared, keys, billing, diagnose, faults } = texts

  longTest('the palette creates a key, goes to the field for a code, and takes a theme at once', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    await open('/models')
    await arrives(page, shared.pages.models)
    await palette(page, texts)
    await page.keyboard.type(shell.actions.redeem)
    await take(page, shell.actions.redeem)
    await eventually(() => hasFocus(field(page, billing.redeem.code))).toBe(true)
    await palette(page, texts)
    await page.keyboard.type(shared.themes.dark)
    await take(page, shared.themes.dark)
    await eventually(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await eventually(async () => (await ada.ask('GET', '/api/me')).body.theme).toBe('dark')
    await palette(page, texts)
    await page.keyboard.type(shell.actions.createKey)
    await take(page, shell.actions.createKey)
    const form = page.getByRole('dialog', { name: keys.form.title })
    await eventually(() => hasFocus(field(form, keys.form.name))).toBe(true)
    // A dialog may show a secret: nothing leads away from it but its own buttons.
    await page.keyboard.press(OPEN)
    expect(await page.getByRole('combobox', { name: shell.palette.title }).count()).toBe(0)
  })

  test('an error that is pasted is diagnosed, and no secret in it goes to the server or into an address', async () => {
    const { page, open } = await visit(place, { language, as: ada })
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    await open('/models')
    await arrives(page, shared.pages.models)
    const box = await palette(page, texts)
    await box.fill(ada.secret)
    await eventually(() => marked(page).innerText()).toContain(shell.palette.diagnose)
    // What is searched for would have been asked of the server by then.
    await eventually(() => box.getAttribute('aria-busy')).toBe('false')
    await paste(box, `curl ${place.origin}/v1/chat/completions\n-H 'Authorization: Bearer ${ada.secret.slice(0, -4)}'`)
    await eventually(() => marked(page).innerText()).toContain(shell.palette.diagnose)
    await eventually(() => box.getAttribute('aria-busy')).toBe('false')
    await take(page, shell.palette.diagnose)
    // The page where it was pasted stays behind the diagnosis.
    await reads(page.getByRole('dialog', { name: diagnose.title }), faults.key_malformed.title)
    expect(new URL(page.url()).pathname).toBe('/console/models')
    expect(sent.filter((line) => line.includes(ada.secret.slice(6, 30)))).toEqual([])
    expect(page.url()).not.toContain(ada.secret.slice(6, 30))
  })

  longTest(
    'single keys go to pages, search, create and list themselves, but never while one types or when turned off',
    async () => {
      const { page, open } = await visit(place, { language, as: ada })
      await open('/models')
      await arrives(page, shared.pages.models)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: shell.shortcuts.title }).waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('Escape')
      await eventually(() => page.getByRole('dialog').count()).toBe(0)
      await page.keyboard.press('g')
      await page.keyboard.press('k')
      await arrives(page, shared.pages.keys)
      const search = page.getByRole('searchbox', { name: keys.search })
      await search.waitFor()
      await page.keyboard.press('/')
      await eventually(() => hasFocus(search)).toBe(true)
      await page.keyboard.type('ng/?')
      await eventually(() => search.inputValue()).toBe('ng/?')
      await open('/usage')
      await arrives(page, shared.pages.usage)
      await page.keyboard.press('n')
      await page.getByRole('dialog', { name: keys.form.title }).waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => page.getByRole('dialog').count()).toBe(0)

      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await arrives(page, shared.pages.account)
      await page.getByRole('switch', { name: texts.account.appearance.shortcuts }).uncheck()
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      await page.keyboard.press('g')
      await page.keyboard.press('u')
      await arrives(page, shared.pages.account)
      expect(await page.getByRole('dialog').count()).toBe(0)
      await palette(page, texts)
    },
  )
})

test('on a phone the palette opens by its button, and Escape gives the focus back to it', async () => {
  const [texts] = LANGUAGES
  const { page, open } = await visit(place, { language: 'en', as: ada, width: 360 })
  await open('/keys')
  await arrives(page, texts.shared.pages.keys)
  await press(page, texts.shared.search)
  const box = page.getByRole('combobox', { name: texts.shell.palette.title })
  await eventually(() => hasFocus(box)).toBe(true)
  await page.keyboard.press('Escape')
  await eventually(() => hasFocus(page.getByRole('button', { name: texts.shared.search, exact: true }))).toBe(true)
})

test('the bell counts what is unread, in the title too, leads to where it is dealt with, and remembers what was read', async () => {
  const [{ shell, shared, keys }] = LANGUAGES
  const { page, open } = await visit(place, { language: 'en', as: ada })
  await open('/models')
  await page.getByRole('button', { name: shared.notifications(1) }).click()
  const drawer = page.getByRole('dialog', { name: shell.notices.title })
  // Its end is six days away.
  await reads(drawer, 'laptop: Expires')
  await eventually(() => page.title()).toBe(`(1) ${shared.pages.models} · Tollgate`)
  await press(drawer, shell.notices.markAll)
  await eventually(() => page.title()).toBe(`${shared.pages.models} · Tollgate`)
  await drawer.getByRole('link', { name: shell.notices.editKey }).click()
  await page.getByRole('dialog', { name: keys.form.editTitle('laptop') }).waitFor()
  await open('/models')
  await page.getByRole('button', { name: shared.notifications(0), exact: true }).click()
  await reads(drawer, 'laptop: Expires')
  expect(await drawer.getByRole('button', { name: shell.notices.markAll }).count()).toBe(0)
})

longTest('the title of a hidden tab counts requests that fail meanwhile, until it is looked at', async () => {
  const [{ shell, shared }] = LANGUAGES
  // No other test gets a window with a clock in its hand.
  const { page, open, context } = await visit(place, { language: 'en', as: ada })
  await context.clock.install()
  await open('/models')
  await page.getByRole('button', { name: shared.notifications(1) }).waitFor()
  await show(page, false)
  for (let sent = 0; sent < 2; sent++) await place.call(ada.secret, { model: 'none', messages: [] })
  // It looks every five minutes.
  await eventually(async () => {
    await page.clock.runFor(300_000)
    return page.title()
  }).toBe(`(1) ${shell.notices.failed('2')} · ${shared.pages.models} · Tollgate`)
  await show(page, true)
  await eventually(() => page.title()).toBe(`(1) ${shared.pages.models} · Tollgate`)
})

longTest(
  'maintenance is said above every page, news on the overview, each until it is dismissed or was seen',
  async () => {
    const [{ shell, shared, overview }, { shell: chinese }] = LANGUAGES
    const announce = async (body: object) => (await place.admin('POST', '/api/announcements', body)).body
    const title = { en: 'New database', 'zh-CN': '更换数据库' }
    const news = { en: 'A faster model', 'zh-CN': '更快的模型' }
    const once = { en: 'Seen once', 'zh-CN': '只显示一次' }
    await announce({ kind: 'maintenance', title, ends_at: '2100-01-01T00:00:00Z' })
    await announce({ title: news, text: { en: 'Try it.', 'zh-CN': '欢迎试用。' } })
    await announce({ title: once, shows: 'once' })
    const { page, open } = await visit(place, { language: 'en', as: ada })
    await open('/models')
    await reads(content(page), shell.announcements.maintenance(title.en))
    expect(await content(page).innerText()).not.toContain(news.en)
    await open('/overview')
    await reads(content(page), news.en)
    await reads(content(page), once.en)
    await press(page, shell.announcements.dismiss(news.en))
    await press(page, shell.announcements.dismiss(title.en))
    await eventually(() => content(page).innerText()).not.toContain(title.en)
    await eventually(async () => (await ada.ask('GET', '/api/announcements')).body.data).toEqual([])
    await open('/overview')
    await reads(page.getByRole('region', { name: overview.requests.title }), 'laptop')
    await page.getByRole('button', { name: shared.notifications(1) }).waitFor()
    expect(await content(page).innerText()).not.toContain(once.en)
    const other = await visit(place, { language: 'zh-CN', as: await place.person() })
    await other.open('/models')
    await reads(content(other.page), chinese.announcements.maintenance(title['zh-CN']))
    // Who has not called yet lands on the way to a first call, and reads the news there.
    await other.open('/overview')
    await reads(content(other.page), news['zh-CN'])
  },
)

longTest(
  'with forced colours, which take every ground away, a meter and a state keep an edge, and the meter its filling',
  async () => {
    const { page, open } = await visit(place, { language: 'en', as: ada })
    await page.emulateMedia({ forcedColors: 'active' })
    await open('/billing')
    const meter = page.getByRole('meter').first()
    await meter.waitFor()
    const ofMeter = await meter.evaluate((track) => {
      const view = track.ownerDocument.defaultView
      const edge = view?.getComputedStyle(track)
      const filling = track.firstElementChild === null ? undefined : view?.getComputedStyle(track.firstElementChild)
      return { edge: edge?.outlineStyle, isFilled: filling?.backgroundColor !== edge?.backgroundColor }
    })
    expect(ofMeter).toEqual({ edge: 'solid', isFilled: true })
    const state = content(page).getByText('Active', { exact: true }).first()
    const edge = await state.evaluate((text) => {
      const badge = text.parentElement
      const style = badge === null ? undefined : text.ownerDocument.defaultView?.getComputedStyle(badge)
      return `${style?.outlineStyle} ${style?.outlineColor === style?.color}`
    })
    expect(edge).toBe('solid true')
  },
)

/** Hides or shows the page, as choosing another tab does. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!isShown} })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

/** Pastes as the browser does: lines and all. */
async function paste(box: Locator, text: string): Promise<void> {
  await box.fill('')
  await box.evaluate((element, pasted) => {
    const view = element.ownerDocument.defaultView
    if (view === null) return
    const data = new view.DataTransfer()
    data.setData('text/plain', pasted)
    element.dispatchEvent(new view.ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}
