import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sidewaysPx } from './accessibility.ts'
import { type Texts, walkedIn } from './languages.ts'
import { type Person, type Place, sharedPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads } from './reading.ts'
import { signInAs, visit } from './visit.ts'

// Which columns a table shows and how close its rows stand are kept for each person of a browser.

let place: Place
let root: Person
beforeAll(async () => {
  place = await sharedPlace()
  root = await place.person({ role: 'admin', balance: '5' })
  await newKey(root)
  const { body } = await root.ask('POST', '/api/keys', { name: 'second', group: 'default' })
  await place.call(body.secret)
})

async function newKey(person: Person): Promise<void> {
  await person.ask('POST', '/api/keys', { name: 'first', group: 'default' })
}

async function choose(page: Page, { shared }: Texts, item: Locator): Promise<void> {
  await page.getByRole('button', { name: shared.table.menu, exact: true }).first().click()
  await item.click()
  await page.keyboard.press('Escape')
  await item.waitFor({ state: 'detached' })
}

function stored(page: Page): Promise<string> {
  return page.evaluate<string>(
    'Object.entries({ ...localStorage }).filter(([name]) => name.startsWith("tollgate.tables")).join(" ")',
  )
}

test.each(walkedIn('zh-CN'))(
  'a column that is hidden stays so after a reload and another sign-in, for one person alone, until columns are reset, in $language',
  async (texts) => {
    const { language, keys, shared } = texts
    const [ada, eva] = [await place.person(), await place.person()]
    for (const person of [ada, eva]) await newKey(person)
    const { page, open, context } = await visit(place, { language, as: ada })
    await open('/keys')
    const table = page.getByRole('region', { name: keys.list, exact: true })
    const group = table.getByRole('columnheader', { name: keys.columns.group, exact: true })
    const hide = page.getByRole('menuitemcheckbox', { name: keys.columns.group, exact: true })
    await reads(table, 'first')
    await choose(page, texts, hide)
    await group.waitFor({ state: 'detached' })

    await page.reload()
    await reads(table, 'first')
    expect(await group.count()).toBe(0)
    await page.setViewportSize({ width: 360, height: 740 })
    const card = page.getByRole('list', { name: keys.list, exact: true }).getByRole('listitem')
    await reads(card, keys.columns.spent)
    expect(await card.innerText()).not.toContain('default')
    await page.setViewportSize({ width: 1280, height: 860 })

    await context.clearCookies()
    await signInAs(context, { person: eva, origin: place.origin })
    await open('/keys')
    await group.waitFor()

    await context.clearCookies()
    await signInAs(context, { person: ada, origin: place.origin })
    await open('/keys')
    await reads(table, 'first')
    expect(await group.count()).toBe(0)
    expect(await stored(page)).toContain(ada.id)
    await choose(page, texts, page.getByRole('menuitem', { name: shared.table.resetColumns, exact: true }))
    await group.waitFor()
    expect(await stored(page)).toBe('')
  },
)

