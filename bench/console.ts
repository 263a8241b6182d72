import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { FIRST_PAGES, type FirstLoad, firstLoad } from '../test/browser/first-load.ts'
import { furnish } from '../test/browser/furnish.ts'
import { LANGUAGES } from '../test/browser/languages.ts'
import { type Person, type Place, startPlaceIn } from '../test/browser/place.ts'
import { arrives, fill, hears, press } from '../test/browser/reading.ts'
import { startBrowserServer } from '../test/support/browser-server.ts'
import { freshConsole } from '../test/support/built-console.ts'
import { UsageError } from '../tools/sub-commands.ts'
import { inFolder, readFlags } from './command.ts'
import { explainedAfter } from './console/live-line.ts'
import { menuTimes } from './console/menus.ts'
import { quantile } from './numbers.ts'
import { writeNumber, writeTable } from './table.ts'

const LARGEST_PAINT_MS = 2_500
const LAYOUT_SHIFT = 0.02
const BLOCKING_MS = 300
/** The time of the machine alone: what a person adds is reading and pasting. */
const FIRST_CALL_MS = 10_000
/** The page is at rest before the press. */
const MENU_MS = 100
const EXPLAINED_MS = 2_000
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 900 }

const PARTS = { pages: measurePages, menus: measureMenus, 'wrong-turns': measureWrongTurns }
const [texts] = LANGUAGES

interface Setting {
  readonly browser: Browser
  readonly place: Place
  /** Has keys, requests and a balance. */
  readonly ada: Person
  readonly tries: number
}

/**
 * `npm run bench -- console`: how long people wait for the console, against its bars: the largest paint of each page's first
 * visit on a slow phone, what moves there and how long it does not answer, and the way from the press on "Sign in" to the
 * first successful call. Then how fast menus open on a page at rest, and how soon each wrong turn in a client's setup is
 * explained on Start. Other programs on this machine only make it slower, so the best of a few tries counts; `--tries 5` for
 * more, `--only menus` for a part (pages, menus, wrong-turns), `--quick` for one try.
 */
export async function measureConsole(argv: readonly string[]): Promise<boolean> {
  const { tries, only, quick } = readFlags(argv, { tries: 3, only: Object.keys(PARTS).join(','), quick: false })
  const wanted = only.split(',')
  if (!wanted.every((part) => Object.hasOwn(PARTS, part))) {
    throw new UsageError(`--only takes ${Object.keys(PARTS).join(', ')}, with commas between`)
  }
  await freshConsole()
  return inFolder('bench-console', async (directory) => {
    await using parts = new AsyncDisposableStack()
    const place = parts.adopt(await startPlaceIn(directory), (one) => one.stop())
    const server = parts.adopt(await startBrowserServer(), (one) => one.stop())
    const browser = parts.adopt(await chromium.connect(server.url), (one) => one.close())
    const setting = { browser, place, ada: await furnish(place), tries: quick ? 1 : tries }
    let missed = 0
    for (const [part, measure] of Object.entries(PARTS)) if (wanted.includes(part)) missed += await measure(setting)
    return missed === 0
  })
}

/** First visits, and the way to the first call. Returns how many bars were missed. */
async function measurePages(setting: Setting): Promise<number> {
  const { place, ada } = setting
  const loads: (FirstLoad & { readonly path: string })[] = []
  for (const path of FIRST_PAGES) {
    const as = path === '/sign-in' ? null : ada
    const tries = await triesOf(setting, () =>
      inWindow(setting, { as, viewport: PHONE }, (page) =>
        firstLoad(page, path, { hasSlowNetwork: true, hasSlowProcessor: true }),
      ),
    )
    const best = (figure: (load: FirstLoad) => number): number => Math.min(...tries.map(figure))
    const [first] = tries
    if (first === undefined || first.largestPaintMs === 0) throw new Error(`${path} painted nothing`)
    loads.push({
      ...first,
      path,
      largestPaintMs: best((load) => load.largestPaintMs),
      blockingMs: best((load) => load.blockingMs),
      layoutShift: Math.max(...tries.map((load) => load.layoutShift)),
    })
  }
  const calls = await triesOf(setting, () =>
    inWindow(setting, { as: null, viewport: DESK }, (page) => firstCall(page, place)),
  )
  const firstCallMs = Math.min(...calls)
  const cells = loads.map((load) => [
    load.path,
    writeNumber(load.largestPaintMs),
    load.layoutShift.toFixed(3),
    writeNumber(load.blockingMs),
    missedOf(load).join(', ') || 'met',
  ])
  console.log('Pages at 1.6 Mbit/s, 150 ms and a quarter of the processor.')
  console.log(writeTable(['', 'largest paint ms', 'shift', 'blocking ms', 'bars'], cells))
  console.log(`From sign-in to the first call: ${writeNumber(firstCallMs)} ms (bar ${writeNumber(FIRST_CALL_MS)} ms)`)
  return loads.flatMap((load) => missedOf(load)).length + (firstCallMs > FIRST_CALL_MS ? 1 : 0)
}

