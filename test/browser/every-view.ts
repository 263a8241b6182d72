import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFindings, settles, sidewaysPx } from './accessibility.ts'
import { furnish } from './furnish.ts'
import type { Texts } from './languages.ts'
import { type Place, startPlace } from './place.ts'
import { VIEWS } from './views.ts'
import type { View, World } from './views/view.ts'
import { COMPLAINED, openWindow, signInAs, type Visit } from './visit.ts'

const TIMEOUT_MS = 900_000
const WIDE = { width: 1280, height: 900 }
/** A laptop's window at a zoom of 200 %, a phone, and the same laptop at 400 %. */
const NARROW = [
  { width: 640, height: 450 },
  { width: 360, height: 740 },
  { width: 320, height: 256 },
]

/**
 * The tests of one language, in a file of its own, so that both run at the same time. Every view shows the texts of the
 * language; what axe looks for does not depend on it, so axe looks in one of them.
 */
export function testEveryView(texts: Texts, { usesAxe }: { usesAxe: boolean }): void {
  let place: Place
  let world: World
  // One for all views: what the console and axe cost at their first start in a window is paid once.
  let window: Visit
  beforeAll(async () => {
    place = await startPlace()
    world = { place, ada: await furnish(place), root: await place.person({ role: 'admin' }) }
    window = await openWindow(place, { language: texts.language })
  })
  afterAll(async () => {
    await window.context.close()
    await place.stop()
  })

  test.each(Object.entries(VIEWS))(
    usesAxe
      ? 'every view of %s is accessible in both themes, and none scrolls sideways on a phone or zoomed in'
      : 'every view of %s says what it is for, and none scrolls sideways on a phone or zoomed in',
    { timeout: TIMEOUT_MS },
    async (_part, views) => {
      const findings: string[] = []
      for (const [as, those] of Map.groupBy(views, ({ as: who }) => who)) {
        await becomes(as, { window, world })
        for (const view of those) {
          const found = await findingsOf(view, { window, texts, world, usesAxe })
          findings.push(...found.map((finding) => `${view.name}: ${finding}`))
        }
      }
      expect(findings).toEqual([])
      expect(window.complaints.splice(0), COMPLAINED).toEqual([])
    },
  )
}

/** Empties the window of what others left there, and signs this one in. */
async function becomes(as: View['as'], { window, world }: { window: Visit; world: World }): Promise<void> {
  const { place, ada, root } = world
  const who = { signed_out: () => undefined, new: () => place.person(), admin: () => root, usual: () => ada }
  const person = await who[as ?? 'usual']()
  await window.page.goto('about:blank')
  await window.context.setStorageState({ cookies: [], origins: [] })
  if (person !== undefined) await signInAs(window.context, { person, origin: place.origin })
}

/** The document is one in both. */
const THEMES = [
  ['light', 'all'],
  ['dark', 'colours'],
] as const

interface Looking {
  readonly window: Visit
  readonly texts: Texts
  readonly world: World
  readonly usesAxe: boolean
}

async function findingsOf(view: View, at: Looking): Promise<string[]> {
  const { page, open } = at.window
  const findings: string[] = []
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  // The same page with another secret behind `#` would not be loaded anew.
  await page.goto('about:blank')
  try {
    await open(typeof view.path === 'string' ? view.path : await view.path(at.world))
    await view.show(page, at.texts, at.world)
  } catch (error) {
    return [`could not be opened: ${String(error).split('\n', 1)[0]}`]
  }
  for (const [colorScheme, about] of at.usesAxe ? THEMES : []) {
    await page.emulateMedia({ colorScheme })
    await settles(page)
    findings.push(...(await accessibilityFindings(page, { about })).map((finding) => `${colorScheme}: ${finding}`))
  }
  for (const size of NARROW) {
    await page.setViewportSize(size)
    await settles(page)
    const overflowPx = await sidewaysPx(page)
    if (overflowPx > 0) findings.push(`scrolls sideways by ${overflowPx} px at ${size.width} px`)
  }
  return findings
}
