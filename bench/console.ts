/**
 * `npm run bench:console`: how long people wait for the console, against its bars: the largest paint of each page's first
 * visit on a slow phone, and the way from the press on "Sign in" to the first successful call. Ends with 1 when a bar is
 * missed. Other programs on this machine only make it slower, so the best of a few tries counts; `--tries 5` for more.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { FIRST_PAGES, firstLoad } from '../test/browser/first-load.ts'
import { furnish } from '../test/browser/furnish.ts'
import { LANGUAGES } from '../test/browser/languages.ts'
import { type Person, type Place, startPlaceIn } from '../test/browser/place.ts'
import { arrives, fill, hears, press } from '../test/browser/reading.ts'
import { startBrowserServer } from '../test/support/browser-server.ts'
import { freshConsole } from '../test/support/built-console.ts'
import { writeNumber, writeTable } from './report/table.ts'

const LARGEST_PAINT_MS = 2_500
/** By machine: what a person adds is reading and pasting. */
const FIRST_CALL_MS = 10_000
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 900 }

const { values } = parseArgs({ options: { tries: { type: 'string', default: '3' } } })
const [texts] = LANGUAGES
await freshConsole()
const directory = await mkdtemp(join(tmpdir(), 'tollgate-bench-console-'))
const place = await startPlaceIn(directory)
const server = await startBrowserServer()
const browser = await chromium.connect(server.url)
try {
  const missed = await measure(browser, place)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  await browser.close()
  await server.stop()
  await place.stop()
  await rm(directory, { recursive: true })
}

/** Prints the table; returns how many bars were missed. */
async function measure(at: Browser, of: Place): Promise<number> {
  const ada = await furnish(of)
  const rows: { readonly name: string; readonly ms: number; readonly barMs: number }[] = []
  for (const path of FIRST_PAGES) {
    const ms = await bestOf(async () => {
      const as = path === '/sign-in' ? null : ada
      return inWindow(at, { as, viewport: PHONE }, async (page) => {
        const { largestPaintMs } = await firstLoad(page, path, { hasSlowNetwork: true, hasSlowProcessor: true })
        if (largestPaintMs === 0) throw new Error(`${path} painted nothing`)
        return largestPaintMs
      })
    })
    rows.push({ name: `largest paint of ${path}`, ms, barMs: LARGEST_PAINT_MS })
  }
  const ms = await bestOf(() => inWindow(at, { as: null, viewport: DESK }, (page) => firstCall(page, of)))
  rows.push({ name: 'from sign-in to the first call', ms, barMs: FIRST_CALL_MS })
  const cells = rows.map(({ name, ms: took, barMs }) => [
    name,
    writeNumber(took),
    writeNumber(barMs),
    took > barMs ? 'missed' : 'met',
  ])
  console.log('Pages at 1.6 Mbit/s, 150 ms and a quarter of the processor.')
  console.log(writeTable(['', 'ms', 'bar ms', ''], cells))
  return rows.filter(({ ms: took, barMs }) => took > barMs).length
}

async function bestOf(tryOnce: () => Promise<number>): Promise<number> {
  let best = Infinity
  for (let tried = 0; tried < Number(values.tries); tried++) best = Math.min(best, await tryOnce())
  return best
}

async function inWindow<Result>(
  at: Browser,
  { as, viewport }: { readonly as: Person | null; readonly viewport: BrowserContextOptions['viewport'] & object },
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const { origin } = place
  const context = await at.newContext({ baseURL: origin, locale: texts.language, viewport, reducedMotion: 'reduce' })
  try {
    if (as !== null) await context.addCookies(as.cookies.map((cookie) => ({ ...cookie, url: origin })))
    return await use(await context.newPage())
  } finally {
    await context.close()
  }
}

/** A new account signs in, makes its key, runs the block that is proposed, and sees that it worked. */
async function firstCall(page: Page, of: Place): Promise<number> {
  const ada = await of.person({ balance: '1' })
  const { start, outside, shared } = texts
  await page.goto('/console/sign-in')
  await fill(page, outside.email, ada.email)
  await fill(page, outside.password, ada.password)
  const begun = performance.now()
  await press(page, outside.signIn.action)
  await arrives(page, shared.pages.start)
  await press(page, start.key.create)
  await page.getByRole('radio', { name: 'curl', exact: true }).check()
  const block = await page.getByRole('list', { name: start.steps }).locator('pre').first().innerText()
  await promisify(execFile)('bash', ['-c', block])
  await hears(page, start.success.title)
  return performance.now() - begun
}
