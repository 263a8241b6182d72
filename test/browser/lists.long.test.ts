import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sidewaysPx } from './accessibility.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, hears, press, reads } from './reading.ts'
import { visit } from './visit.ts'

const [{ language, faults, keys, models, shared, shell, usage, record }] = LANGUAGES
const KEYS = 14

let place: OwnPlace
let ada: Person
beforeAll(async () => {
  place = await startPlace()
  ada = await place.person({ balance: '5' })
  for (let index = 0; index < KEYS; index += 1)
    await ada.ask('POST', '/api/keys', { name: `key ${index}`, group: 'default', quota_limit: '20' })
})
afterAll(() => place.stop())

/** Whether all of it lies within the window's width, and nothing covers its middle. */
async function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    node.ownerDocument.defaultView?.scrollBy(0, node.getBoundingClientRect().top - 300)
    const { left, right, top, bottom } = node.getBoundingClientRect()
    const hit = node.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const width = node.ownerDocument.documentElement.clientWidth
    return left >= 0 && right <= width && hit !== null && (node.contains(hit) || hit.contains(node))
  })
}

/** Whether the element is in the window without scrolling up or down for it. */
async function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect()
    return node.contains(node.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })
}

/** Whether a button of the card covers some of the words that another one has; `name`: what these words are. */
function liesUnderButtons(card: Locator, name: string): Promise<boolean> {
  return card.getByRole('button').evaluateAll((buttons, words) => {
    const leaves = (of: (typeof buttons)[number]): (typeof buttons)[number][] => {
      const parts = [...of.children] as typeof buttons
      return parts.length === 0 ? [of] : parts.flatMap((each) => leaves(each))
    }
    const named = buttons.filter(({ textContent }) => textContent?.includes(words))
    const others = buttons.filter((button) => !named.includes(button)).map((button) => button.getBoundingClientRect())
    return named
      .flatMap((button) => leaves(button))
      .map((part) => part.getBoundingClientRect())
      .some((part) =>
        others.some(
          ({ left, right, top, bottom }) =>
            part.left < right && left < part.right && part.top < bottom && top < part.bottom,
        ),
      )
  }, name)
}

async function openKeys(width: number): Promise<Page> {
  const { page, open } = await visit(place, { language, width, as: ada })
  await open('/keys')
  await page.getByRole('button', { name: keys.actionsOf('key 13') }).waitFor()
  return page
}

/** Expects that no column is out of sight from the commonest width of laptops on. */
async function seesAllColumns(table: Locator): Promise<void> {
  for (const width of [1280, 1920]) {
    await table.page().setViewportSize({ width, height: 860 })
    await eventually(() => table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  }
}

test.for([360, 768, 1000, 1280])('what can be done with a key is in sight at %i px', async (width) => {
  const page = await openKeys(width)
  await eventually(() => isInSight(page.getByRole('button', { name: keys.useOf('key 13') }))).toBe(true)
  await eventually(() => isInSight(page.getByRole('button', { name: keys.actionsOf('key 13') }))).toBe(true)
  await eventually(() => page.getByRole('region', { name: keys.list }).count()).toBe(width < 960 ? 0 : 1)
  if (width === 1280) await seesAllColumns(page.getByRole('region', { name: keys.list }))
})

test('a table that is wider than the window keeps the names in sight, and shows at its edges that more is hidden', async () => {
  const page = await openKeys(1000)
  const table = page.getByRole('region', { name: keys.list })
  const hidden = () =>
    table.evaluate((node) => ['start', 'end'].filter((side) => node.hasAttribute(`data-hidden-${side}`)))
  await eventually(hidden).toEqual(['end'])
  await table.evaluate((node) => node.scrollTo({ left: node.scrollWidth }))
  await eventually(hidden).toEqual(['start'])
  await eventually(() => isInSight(table.getByText('key 13', { exact: true }))).toBe(true)
  const row = table.getByRole('row').filter({ hasText: 'key 13' })
  await row.getByRole('rowheader', { name: /key 13/ }).waitFor()
})

test('a very long name is cut in its middle, and takes no column out of sight', async () => {
  const { page, open, context } = await visit(place, { language, as: ada })
  const name = `${'a-family-of-models/'.repeat(8)}the-last-of-them`
  await context.route('**/api/models*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('"demo/echo"', JSON.stringify(name)),
    })
  })
  await open('/models')
  const copy = page.getByRole('button', { name: models.copyName(name) })
  await copy.waitFor()
  await eventually(() => isInSight(copy)).toBe(true)
  const table = page.getByRole('region', { name: shared.pages.models })
  expect(await table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  const cut = table.getByRole('button', { name, exact: true })
  await cut.getByTitle(name, { exact: true }).waitFor()
  await reads(cut, 'st-of-them')
})

