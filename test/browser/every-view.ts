import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityFindings, settles } from './accessibility.ts'
import { inSuite } from '../support/run/suite.ts'
import { misfitsAt, SIZES } from './fits.ts'
import { furnish } from './furnish.ts'
import { LANGUAGES, type Language } from './languages.ts'
import { type OwnPlace, startPlace } from './place.ts'
import { VIEWS } from './views.ts'
import type { View, World } from './views/view.ts'
import { COMPLAINED, openWindow, signInAs, type Visit } from './visit.ts'

const [english, chinese] = LANGUAGES
const TIMEOUT_MS = 900_000
const OPENED = { width: 1280, height: 900 }

type Part = keyof typeof VIEWS

/** Two halves, for two files that run at the same time. */
export const OF_KEYS: readonly Part[] = ['start', 'keys', 'diagnose', 'office', 'outside']
export const OTHERS = (Object.keys(VIEWS) as Part[]).filter((part) => !OF_KEYS.includes(part))

/** Views of the short suite: the pages that no flow of it opens, and a dialog. */
const SOME_VIEWS: readonly string[] = [
  'overview', 'key', 'keys, create', 'register', 'public status', 'codes', 'incidents', 'requests', 'groups', 'operations',
  'audit', 'account of another',
] // prettier-ignore
const VIEWS_OF_SUITE = inSuite({ long: () => true, short: ({ name }: View) => SOME_VIEWS.includes(name) })
const SIZES_OF_SUITE = inSuite({ long: SIZES, short: SIZES.filter(({ width }) => [360, 1280].includes(width)) })

/**
 * The tests of some parts. Each view is opened in English, and then turned to Chinese where it stands, as by another tab:
 * opening it once more would take as long as all that is looked at. What axe looks for does not depend on the language.
 */
export function testEveryView(parts: readonly Part[]): void {
  let place: OwnPlace
  let world: World
  // One for all views: what the console and axe cost at their first start in a window is paid once.
  let window: Visit
  beforeAll(async () => {
    place = await startPlace()
    world = { place, ada: await furnish(place), root: await place.person({ role: 'admin' }) }
    window = await openWindow(place, { language: english.language })
  })
  afterAll(async () => {
    await window.context.close()
    await place.stop()
  })

  test.each(parts.filter((part) => viewsOf(part).length > 0))(
    'every view of %s is accessible, leaves nothing in English, and in no language scrolls sideways or is cut',
    { timeout: TIMEOUT_MS },
    async (part) => {
      const findings: string[] = []
      for (const [as, those] of Map.groupBy<View['as'], View>(viewsOf(part), ({ as: who }) => who)) {
        await becomes(as, { window, world })
        for (const view of those) {
          const found = await findingsOf(view, { window, world })
          findings.push(...found.map((finding) => `${view.name}: ${finding}`))
        }
      }
      expect(findings).toEqual([])
      expect(window.complaints.splice(0), COMPLAINED).toEqual([])
    },
  )
}

function viewsOf(part: Part): readonly View[] {
  const views: readonly View[] = VIEWS[part]
  return views.filter(VIEWS_OF_SUITE)
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
const LIGHT = ['light', 'all'] as const
const THEMES = inSuite({ long: [LIGHT, ['dark', 'colours']] as const, short: [LIGHT] as const })

interface Looking {
  readonly window: Visit
  readonly world: World
}

async function findingsOf(view: View, { window, world }: Looking): Promise<string[]> {
  const { page, open } = window
  const findings: string[] = []
  await page.setViewportSize(OPENED)
  await page.emulateMedia({ colorScheme: 'light' })
  // The same page with another secret behind `#` would not be loaded anew.
  await page.goto('about:blank')
  try {
    await open(typeof view.path === 'string' ? view.path : await view.path(world))
    await view.show(page, english, world)
  } catch (error) {
    return [`could not be opened: ${String(error).split('\n', 1)[0]}`]
  }
  for (const [colorScheme, about] of THEMES) {
    await page.emulateMedia({ colorScheme })
    await settles(page)
    findings.push(...(await accessibilityFindings(page, { about })).map((finding) => `${colorScheme}: ${finding}`))
  }
  for (const size of SIZES_OF_SUITE.toReversed()) findings.push(...(await misfitsAt(page, size)))
  const left = await turnsTo(page, chinese.language)
  findings.push(...left.map((text) => `still says in Chinese: ${text}`))
  for (const size of SIZES_OF_SUITE) {
    findings.push(...(await misfitsAt(page, size)).map((finding) => `in Chinese: ${finding}`))
  }
  return findings
}

/** What people have in front of them as data or as an answer, and not as the console's own words. */
const KEPT = [
  // Names and messages that were proposed in English, and taken.
  'My Linux computer',
  'Say hello in one sentence.',
  // What is wrong with a field was said when it was sent.
  english.keys.objections.custom_form,
]
/** Whole texts of the English dictionary that are others in Chinese. Single words may be names. */
const ENGLISH = new Set([...textsIn(english, chinese)].filter((text) => text.includes(' '))).difference(
  new Set([...textsIn(chinese, english), ...KEPT]),
)
/** The dictionaries are fetched; a machine needs to be very slow for this to be too few. */
const TURNING_TRIES = 600

function* textsIn(one: unknown, other: unknown): Generator<string> {
  if (typeof one === 'string' && one !== other) yield one
  if (typeof one !== 'object' || one === null) return
  for (const [key, value] of Object.entries(one)) yield* textsIn(value, (other as Record<string, unknown>)[key])
}

/** Changes the language as another tab would. Returns what stays English. */
async function turnsTo(page: Page, language: Language): Promise<string[]> {
  await page.evaluate(
    `dispatchEvent(new StorageEvent('storage', { key: 'tollgate.language', newValue: '${language}' }))`,
  )
  const stays = (): Promise<string[]> => page.evaluate<string[]>(`(${STAYING})(${JSON.stringify([...ENGLISH])})`)
  let left: string[] = []
  for (let tries = 0; tries < TURNING_TRIES; tries++) {
    left = await stays()
    if (left.length === 0) break
    await setTimeout(50)
  }
  return left
}

/** Runs in the page: which of the texts can be read or heard there. */
const STAYING = `(texts) => {
  const known = new Set(texts)
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const said = node.nodeType === Node.TEXT_NODE
      ? [node.data]
      : ['aria-label', 'placeholder', 'title'].map((name) => node.getAttribute(name) ?? '')
    found.push(...said.map((text) => text.trim()).filter((text) => known.has(text)))
  }
  return document.documentElement.lang === 'en' ? [...found, 'its language is English'] : found
}`