/** The first press on each menu; the best try counts. Returns how many bars were missed. */
async function measureMenus(setting: Setting): Promise<number> {
  const { ada } = setting
  const open = (isSlow: boolean) =>
    triesOf(setting, () =>
      inWindow(setting, { as: ada, viewport: DESK }, (page) => menuTimes(page, { texts, email: ada.email, isSlow })),
    )
  const [plain, slow] = [await open(false), await open(true)]
  const rows = (plain[0] ?? []).map(({ name }, index) => {
    const best = (tries: typeof plain): number => Math.min(...tries.map((times) => times[index]?.ms ?? Infinity))
    return { name, ms: best(plain), slowMs: best(slow) }
  })
  const verdict = (ms: number): string => (ms > MENU_MS ? `above ${MENU_MS} ms` : 'met')
  const cells = rows.map(({ name, ms, slowMs }) => [name, writeNumber(ms), writeNumber(slowMs), verdict(ms)])
  console.log('From the first press to the menu on the screen, on a page at rest.')
  console.log(writeTable(['', 'ms', 'with a quarter of the processor', 'bar'], cells))
  return rows.filter(({ ms }) => ms > MENU_MS).length
}

/** Returns how many were explained too late. */
async function measureWrongTurns(setting: Setting): Promise<number> {
  const { place } = setting
  const times = await inWindow(setting, { as: null, viewport: DESK }, (page) => explainedAfter(page, { place, texts }))
  const all = times.map(({ ms }) => ms)
  const [slowest] = times.toSorted((a, b) => b.ms - a.ms)
  console.log(
    `Wrong turns explained on Start, since the client's answer: ${times.length}, median ${writeNumber(quantile(all, 0.5))} ms, slowest ${writeNumber(slowest?.ms ?? 0)} ms (${slowest?.name ?? ''}; bar ${writeNumber(EXPLAINED_MS)} ms)`,
  )
  return all.filter((ms) => ms > EXPLAINED_MS).length
}

/** The bars that a page misses, in words. */
function missedOf({ largestPaintMs, layoutShift, blockingMs }: FirstLoad): string[] {
  return [
    ...(largestPaintMs > LARGEST_PAINT_MS ? [`paint above ${LARGEST_PAINT_MS} ms`] : []),
    ...(layoutShift > LAYOUT_SHIFT ? [`shift above ${LAYOUT_SHIFT}`] : []),
    ...(blockingMs > BLOCKING_MS ? [`blocking above ${BLOCKING_MS} ms`] : []),
  ]
}

async function triesOf<Result>({ tries }: Setting, tryOnce: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let tried = 0; tried < tries; tried++) results.push(await tryOnce())
  return results
}

async function inWindow<Result>(
  { browser, place: { origin } }: Setting,
  { as, viewport }: { readonly as: Person | null; readonly viewport: BrowserContextOptions['viewport'] & object },
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: texts.language,
    viewport,
    reducedMotion: 'reduce',
  })
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
  await arrives(page, shared.pages.overview)
  await press(page, start.key.create)
  await page.getByRole('radio', { name: 'curl', exact: true }).check()
  const block = await page.getByRole('list', { name: start.steps }).locator('pre').first().innerText()
  await promisify(execFile)('bash', ['-c', block])
  await hears(page, start.success.title)
  return performance.now() - begun
}