test.for([320, 360])('at %i px no name of a model lies under its buttons, however long it is', async (width) => {
  const { page, open, context } = await visit(place, { language, width, as: ada })
  const names = {
    'demo/tools': 'claude-sonnet-5-20261114',
    'demo/reasoner': 'qwen4-coder-480b-a35b-instruct',
    'demo/echo': `${'a-family/'.repeat(8)}the-last-of-them`,
  }
  await context.route('**/api/models*', async (route) => {
    const response = await route.fetch()
    const whole = Object.entries(names).reduce((text, pair) => text.replaceAll(...pair), await response.text())
    await route.fulfill({ response, body: whole })
  })
  await open('/models')
  const cards = page.getByRole('list', { name: shared.pages.models }).getByRole('listitem')
  for (const name of Object.values(names)) {
    const card = cards.filter({ has: page.getByRole('checkbox', { name: shared.table.selectRow(name), exact: true }) })
    await card.waitFor()
    await eventually(() => liesUnderButtons(card, name)).toBe(false)
    // Two lines, and three where the figures need both.
    const { height = 0 } = (await card.boundingBox()) ?? {}
    expect(height, name).toBeLessThan(90)
  }
})

test('no column of the models is out of sight on a laptop, with prices by length and several keys', async () => {
  const targets = [{ upstream: 'demo', model: 'demo/echo' }]
  const tiers = [{ above_input_tokens: 128_000, input: '0.8', output: '3.2', cache_read: '0.08' }]
  const price = { input: '0.4', output: '1.6', cache_read: '0.04', tiers }
  await place.admin('POST', '/api/models', {
    name: 'qwen4-coder-480b-instruct',
    price,
    targets,
    context_tokens: 262_100,
  })
  await place.admin('POST', '/api/groups', { name: 'thrifty', multiplier: '0.85' })
  const eva = await place.person({ balance: '5' })
  for (let index = 0; index < 3; index += 1)
    await eva.ask('POST', '/api/keys', { name: `Cherry Studio at home ${index}`, group: 'thrifty' })
  const { page, open } = await visit(place, { language, as: eva })
  await open('/models')
  const table = page.getByRole('region', { name: shared.pages.models })
  await reads(table, 'Cherry Studio at home')
  await seesAllColumns(table)
})

