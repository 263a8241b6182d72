import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { accessibilityFindings, settles, sidewaysPx } from '../test/browser/accessibility.ts'
import { freshConsole } from '../test/support/built-console.ts'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { adminApi } from './sample/sample-api.ts'
import { pathWithLink } from './sample/sample-links.ts'
import { SAMPLE_NOON_MS, SAMPLE_SIZES } from './sample/sample-plan.ts'
import type { SampleProcess } from './sample/sample-process.ts'
import {
  type Disturbance,
  disturb,
  LANGUAGES,
  openSampleWindow,
  openWhole,
  requireChineseFont,
  STILL_BROWSER,
  THEMES,
  type WindowLook,
} from './sample/sample-window.ts'
import { makeSample, type Sample } from './sample/sample.ts'

const SETTLED_MS = 250
/** Where something is disturbed, the network need not come to rest. */
const DISTURBED_MS = 2_000

/**
 * Takes a picture of pages of the console as a real gateway serves them on sample data, in both languages and themes and
 * several widths, and says what a picture does not show: accessibility findings, errors in the browser's console, layout
 * shift, sideways scrolling. Data and time are the same in every run, and so are the pictures.
 *
 *   node tools/look-at-console.ts /keys /account --out pictures
 *   … --signed-out --widths 360 --languages en --themes dark
 *   … --admin                            the pages of admins: the sample's account is one
 *   … --data many                        usual (a month of work), many (thousands of rows), new (an account without
 *                                        anything of its own), empty (no models either)
 *   … --pending '/api/keys*'             this never answers: how the page waits
 *   … --failing '/api/usage*'            this path fails with a fault of the server
 *   … '/invitation#INVITATION'           a one-time link; also #SET-UP and #RESET
 *   … /keys/KEY                          the page of an object; also ACCOUNT, MODEL and UPSTREAM
 *   … --script open-dialog.ts            its default export (page, language) is run before the picture; what it changes
 *                                        is undone before the next
 */
async function lookAtConsole(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'console-pictures' },
      script: { type: 'string' },
      name: { type: 'string', default: '' },
      'signed-out': { type: 'boolean', default: false },
      admin: { type: 'boolean', default: false },
      data: { type: 'string', default: 'usual' },
      pending: { type: 'string', multiple: true, default: [] },
      failing: { type: 'string', multiple: true, default: [] },
      widths: { type: 'string', default: '360,1280' },
      themes: { type: 'string', default: THEMES.join(',') },
      languages: { type: 'string', default: LANGUAGES.join(',') },
      'full-page': { type: 'boolean', default: false },
    },
  })
  const wish: Wish = {
    views: viewsOf(positionals, values),
    folder: resolve(values.out),
    name: values.name,
    isSignedIn: !values['signed-out'],
    isAdmin: values.admin,
    disturbance: { pending: values.pending, failing: values.failing },
    script: values.script === undefined ? undefined : await scriptOf(resolve(values.script)),
    fullPage: values['full-page'],
  }
  await requireChineseFont(wish.views.map(({ language }) => language))
  await mkdir(wish.folder, { recursive: true })
  const [executablePath] = await Promise.all([findOrInstall('chromium'), freshConsole()])
  const size = oneOf(SAMPLE_SIZES, values.data, 'data')
  const sample = await makeSample({ size, nowMs: SAMPLE_NOON_MS, seed: 'look', environment: ENVIRONMENT })
  const browser = await chromium.launch({ executablePath, ...STILL_BROWSER })
  try {
    await lookAtAll(browser, sample, wish)
  } finally {
    await browser.close()
    await sample.remove()
  }
}

/** An address under which snippets name the gateway, whichever port it has; every way of signing in. */
const ENVIRONMENT = {
  TOLLGATE_PUBLIC_URL: 'http://localhost:8787',
  TOLLGATE_SMTP_URL: 'smtp://127.0.0.1:9',
  TOLLGATE_MAIL_FROM: 'tollgate@example.test',
  TOLLGATE_OIDC_ISSUER: 'https://login.example.test',
  TOLLGATE_OIDC_CLIENT_ID: 'sample',
  TOLLGATE_OIDC_CLIENT_SECRET: 'sample',
  TOLLGATE_OIDC_NAME: 'Example ID',
}

