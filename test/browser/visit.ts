import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { testBrowser } from '../support/test-servers.ts'
import type { Language } from './languages.ts'
import type { Person, Place } from './place.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** A window of the shared browser, with nothing in it from other tests. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What a person would complain of: errors in the browser's console, calls to strangers, breaches of the page's policy. */
  readonly complaints: string[]
  /** What was put into the clipboard, oldest first; the real one is shared by all windows of the machine. */
  readonly copied: string[]
  /** Opens a page of the console, like `/keys`. */
  open(path: string): Promise<void>
}

export interface VisitOptions {
  readonly language: Language
  readonly theme?: 'light' | 'dark'
  /** CSS pixels. */
  readonly width?: number
  /** Signed in from the beginning; left out: signed out. */
  readonly as?: Person
  /** Another name under which the place is opened. */
  readonly origin?: string
  /** Other origins that it may call. */
  readonly friends?: readonly string[]
  /** The machine's own clipboard, instead of a note of what would have gone into it. */
  readonly hasRealClipboard?: boolean
  /** Set where the test is about something that does not come, which is nothing to complain of. */
  readonly hasBadLine?: boolean
  readonly more?: BrowserContextOptions
}

/**
 * Opens a window at a place. When the test ends the window is emptied for the next test, or closed where the test took its
 * context or asked for something special; and the test fails if the window had anything to complain of.
 */
export async function visit(place: Place, options: VisitOptions): Promise<Visit> {
  const kind = kindOf(place, options)
  const window = await emptyWindow(kind, { place, options })
  let isEmptied = kind !== null
  onTestFinished(async () => {
    const { context, complaints } = window
    if (kind === null || !isEmptied || !(await empty(window))) await context.close()
    else windows.push({ kind, origin: place.origin, window })
    expect(complaints.splice(0), COMPLAINED).toEqual([])
  })
  return {
    ...window,
    // With it a test may change what cannot be taken back.
    get context() {
      isEmptied = false
      return window.context
    },
  }
}

/**
 * Emptied, by what they were opened with: what the console costs at its first start in a window is paid once. Those of a
 * test file that has ended are closed by the next one.
 */
const windows: { readonly kind: string; readonly origin: string; readonly window: Visit }[] = []

/** What no later test can change; null: this window is for one test. */
function kindOf(place: Place, options: VisitOptions): string | null {
  if (SPECIAL.some((name) => options[name] !== undefined)) return null
  return JSON.stringify([options.language, options.origin ?? place.origin])
}

const SPECIAL = ['friends', 'hasRealClipboard', 'hasBadLine', 'more'] as const

async function emptyWindow(
  kind: string | null,
  { place, options }: { place: Place; options: VisitOptions },
): Promise<Visit> {
  for (const ended of windows.filter(({ origin }) => origin !== place.origin)) {
    windows.splice(windows.indexOf(ended), 1)
    await ended.window.context.close()
  }
  const at = windows.findIndex((each) => each.kind === kind)
  const [found] = at < 0 ? [] : windows.splice(at, 1)
  if (found === undefined) return openWindow(place, options)
  const { page, context } = found.window
  await page.setViewportSize(sizeOf(options))
  await page.emulateMedia({ media: null, forcedColors: null, contrast: null, colorScheme: options.theme ?? 'light' })
  if (options.as !== undefined) await signInAs(context, { person: options.as, origin: options.origin ?? place.origin })
  return found.window
}

/** Takes back what a test can do with a page. False: the test opened another page, so this window is closed. */
async function empty({ page, context, copied }: Visit): Promise<boolean> {
  if (page.isClosed() || context.pages().length !== 1) return false
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  const debug = await context.newCDPSession(page)
  if (origin !== 'null') await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  await context.clearCookies()
  copied.splice(0)
  return true
}

/** What is wrong when there are complaints. */
export const COMPLAINED = 'what the browser complained of'

/** Opens a window for several tests, which look at its complaints and close it themselves. */
export async function openWindow(place: Place, options: VisitOptions): Promise<Visit> {
  const origin = options.origin ?? place.origin
  const context = await (
    await sharedBrowser()
  ).newContext({
    baseURL: origin,
    locale: options.language,
    colorScheme: options.theme ?? 'light',
    viewport: sizeOf(options),
    reducedMotion: 'reduce',
    timezoneId: zoneAtNoon(),
    ...options.more,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const complaints = listen(context, [origin, ...(options.friends ?? [])], options.hasBadLine === true)
  if (options.as !== undefined) await signInAs(context, { person: options.as, origin })
  const copied = options.hasRealClipboard === true ? [] : await noteCopies(context)
  const page = await context.newPage()
  return {
    page,
    context,
    complaints,
    copied,
    open: async (path) => {
      await page.goto(`${origin}/console${path}`, { waitUntil: 'domcontentloaded' })
    },
  }
}

/** Where it is noon now, so that no day of the browser ends while a test looks at what happened in it. */
function zoneAtNoon(): string {
  const hoursEast = 12 - new Date().getUTCHours()
  // The signs of these names are those of POSIX: negative in the east.
  return `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`
}

/** Goes to another page of the console, like `/keys?use=…`, as a link in it does: its program is not loaded again. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console${path}`)})`)
}

function sizeOf({ width = 1280 }: VisitOptions): { readonly width: number; readonly height: number } {
  return { width, height: width < 600 ? 740 : 900 }
}

/** Signs in by the cookies of the person's session. */
export async function signInAs(
  context: BrowserContext,
  { person, origin }: { readonly person: Person; readonly origin: string },
): Promise<void> {
  await context.addCookies(person.cookies.map((cookie) => ({ ...cookie, url: origin })))
}

let connecting: Promise<Browser> | undefined

/** One connection for each process of the run; it ends with the process. */
function sharedBrowser(): Promise<Browser> {
  connecting ??= testBrowser().then((url) => chromium.connect(url))
  return connecting
}

async function noteCopies(context: BrowserContext): Promise<string[]> {
  const copied: string[] = []
  await context.exposeBinding('noteCopy', (_source, text: string) => void copied.push(text))
  await context.addInitScript('globalThis.Clipboard && (Clipboard.prototype.writeText = (text) => noteCopy(text))')
  return copied
}

function listen(context: BrowserContext, origins: readonly string[], hasBadLine: boolean): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Refusals of the API are answers, and the pages deal with them; those that are faults are noted below.
    const isMissing = message.text().startsWith('Failed to load resource')
    if (isMissing && (hasBadLine || message.location().url.includes('/api/'))) return
    complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (event) => void complaints.push(`uncaught: ${event.error().stack ?? String(event.error())}`))
  context.on('request', (request) => {
    const url = request.url()
    const isKnown = origins.some((origin) => url.startsWith(`${origin}/`))
    if (!isKnown && !/^(data|blob):/.test(url)) complaints.push(`calls a stranger: ${url}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500 && !hasBadLine) complaints.push(`${response.status()} ${response.url()}`)
  })
  return complaints
}
