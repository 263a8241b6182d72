import type { Locator, Page } from 'playwright-core'

/** More than any page has places to stop at. */
const MOST_STEPS = 80

/** Presses Tab until it is there, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${MOST_STEPS} times Tab did not lead to ${String(target)}`)
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.ownerDocument.activeElement === element)
}

/** Whether it is there, or in it. */
export async function holdsFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.contains(element.ownerDocument.activeElement))
}

/** Opens the menu of a button, and chooses from it by its name. */
export async function chooseByKeys(page: Page, menu: Locator, item: string): Promise<void> {
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  const entry = page.getByRole('menuitem', { name: item, exact: true })
  await entry.waitFor()
  for (let steps = 0; steps < MOST_STEPS && !(await hasFocus(entry)); steps++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