type Prepare = (page: Page, language: string) => Promise<void>

interface View extends WindowLook {
  readonly path: string
}

interface Wish {
  readonly views: readonly View[]
  readonly folder: string
  /** The name of the pictures; empty: after the path. */
  readonly name: string
  readonly isSignedIn: boolean
  readonly isAdmin: boolean
  readonly disturbance: Disturbance
  readonly script: Prepare | undefined
  readonly fullPage: boolean
}

async function lookAtAll(browser: Browser, sample: Sample, wish: Wish): Promise<void> {
  let gateway = await startFor(wish, sample)
  try {
    for (const view of wish.views) {
      await look(browser, { gateway, sample, view, wish })
      if (wish.script === undefined) continue
      await gateway.stop()
      await sample.restore()
      gateway = await startFor(wish, sample)
    }
  } finally {
    await gateway.stop()
  }
}

async function startFor({ isAdmin }: Wish, sample: Sample): Promise<SampleProcess> {
  const gateway = await sample.start()
  if (isAdmin) await adminApi(gateway.origin).ask('PATCH', `/api/accounts/${sample.accountId}`, { role: 'admin' })
  return gateway
}

async function look(
  browser: Browser,
  at: { readonly gateway: SampleProcess; readonly sample: Sample; readonly view: View; readonly wish: Wish },
): Promise<void> {
  const { view, wish, gateway } = at
  const { origin } = gateway
  const context = await openSampleWindow(browser, { origin, look: view, isSignedIn: wish.isSignedIn })
  const complaints = complaintsOf(context, origin)
  await disturb(context, wish.disturbance)
  const isDisturbed = wish.disturbance.pending.length + wish.disturbance.failing.length > 0
  const page = await context.newPage()
  const path = await pathWithLink(view.path, { origin, sample: at.sample })
  if (isDisturbed) {
    await page.goto(`/console${path}`)
    await page.waitForTimeout(DISTURBED_MS)
  } else await openWhole(page, path)
  const shift = await page.evaluate<number>(LAYOUT_SHIFT)
  if (shift > 0.02) complaints.push(`layout shift ${shift.toFixed(3)}`)
  await wish.script?.(page, view.language)
  await page.waitForTimeout(SETTLED_MS)
  await settles(page)
  const overflow = await sidewaysPx(page)
  if (overflow > 0) complaints.push(`scrolls sideways by ${overflow} px`)
  complaints.push(...(await accessibilityFindings(page)))
  const name = wish.name === '' ? view.path.replace(/^\//, '').replace(/\W+/g, '-') : wish.name
  const file = join(wish.folder, `${name}-${view.width}-${view.theme}-${view.language}.png`)
  await page.screenshot({ path: file, fullPage: wish.fullPage, animations: 'disabled' })
  process.stdout.write(`${file}\n${complaints.map((line) => `  ${line}\n`).join('')}`)
  await context.close()
}

function complaintsOf(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    const isExpected = /status of [45]\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(`console: ${message.text()}`)
  })
  context.on('weberror', (event) => void complaints.push(`broken: ${String(event.error())}`))
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      complaints.push(`third party: ${request.url()}`)
  })
  return complaints
}

// What runs in the page is text here: this side of the project knows no browser.
const LAYOUT_SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 50)
})`

function viewsOf(
  paths: readonly string[],
  values: { readonly widths: string; readonly themes: string; readonly languages: string },
): View[] {
  const widths = values.widths.split(',').map(Number)
  const themes = values.themes.split(',').map((theme) => oneOf(THEMES, theme, 'themes'))
  const languages = values.languages.split(',').map((language) => oneOf(LANGUAGES, language, 'languages'))
  return paths.flatMap((path) =>
    widths.flatMap((width) =>
      themes.flatMap((theme) => languages.map((language) => ({ path, width, theme, language }))),
    ),
  )
}

function oneOf<Value extends string>(values: readonly Value[], text: string, option: string): Value {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new Error(`--${option} takes ${values.join(', ')}, and not ${text}`)
  return found
}

async function scriptOf(path: string): Promise<Prepare> {
  const file = (await import(pathToFileURL(path).href)) as { default: Prepare }
  return file.default
}

await lookAtConsole()