test('the long name of a group takes nothing out of sight on Models and API keys, on a phone neither', async () => {
  const name = `everything-cheap-${'and-slow-'.repeat(5)}x`
  await place.admin('POST', '/api/groups', { name, multiplier: '0.5' })
  const eva = await place.person({ balance: '5' })
  await eva.ask('POST', '/api/keys', { name: 'of eva', group: name })
  const { page, open } = await visit(place, { language, as: eva })
  for (const [path, shown] of [
    ['/models', name],
    ['/keys', name],
  ] as const) {
    await open(path)
    await reads(content(page), shown)
    for (const width of [320, 360, 640, 768]) {
      await page.setViewportSize({ width, height: 740 })
      await eventually(() => sidewaysPx(page)).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    const table = page.getByRole('region', { name: path === '/models' ? shared.pages.models : keys.list })
    await eventually(() => table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  }
})

test.for([360, 1280])('the buttons for ticked rows stay in sight at %i px, whichever row was ticked', async (width) => {
  const page = await openKeys(width)
  for (const name of ['key 0', 'key 13']) {
    const box = page.getByRole('checkbox', { name: shared.table.selectRow(name) })
    await box.check()
    const bar = content(page).getByRole('button', { name: keys.disable, exact: true })
    expect(await isInWindow(bar), name).toBe(true)
    await box.uncheck()
  }
})

test('on a phone the first row is in sight, and one button has all filters, the order and how many are set', async () => {
  const root = await place.person({ role: 'admin' })
  const { page, open } = await visit(place, { language, width: 360, as: root })
  const rows = page.getByRole('main').getByRole('list').getByRole('listitem')
  for (const path of ['/admin/audit', '/admin/models', '/models']) {
    await open(path)
    await rows.first().waitFor()
    const { y = 0, height = 0 } = (await rows.first().boundingBox()) ?? {}
    // Above the bar at the foot of the window.
    expect(y + height, path).toBeLessThan(740 - 56)
  }
  const filter = page.getByRole('main').getByRole('button', { name: shared.table.filter })
  expect(await page.getByRole('main').getByRole('combobox').count()).toBe(0)
  await filter.click()
  const sheet = page.getByRole('dialog', { name: shared.table.filter })
  await sheet.getByRole('combobox', { name: shared.table.sortBy, exact: true }).waitFor()
  await sheet.getByRole('combobox', { name: models.modelKind, exact: true }).selectOption('chat')
  await sheet.getByRole('button', { name: shared.table.showRows }).click()
  await sheet.waitFor({ state: 'detached' })
  await eventually(() => filter.innerText()).toMatch(/1$/)
  await filter.click()
  await press(sheet, shared.table.clearFilters)
  await press(sheet, shared.table.showRows)
  await eventually(() => filter.innerText()).not.toMatch(/\d/)
})

test('a filter is a chip that is filled when it is set and cleared with one press, which leaves the keyboard at it', async () => {
  const page = await openKeys(1280)
  const status = page.getByRole('combobox', { name: keys.columns.status, exact: true })
  await status.selectOption('active')
  const words = shared.labelled(keys.columns.status, keys.statuses.active)
  const clear = page.getByRole('button', { name: shared.removeItem(words), exact: true })
  await clear.press('Enter')
  await clear.waitFor({ state: 'detached' })
  expect(await status.inputValue()).toBe('')
  await eventually(() => status.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true)
})

test('a menu whose code is there opens with the press itself, without a wait', async () => {
  const { page, open, context } = await visit(place, { language, as: ada })
  await context.addInitScript(`{
    const real = globalThis.setTimeout
    globalThis.setTimeout = (...given) => globalThis.areTimersStopped ? 0 : real(...given)
  }`)
  await open('/keys')
  const button = page.getByRole('button', { name: keys.actionsOf('key 13') })
  await button.hover()
  const fetched = () =>
    page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name).sort().join(' ')")
  await eventually(fetched).toMatch(/key-menu.*menus-/)
  await page.waitForLoadState('networkidle')
  await page.evaluate('globalThis.areTimersStopped = true')
  await button.click()
  await page.getByRole('menuitem', { name: keys.edit }).waitFor()
})

test('after a key is deleted by keyboard the focus is on the menu of the next one, and on the heading after the last', async () => {
  const eva = await place.person()
  for (const name of ['first', 'second']) await eva.ask('POST', '/api/keys', { name, group: 'default' })
  const { page, open } = await visit(place, { language, as: eva })
  await open('/keys?sort=name')
  for (const [name, next] of [
    ['first', page.getByRole('button', { name: keys.actionsOf('second') })],
    ['second', page.getByRole('heading', { name: shared.pages.keys, level: 1 })],
  ] as const) {
    await page.getByRole('button', { name: keys.actionsOf(name) }).press('ArrowDown')
    await page.getByRole('menuitem', { name: keys.delete }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: keys.confirm.deleteAction }).press('Enter')
    await eventually(() => next.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true)
  }
})

test('drawers and the form of a new key stand in the address: Back closes them, and a link opens them', async () => {
  const page = await openKeys(360)
  await page.getByRole('button', { name: keys.useOf('key 13') }).click()
  const drawer = page.getByRole('dialog', { name: keys.setUp.drawerTitle('key 13') })
  await drawer.waitFor()
  await eventually(() => new URL(page.url()).searchParams.get('use')).toMatch(/^key_/)
  await page.reload()
  await drawer.waitFor()
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  await arrives(page, shared.pages.keys)
  await page.getByRole('button', { name: keys.create, exact: true }).first().click()
  const form = page.getByRole('dialog', { name: keys.form.title })
  await form.waitFor()
  await eventually(() => new URL(page.url()).searchParams.has('new')).toBe(true)
  await form.getByLabel(keys.form.name).fill('phone')
  await press(form, keys.form.submit)
  await page.getByRole('dialog', { name: keys.secret.title('phone') }).waitFor()
  // Back would take the only sight of the secret along, so it asks as the close button does.
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: keys.secret.leaveTitle })
  await press(question, keys.secret.leave)
  await form.waitFor({ state: 'detached' })
  await arrives(page, shared.pages.keys)
  await page.goto('/console/keys?use=key_00000000000000000000000000')
  await reads(page.getByRole('dialog'), keys.notFound)
  // So they do on a key's own page.
  const { body: found } = await ada.ask('GET', '/api/keys?search=key%2013')
  await page.goto(`/console/keys/${found.data[0].id}?edit=${found.data[0].id}`)
  const edit = page.getByRole('dialog', { name: keys.form.editTitle('key 13') })
  await press(edit, shared.cancel)
  await edit.waitFor({ state: 'detached' })
  await eventually(() => new URL(page.url()).search).toBe('')
  await press(content(page), keys.use)
  await drawer.waitFor()
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  await arrives(page, 'key 13')
})

