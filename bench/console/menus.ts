import type { Page } from 'playwright-core'
import { SLOWER_PROCESSOR } from '../../test/browser/first-load.ts'
import type { Texts } from '../../test/browser/languages.ts'
import { arrives } from '../../test/browser/reading.ts'

/** The time from the press to the frame that shows the menu, when it first opens on the page. */
export interface MenuTime {
  readonly name: string
  readonly ms: number
}

/** What is fetched at rest is there. */
const AT_REST_MS = 4_000

// What runs in the page is text here: this side of the project knows no browser.
const WATCH = `(() => {
  globalThis.menuShown = new Promise((done) => {
    let pressedAt = null
    addEventListener('pointerdown', () => { pressedAt = performance.now() }, { capture: true, once: true })
    const isShown = () => {
      if (pressedAt === null || document.querySelector('[role="menu"]') === null) return requestAnimationFrame(isShown)
      // The frame after the one in which it was drawn begins when that is on the screen.
      requestAnimationFrame(() => done(performance.now() - pressedAt))
    }
    requestAnimationFrame(isShown)
  })
})()`

/** How long the first press on each kind of menu takes, on pages that have come to rest. */
export async function menuTimes(
  page: Page,
  { texts, email, isSlow }: { readonly texts: Texts; readonly email: string; readonly isSlow: boolean },
): Promise<readonly MenuTime[]> {
  const { keys, shared } = texts
  const buttons = [
    ['row menu', keys.actionsOf('laptop')],
    ['Columns', shared.table.menu],
    ['account menu', shared.accountMenu(email)],
  ] as const
  const debug = await page.context().newCDPSession(page)
  const times: MenuTime[] = []
  for (const [name, label] of buttons) {
    await page.goto('/console/keys')
    await arrives(page, shared.pages.keys)
    await page.getByRole('button', { name: keys.actionsOf('laptop'), exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(AT_REST_MS)
    await debug.send('Emulation.setCPUThrottlingRate', { rate: isSlow ? SLOWER_PROCESSOR : 1 })
    await page.evaluate(WATCH)
    await page.getByRole('button', { name: label, exact: true }).click()
    times.push({ name, ms: await page.evaluate<number>('globalThis.menuShown') })
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
  await debug.detach()
  return times
}
