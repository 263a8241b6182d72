import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { content, eventually, field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

async function newKey(owner: Person, name: string): Promise<{ id: string; secret: string }> {
  const { body } = await owner.ask('POST', '/api/keys', { name, group: 'default' })
  return { id: body.key.id, secret: body.secret }
}

/** Counts presses of the pointer from now on; what is typed is none. */
async function pressesOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate('window.presses = 0; addEventListener("pointerdown", () => void window.presses++, true)')
  return () => page.evaluate<number>('window.presses')
}

const FRIDAY = 5

/** The next Friday, as a date field takes it. */
function friday(): string {
  const day = new Date()
  do day.setDate(day.getDate() + 1)
  while (day.getDay() !== FRIDAY)
  const twoDigits = (count: number): string => String(count).padStart(2, '0')
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

const heightOf = async (where: Locator): Promise<number> => Math.round((await where.boundingBox())?.height ?? 0)

describe.each(walkedIn('en'))('in $language', ({ language, keys, shared }) => {
  test('a key for a phone that ends on Friday and may spend $5 takes four presses, and its secret is there as a code', async () => {
    const ada = await place.person({ balance: '20' })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    const create = page.getByRole('button', { name: keys.create, exact: true }).first()
    await create.waitFor()
    const presses = await pressesOf(page)
    await create.click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await form.getByRole('radio', { name: /^default/ }).waitFor()
    // Four questions: two are typed, two are chosen.
    expect(await form.getByRole('textbox').count()).toBe(2)
    await eventually(() => form.getByRole('radio').count()).toBe(6)
    for (const role of ['combobox', 'switch'] as const) {
      expect(await form.getByRole(role).count(), role).toBe(0)
    }
    await page.keyboard.type('phone')
    await form.getByRole('radio', { name: keys.form.validities.date }).click()
    const lastDay = field(form, keys.form.lastDay)
    // The date is asked for next: it has the keyboard.
    await eventually(() => lastDay.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    await lastDay.fill(friday())
    await field(form, keys.form.quota).click()
    await page.keyboard.type('5')
    expect(await form.getByLabel(keys.form.quotaReset).inputValue()).toBe('never')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('phone') })
    await shown.waitFor()
    expect(await presses()).toBe(4)
    const { body } = await ada.ask('GET', '/api/keys')
    expect(body.data).toMatchObject([{ name: 'phone', quota_limit: '5', quota_reset: 'never' }])
    const end = new Date(body.data[0].expires_at)
    expect([end.getTime() > Date.now(), Date.parse(`${friday()}T00:00:00Z`) - end.getTime() < 86_400_000]).toEqual([
      true,
      true,
    ])

    const code = shown.getByRole('img', { name: keys.secret.code })
    expect(await code.count()).toBe(0)
    await press(shown, keys.importing.showCode)
    await code.waitFor()
    await reads(shown, keys.secret.codeHint)
    await shown.getByRole('checkbox', { name: keys.secret.saved }).check()
    await press(shown, keys.secret.done)
    await shown.waitFor({ state: 'detached' })
    expect(await code.count()).toBe(0)
  })

  test.each([1280, 360])('the card with the secret is as high whatever tab is open, %i px wide', async (width) => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada, width })
    await open('/keys?new=key')
    const form = page.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'laptop')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    const { setUp, environment, import: importing, test: testing } = keys.secret
    const heights: number[] = []
    for (const name of [setUp, environment, importing, testing]) {
      const tab = shown.getByRole('tab', { name, exact: true })
      await tab.click()
      await eventually(() => tab.getAttribute('aria-selected')).toBe('true')
      heights.push(await heightOf(shown))
    }
    expect(new Set(heights).size, heights.join(', ')).toBe(1)
  })

  test('a key that leaked is rotated and its old secret revoked in four presses', async () => {
    const ada = await place.person({ balance: '5' })
    const old = await newKey(ada, 'laptop')
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    const menu = page.getByRole('button', { name: keys.actionsOf('laptop'), exact: true })
    await menu.waitFor()
    const presses = await pressesOf(page)
    await menu.click()
    await page.getByRole('menuitem', { name: keys.rotate, exact: true }).click()
    const rotation = page.getByRole('dialog', { name: keys.rotation.title('laptop') })
    const choices = rotation.getByRole('radio')
    await choices.first().waitFor()
    // That it leaked comes first; a day for upkeep is what is preset.
    expect(await choices.evaluateAll((all) => all.map((each) => each.value))).toEqual(['none', 'hour', 'day', 'week'])
    expect(await choices.nth(2).isChecked()).toBe(true)
    await choices.first().click()
    await press(rotation, keys.rotation.submitNow)
    await reads(page.getByRole('dialog', { name: keys.secret.rotatedTitle('laptop') }), keys.rotation.stopped)
    expect(await presses()).toBe(4)
    expect((await place.call(old.secret)).status).toBe(401)
  })

  test('what is copied without the secret says so, and leads to where the secret is pasted', async () => {
    const ada = await place.person()
    const { secret } = await newKey(ada, 'laptop')
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/keys')
    await press(content(page), keys.useOf('laptop'))
    const drawer = page.getByRole('dialog', { name: keys.setUp.drawerTitle('laptop') })
    await drawer.getByRole('radio', { name: 'Claude Code' }).check()
    const block = drawer.getByRole('figure').filter({ hasText: 'ANTHROPIC_BASE_URL=' }).first()
    await block.getByRole('button').click()
    await reads(block, keys.setUp.copiedWithout)
    const entry = field(drawer, keys.setUp.secretEntry)
    await eventually(() => entry.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    await reads(drawer, keys.setUp.missed)
    expect(copied.at(-1)).toContain('sk-tg-…')
    await page.keyboard.insertText(secret)
    await reads(drawer, keys.setUp.fits.fits)
    await block.getByRole('button').click()
    await eventually(() => copied.at(-1) ?? '').toContain(secret)
    await reads(block, shared.copied)
    expect(await block.innerText()).not.toContain(keys.setUp.copiedWithout)
  })
})
