import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Texts } from './languages.ts'
import { eventually } from './reading.ts'

/** What opens the palette, and closes it again. */
export const OPEN = 'Control+k'

/** Opens the palette; returns its field once it has the focus. */
export async function palette(page: Page, { shell }: Texts): Promise<Locator> {
  await page.keyboard.press(OPEN)
  const box = page.getByRole('combobox', { name: shell.palette.title })
  await eventually(() => hasFocus(box)).toBe(true)
  return box
}

/** Takes the marked line once it is that of `wanted`: Enter before that would take another. */
export async function take(page: Page, wanted: string): Promise<void> {
  await eventually(() => marked(page).allInnerTexts()).toEqual([expect.stringContaining(wanted)])
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('combobox') })
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

/** The line that Enter takes. */
export const marked = (page: Page): Locator => page.getByRole('option', { selected: true })

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.ownerDocument.activeElement === element)
}
