import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** Asks again until it is as expected. */
export function eventually<Value>(ask: () => Value): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(ask, { timeout: PATIENCE_MS, interval: 50 })
}

/** Waits until a person can read a text there. Texts have no role of their own, so it is sought in what has one. */
export async function reads(where: Locator, text: string | RegExp): Promise<void> {
  const asked = typeof text === 'string' ? expect.stringContaining(flat(text)) : expect.stringMatching(text)
  await eventually(async () => flat(await where.innerText({ timeout: PATIENCE_MS }))).toEqual(asked)
}

/** Waits until something is said aloud: of what is announced there may be several at a time. */
export async function hears(page: Page, text: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
}

/** Waits until a text is gone from there. */
export async function readsNoMore(where: Locator, text: string): Promise<void> {
  await eventually(async () => flat(await where.innerText())).not.toContain(flat(text))
}

/** The page's content, without what stands around every page. */
export function content(page: Page): Locator {
  return page.getByRole('main')
}

/** Waits for the page of this name. */
export async function arrives(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor({ timeout: PATIENCE_MS })
}

/** Presses the button of this name. */
export async function press(where: Page | Locator, name: string): Promise<void> {
  await where.getByRole('button', { name, exact: true }).click()
}

/** Chooses an item of the menu behind the button of this name. */
export async function chooseFrom(page: Page, menu: string, item: string): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export async function fill(where: Page | Locator, label: string, text: string): Promise<void> {
  await field(where, label).fill(text)
}

/** Types into a field whose choices the server finds, and takes the one that is left: the others may stand where it was. */
export async function take(page: Page, from: Locator, text: string): Promise<void> {
  await from.fill(text)
  await eventually(() => page.getByRole('option').count()).toBe(1)
  await page.getByRole('option', { name: text }).click()
  await eventually(() => from.inputValue()).toBe(text)
}

/** What is filled in under this label, which may say behind it that it need not be. */
export function field(where: Page | Locator, label: string): Locator {
  const asWritten = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return where.getByLabel(new RegExp(`^${asWritten}\\s*(${OPTIONAL})?$`))
}

const OPTIONAL = LANGUAGES.map(({ shared }) => shared.optional).join('|')

/** Unfolds what is folded away. The line that does it has no role that all browsers agree on. */
export async function unfold(where: Locator, line: string): Promise<void> {
  await where.getByText(line, { exact: true }).click()
}

/** Innermost line breaks are a matter of layout. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
