import type { Page } from 'playwright-core'
import { settles, sidewaysPx } from './accessibility.ts'

export interface WindowSize {
  readonly width: number
  readonly height: number
}

/**
 * A laptop's window at a zoom of 400 %, a phone, the laptop at 200 %, and what is wider, each no higher than that: a larger
 * window takes longer to be drawn.
 */
export const SIZES: readonly WindowSize[] = [
  { width: 320, height: 256 },
  { width: 360, height: 740 },
  { width: 640, height: 450 },
  { width: 768, height: 450 },
  { width: 1280, height: 450 },
  { width: 1920, height: 450 },
]

/** What of the open page does not fit where its window has this size, one line each. */
export async function misfitsAt(page: Page, size: WindowSize): Promise<string[]> {
  await page.setViewportSize(size)
  await settles(page)
  const overflowPx = await sidewaysPx(page)
  const cut = await page.evaluate<string[]>(CUT)
  return [...(overflowPx > 0 ? [`scrolls sideways by ${overflowPx} px`] : []), ...cut].map(
    (finding) => `${finding} at ${size.width} px`,
  )
}

/**
 * Runs in the page: texts that are cut with neither an ellipsis nor a way to scroll there, and those beyond the window,
 * as in a dialog, which makes the document no wider.
 */
const CUT = `(() => {
  const findings = []
  const add = (what, element) => findings.push(what + ': ' + element.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60))
  const hasOwnText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
  const look = (element, isWithinBox) => {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility === 'hidden') return
    const isBox = style.overflowX !== 'visible' && style.display !== 'inline' && style.display !== 'contents'
    // What is only for ears is a box of one pixel.
    if (isBox && element.clientWidth <= 1) return
    const isCut = isBox && /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1
    if (isCut && style.textOverflow !== 'ellipsis' && element.textContent.trim() !== '') add('is cut', element)
    const isOfPage = !isBox && !isWithinBox && style.position !== 'absolute'
    if (isOfPage && hasOwnText(element)) {
      const { left, right } = element.getBoundingClientRect()
      if (left < -1 || right > innerWidth + 1) add('is beyond the window', element)
    }
    for (const child of element.children) look(child, isBox || isWithinBox)
  }
  look(document.body, false)
  return findings
})()`
