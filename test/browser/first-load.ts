/** What a first visit to a page of the console costs, with nothing in the browser's cache. For tests and for `bench/`. */
import type { CDPSession, Page } from 'playwright-core'
import { PATIENCE_MS } from '../support/patience.ts'

export const FIRST_PAGES = [
  '/sign-in',
  '/overview',
  '/keys',
  '/usage',
  '/models',
  '/billing',
  '/playground',
  '/account',
] as const

export interface FirstLoad {
  readonly largestPaintMs: number
  readonly layoutShift: number
  /** How long tasks kept the page from answering, beyond 50 ms each. */
  readonly blockingMs: number
  /** Paths below /console/ of what was fetched. */
  readonly files: readonly string[]
  /** Calls of the API. */
  readonly calls: readonly string[]
  readonly policy: string
}

/** The network of a phone in the country. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
/** The factor by which the processor is slower. */
export const SLOWER_PROCESSOR = 4
const SETTLED_MS = 1_000

// What runs in the page is text here: this side of the project knows no browser.
const MEASURES = `new Promise((done) => {
  const seen = { largestPaintMs: 0, layoutShift: 0, blockingMs: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largestPaintMs = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.blockingMs += Math.max(0, entry.duration - 50)
  }).observe({ type: 'longtask', buffered: true })
  setTimeout(() => done(seen), 100)
})`

export interface Slowness {
  /** Whether every file and answer comes late, and one after the other. */
  readonly hasSlowNetwork: boolean
  /** Whether each step of the page takes four times as long, for which the browser keeps a processor busy. */
  readonly hasSlowProcessor: boolean
}

/** Opens `path` in a window that has visited nothing yet. */
export async function firstLoad(page: Page, path: string, slowness: Slowness): Promise<FirstLoad> {
  const debug = await page.context().newCDPSession(page)
  await slowDown(debug, slowness)
  // What is fetched once the page has come to rest does not belong to its first load.
  await page.addInitScript('globalThis.requestIdleCallback = () => 0')
  const files: string[] = []
  const calls: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    // Some versions of the browser say when they fetch a page's icon, and others do not.
    if (pathname.startsWith('/console/assets/') && !pathname.endsWith('.svg')) {
      files.push(pathname.slice('/console/'.length))
    }
    if (pathname.startsWith('/api/')) calls.push(`${response.request().method()} ${pathname}`)
  })
  const answer = await page.goto(`/console${path}`, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLED_MS)
  // What is looked for in the page keeps it busy, too, and is not the page's own work.
  if (slowness.hasSlowProcessor) await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: PATIENCE_MS })
  const seen = await page.evaluate<Pick<FirstLoad, 'largestPaintMs' | 'layoutShift' | 'blockingMs'>>(MEASURES)
  const policy = (await answer?.headerValue('content-security-policy')) ?? ''
  return { ...seen, files, calls, policy }
}

async function slowDown(debug: CDPSession, { hasSlowNetwork, hasSlowProcessor }: Slowness): Promise<void> {
  if (hasSlowNetwork) {
    await debug.send('Network.enable')
    await debug.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  }
  if (hasSlowProcessor) await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR })
}
