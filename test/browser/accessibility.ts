import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

let source: Promise<string> | undefined

/** The rules of axe that look at colours: what the others look for is the same in every theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page as it stands, one line each: all of it, or what is wrong with its colours. */
export async function accessibilityFindings(
  page: Page,
  { about = 'all' }: { about?: 'all' | 'colours' } = {},
): Promise<string[]> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const isThere = await page.evaluate<boolean>('"axe" in globalThis')
  // By the debugger's way: the page's own policy allows no foreign script.
  if (!isThere) await page.evaluate(await source)
  const options = { resultTypes: ['violations'], preload: false, ...(about === 'all' ? {} : { runOnly: OF_COLOURS }) }
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split('\n')[1]?.trim() ?? ''
      return `${id}: ${html.slice(0, 160)} ${why}`
    }),
  )
}

/** Waits until everything has its place and its colours: what moves or fades is neither here nor there. */
export async function settles(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    // One that ends may begin another: a colour passes from an element to those inside it.
    for (let rounds = 0; rounds < 5; rounds++) {
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
      const passing = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations < 100)
      if (passing.length === 0) return
      const ended = Promise.all(passing.map((animation) => animation.finished.catch(() => {})))
      // One that stands still never ends.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))])
    }
  })()`)
}

/** The number of CSS pixels by which the page can be scrolled sideways; 0 or less: not at all. */
export async function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth')
}
