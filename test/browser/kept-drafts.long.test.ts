import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads, unfold } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

const [{ groups, keys, outside, shared, upstreams }] = LANGUAGES

async function signIn(page: Page, person: Person): Promise<void> {
  await arrives(page, outside.signIn.title)
  await fill(page, outside.email, person.email)
  await fill(page, outside.password, person.password)
  await press(page, outside.signIn.action)
}

/** Ends the session as time does. What the page asks by itself may find that out before the press does. */
async function endSession(page: Page, send: Locator): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.context().clearCookies()
  await send.click({ timeout: 5_000 }).catch(() => undefined)
  await arrives(page, outside.signIn.title)
}

const buttonOf = (where: Locator, name: string): Locator => where.getByRole('button', { name, exact: true })

const keptIn = (page: Page): Promise<string> => page.evaluate<string>('JSON.stringify(sessionStorage)')

/** Reported of others: wagtail/wagtail 2199 (a save with an ended session loses what was entered), simsalabim/sisyphus 52 (passwords kept along). */
test('a new key that was being written when the session ended is there after the sign-in, without its custom secret', async () => {
  const ada = await place.person({ balance: '5' })
  const { page, open } = await visit(place, { language: 'en', as: ada })
  await open('/keys')
  await buttonOf(content(page), keys.create).first().click()
  const form = page.getByRole('dialog', { name: keys.form.title })
  await fill(form, keys.form.name, 'night job')
  await fill(form, keys.form.quota, '12.50')
  await unfold(form, keys.form.moreSummary)
  await fill(form, keys.form.tags, 'team a')
  await form.getByRole('switch', { name: keys.form.custom }).check()
  await fill(form, keys.form.customKey, 'moved-7Qx9vK2mW4pR8tZ1')
  await endSession(page, buttonOf(form, keys.form.submit))
  expect(await keptIn(page)).toContain('night job')
  expect(await keptIn(page)).not.toContain('moved-7Qx9')
  await signIn(page, ada)
  await reads(form, shared.draftIsBack)
  const values = [keys.form.name, keys.form.quota, keys.form.tags].map((label) => field(form, label))
  await eventually(() => Promise.all(values.map((each) => each.inputValue()))).toEqual(['night job', '12.50', 'team a'])
  expect(await form.getByRole('switch', { name: keys.form.custom }).isChecked()).toBe(false)
  expect(await keptIn(page)).not.toContain('night job')
  await press(form, keys.form.submit)
  await page.getByRole('dialog', { name: keys.secret.title('night job') }).waitFor()
  const { body } = await ada.ask('GET', '/api/keys')
  expect(body.data).toMatchObject([{ name: 'night job', quota_limit: '12.5', tags: ['team a'] }])
})

/** Reported of others: forem/forem 21776 (the draft of one account shown to the next), usememos/memos 5163 (drafts left after a sign-out). */
test('another person who signs in in the same tab finds an empty form, and so does the first after closing it', async () => {
  const ada = await place.person()
  const eve = await place.person()
  const { page, open } = await visit(place, { language: 'en', as: ada })
  const form = page.getByRole('dialog', { name: keys.form.title })
  const name = field(form, keys.form.name)
  await open('/keys?new=key')
  await name.fill('private plans')
  await endSession(page, buttonOf(form, keys.form.submit))
  await signIn(page, eve)
  await eventually(() => name.inputValue()).toMatch(/^My/)
  expect(await keptIn(page)).not.toContain('private')

  await name.fill('a draft of hers')
  await endSession(page, buttonOf(form, keys.form.submit))
  await signIn(page, eve)
  await eventually(() => name.inputValue()).toBe('a draft of hers')
  await press(form, shared.cancel)
  await form.waitFor({ state: 'detached' })
  await buttonOf(content(page), keys.create).first().click()
  await eventually(() => name.inputValue()).toMatch(/^My/)
})

test('a group and an upstream that were being written are there again, the upstream without its credentials', async () => {
  const ada = await place.person({ role: 'admin' })
  const { page, open } = await visit(place, { language: 'en', as: ada })
  await open('/admin/groups')
  await press(content(page), groups.new)
  const group = page.getByRole('dialog', { name: groups.new })
  await fill(group, groups.form.name, 'night shift')
  await endSession(page, buttonOf(group, groups.form.create))
  await signIn(page, ada)
  // The form stands in the address, and is open again.
  await eventually(() => field(group, groups.form.name).inputValue()).toBe('night shift')

  await open('/admin/upstreams')
  await press(content(page), upstreams.new)
  const adding = page.getByRole('dialog')
  await fill(adding, upstreams.adding.url, 'https://api.example.test/v1')
  await fill(adding, upstreams.adding.secrets, 'sk-upstream-7Qx9vK2m')
  await endSession(page, buttonOf(adding, upstreams.adding.look))
  expect(await keptIn(page)).not.toContain('sk-upstream')
  await signIn(page, ada)
  await eventually(() => field(adding, upstreams.adding.url).inputValue()).toBe('https://api.example.test/v1')
  expect(await field(adding, upstreams.adding.secrets).inputValue()).toBe('')
})