test('usage follows new requests while it is live, refused ones too, and stands still when it is paused', async () => {
  const eva = await place.person({ balance: '5' })
  const { body } = await eva.ask('POST', '/api/keys', { name: 'tail', group: 'default' })
  await place.call(body.secret)
  const { page, open } = await visit(place, { language, as: eva })
  await open('/usage')
  const table = page.getByRole('region', { name: usage.records })
  const rows = async () => (await table.getByRole('row').count()) - 1
  await eventually(rows).toBe(1)
  await table
    .getByText(/^\$0\.0/)
    .first()
    .hover()
  await eventually(() => page.evaluate<string>('document.body.innerText')).toContain(`${record.kinds.input}: `)
  await press(page, usage.live)
  await eventually(() => new URL(page.url()).searchParams.get('live')).toBe('on')
  await place.call(body.secret, { model: 'none', messages: [{ role: 'user', content: 'Hello' }] })
  await eventually(rows).toBe(2)
  await reads(table, faults.model_unknown.title)
  await seesAllColumns(table)
  await press(page, usage.pauseLive)
  await page.getByRole('button', { name: usage.live, exact: true }).waitFor()
  await eventually(() => new URL(page.url()).searchParams.has('live')).toBe(false)
})

test('any key can be filtered by: what is typed is looked for by the server', async () => {
  const { page, open } = await visit(place, { language, as: ada })
  await open('/usage')
  await press(page, usage.filters.title)
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('search') === 'key 7')
  await page.getByRole('combobox', { name: usage.filters.key }).fill('key 7')
  await asked
  await page.getByRole('option', { name: /key 7/ }).click()
  await reads(content(page), shared.labelled(usage.filters.key, 'key 7'))
  await eventually(() => new URL(page.url()).searchParams.get('key')).toMatch(/^key_/)
})

test('a failed request leads to the page of its error and to others like it, and can be copied for support and tried again', async () => {
  const eva = await place.person({ balance: '5' })
  const { body } = await eva.ask('POST', '/api/keys', { name: 'wrong', group: 'default' })
  for (let tries = 0; tries < 3; tries += 1)
    await place.call(body.secret, { model: 'none', messages: [{ role: 'user', content: 'Hello' }] })
  const { page, open, copied } = await visit(place, { language, as: eva })
  await open('/usage')
  await page
    .getByRole('region', { name: usage.records })
    .getByRole('row')
    .nth(1)
    .getByRole('rowheader')
    .getByRole('button')
    .click()
  const drawer = page.getByRole('dialog')
  const code = drawer.getByRole('link', { name: 'model_unknown', exact: true })
  await eventually(() => code.getAttribute('href')).toBe('/docs/errors/model_unknown')
  await reads(drawer, record.sameMore('2', false))
  await press(drawer, record.copySupport)
  await eventually(() => copied.at(-1) ?? '').toMatch(/^request: req_\w+\ntime: /)
  expect(copied.at(-1)).not.toContain(body.secret.slice(-4))
  await press(drawer, record.copyRetry)
  await eventually(() => copied.at(-1) ?? '').toContain(`curl '${place.origin}/v1/chat/completions'`)
  await drawer.getByRole('link', { name: record.sameMore('2', false) }).click()
  await eventually(() => new URL(page.url()).searchParams.get('fault')).toBe('model_unknown')
})

test('the help leads to pages that are there and says version and build, and a page that is gone to is announced', async () => {
  const page = await openKeys(1280)
  await page.getByRole('button', { name: shared.accountMenu(ada.email), exact: true }).waitFor()
  await press(page, shared.help)
  for (const [name, path] of [
    [shell.help.docs, '/docs'],
    [shell.help.api, '/api/docs'],
    [shell.help.errors, '/docs/errors'],
    [shell.help.changes, '/docs/changes'],
    [shell.help.license, '/docs/license'],
  ] as const) {
    await eventually(() => page.getByRole('menuitem', { name, exact: true }).getAttribute('href')).toBe(path)
    expect((await page.request.get(path)).status()).toBe(200)
  }
  await reads(page.getByRole('menu'), /Tollgate \d.*build [\w-]{8}/)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: shared.pages.models, exact: true }).first().click()
  await hears(page, shared.pages.models)
})