test.each(walkedIn('en'))(
  'by keyboard: the menu opens, names what it holds, and Space hides a column and leaves it open, in $language',
  async ({ language, keys, shared }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/keys')
    const table = page.getByRole('region', { name: keys.list, exact: true })
    await reads(table, 'first')
    const button = page.getByRole('button', { name: shared.table.menu, exact: true })
    await button.press('ArrowDown')
    const menu = page.getByRole('menu', { name: shared.table.menu, exact: true })
    const columns = menu.getByRole('group', { name: shared.table.columns, exact: true })
    // The name of a key and what can be done with it are always there.
    for (const name of [keys.columns.name, keys.columns.actions])
      expect(await columns.getByRole('menuitemcheckbox', { name, exact: true }).count()).toBe(0)
    await menu.getByRole('group', { name: shared.table.density, exact: true }).waitFor()
    const status = columns.getByRole('menuitemcheckbox', { name: keys.columns.status, exact: true })
    await status.press('Space')
    await eventually(() => status.getAttribute('aria-checked')).toBe('false')
    await table.getByRole('columnheader', { name: keys.columns.status, exact: true }).waitFor({ state: 'detached' })
    await status.press('Space')
    await eventually(() => status.getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('Escape')
    await eventually(() => button.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true)
  },
)

test.each(walkedIn('zh-CN'))(
  'compact is for all tables of a person, and what they chose holds while they see the console of another account, in $language',
  async (texts) => {
    const { language, accounts, keys, requests, shared, shell } = texts
    const owner = await place.person()
    await newKey(owner)
    const { page, open } = await visit(place, { language, as: root })
    const table = page.getByRole('region', { name: keys.list, exact: true })
    const sums = page.getByRole('region', { name: requests.title, exact: true })
    // Of the row with the headers: what stands in others may come after it and make them higher.
    const heightOf = (list: Locator): Promise<number> =>
      list
        .getByRole('row')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height)
    await open('/admin/requests')
    await reads(sums, requests.total)
    const sumsBefore = await heightOf(sums)
    await open('/keys')
    await reads(table, 'first')
    const before = await heightOf(table)
    await choose(page, texts, page.getByRole('menuitemradio', { name: shared.table.compact, exact: true }))
    await eventually(() => heightOf(table)).toBeLessThan(before)
    await open('/admin/requests')
    await reads(sums, requests.total)
    expect(await heightOf(sums)).toBeLessThan(sumsBefore)

    await open('/keys')
    const group = keys.columns.group
    await choose(page, texts, page.getByRole('menuitemcheckbox', { name: group, exact: true }))
    await open(`/admin/accounts/${owner.id}`)
    await press(content(page), accounts.seeAs.action)
    const dialog = page.getByRole('dialog', { name: accounts.seeAs.title(owner.email) })
    await fill(dialog, accounts.seeAs.reason, 'a question')
    await press(dialog, accounts.seeAs.submit)
    await reads(content(page), shell.seeing.title(owner.email))
    await open('/keys')
    await reads(table, 'first')
    expect(await table.getByRole('columnheader', { name: group, exact: true }).count()).toBe(0)
    await press(content(page), shell.seeing.end)
    await arrives(page, owner.email)

    await open('/keys')
    await choose(page, texts, page.getByRole('menuitemradio', { name: shared.table.comfortable, exact: true }))
    await eventually(() => heightOf(table)).toBe(before)
    expect(await stored(page)).not.toContain(owner.id)
  },
)

test.each(walkedIn('en'))(
  'figures of the explorer and columns of the newest requests can be hidden, on a phone too, in $language',
  async (texts) => {
    const { language, requests: t, shared } = texts
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/requests')
    const sums = page.getByRole('region', { name: t.title, exact: true })
    const latest = page.getByRole('region', { name: t.live.list, exact: true })
    await reads(sums, t.columns.failed)
    await reads(latest, t.live.account)
    await choose(page, texts, page.getByRole('menuitemcheckbox', { name: t.columns.failed, exact: true }))
    await page.getByRole('button', { name: shared.table.menu, exact: true }).last().click()
    await page.getByRole('menuitemcheckbox', { name: t.live.account, exact: true }).click()
    await page.keyboard.press('Escape')
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 860 })
      await page.reload()
      await reads(sums, t.columns.charged)
      const header = sums.getByRole('columnheader', { name: t.columns.failed, exact: true })
      expect(await header.count()).toBe(0)
      const cells = await sums.getByRole('row').nth(1).getByRole('cell').count()
      expect(await sums.getByRole('columnheader').count()).toBe(cells + 1)
      const list = width === 360 ? page.getByRole('list', { name: t.live.list, exact: true }) : latest
      await reads(list, 'demo/echo')
      expect(await list.innerText()).not.toContain(t.live.account)
      expect(await sidewaysPx(page)).toBeLessThanOrEqual(0)
    }
  },
)
