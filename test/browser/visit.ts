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
  readonly copied: readonly string[]
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
  /** Under another name than the place's own. */
  readonly origin?: string
  /** Other origins that it may call. */
  readonly friends?: readonly string[]
  /** The machine's own clipboard, instead of a note of what would have gone into it. */
  readonly hasRealClipboard?: boolean
  /** That something does not come is what the test is about, and nothing to complain of. */
  readonly hasBadLine?: boolean
  readonly more?: BrowserContextOptions
}

/**
 * Opens a window at a place. When the test ends the window is closed, and the test fails if it had anything to complain of.
 */
export async function visit(place: Place, options: VisitOptions): Promise<Visit> {
  const window = await openWindow(place, options)
  onTestFinished(async () => {
    await window.context.close()
    expect(window.complaints, COMPLAINED).toEqual([])
  })
  return window
}

/** What is wrong when there are complaints. */
export const COMPLAINED = 'what the browser complained of'

/** The same for several tests, which look at its complaints and close it themselves. */
export async function openWindow(place: Place, options: VisitOptions): Promise<Visit> {
  const origin = options.origin ?? place.origin
  const width = options.width ?? 1280
  const context = await (
    await sharedBrowser()
  ).newContext({
    baseURL: origin,
    locale: options.language,
    colorScheme: options.theme ?? 'light',
    viewport: { width, height: width < 600 ? 740 : 900 },
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Vienna',
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
      await page.goto(`/console${path}`, { waitUntil: 'domcontentloaded' })
    },
  }
}

/** By the cookies of the person's session. */
export async function signInAs(
  context: BrowserContext,
  { person, origin }: { readonly person: Person; readonly origin: string },
): Promise<void> {
  await context.addCookies(person.cookies.map((cookie) => ({ ...cookie, url: origin })))
}

let connecting: Promise<Browser> | undefined

/** One connection for each test file; it ends with the file's process. */
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
  context.on('weberror', (event) => void complaints.push(`uncaught: ${String(event.error())}`))
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
