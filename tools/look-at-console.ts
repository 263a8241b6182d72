import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Plugin } from 'vite'
import { createMockApi } from '../console/dev/mock-api.ts'
import { createConsoleFiles } from '../src/app/server/console-files.ts'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { buildConsole } from './build-console.ts'

const SETTLED_MS = 250
const HEIGHTS = { '360': 740, '1280': 860 } as Record<string, number>

/**
 * Takes a picture of pages of the console, built as it is served but with the mock API behind, in both languages and
 * themes and several widths, and says what a picture does not show: accessibility findings, errors in the browser's
 * console, layout shift, sideways scrolling.
 *
 *   node tools/look-at-console.ts /keys /account --out pictures
 *   … --signed-out --empty --widths 360 --languages en --themes dark
 *   … --script open-dialog.ts      its default export (page, language) is run before the picture
 */
async function lookAtConsole(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'console-pictures' },
      script: { type: 'string' },
      name: { type: 'string', default: '' },
      'signed-out': { type: 'boolean', default: false },
      empty: { type: 'boolean', default: false },
      widths: { type: 'string', default: '360,1280' },
      themes: { type: 'string', default: 'light,dark' },
      languages: { type: 'string', default: 'en,zh-CN' },
      'full-page': { type: 'boolean', default: false },
    },
  })
  const out = resolve(values.out)
  await mkdir(out, { recursive: true })
  const built = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  await buildConsole(built, [withoutWhatIsMissing()])
  const origin = await serve(built, { isSignedIn: !values['signed-out'], isEmpty: values.empty })
  const browser = await chromium.launch({ executablePath: await findOrInstall('chromium'), args: ['--no-sandbox'] })
  const prepare = values.script === undefined ? undefined : await scriptOf(resolve(values.script))
  try {
    for (const view of viewsOf(positionals, values)) {
      const name = values.name === '' ? view.path.replace(/^\//, '').replace(/\W+/g, '-') : values.name
      const file = join(out, `${name}-${view.width}-${view.theme}-${view.language}.png`)
      await look(browser, { origin: origin.url, file, view, prepare })
    }
  } finally {
    await browser.close()
    origin.close()
    await rm(built, { recursive: true, force: true })
  }
}

function viewsOf(
  paths: readonly string[],
  values: { widths: string; themes: string; languages: string; 'full-page': boolean },
): View[] {
  const [widths, themes, languages] = [values.widths, values.themes, values.languages].map((list) => list.split(','))
  return paths.flatMap((path) =>
    (widths ?? []).flatMap((width) =>
      (themes ?? []).flatMap((theme) =>
        (languages ?? []).map((language) => ({
          path,
          width: Number(width),
          theme,
          language,
          fullPage: values['full-page'],
        })),
      ),
    ),
  )
}

/** A page that somebody is in the middle of writing must not keep others from looking at theirs. */
function withoutWhatIsMissing(): Plugin {
  const NOTHING = '\0nothing'
  return {
    name: 'without-what-is-missing',
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { shimMissingExports: true } } }),
    async resolveId(source, importer) {
      if (!source.startsWith('.') || (await this.resolve(source, importer, { skipSelf: true })) !== null) return null
      process.stderr.write(`missing, and left out: ${source}\n`)
      return NOTHING
    },
    load: (id) => (id === NOTHING ? 'export default () => null' : null),
  }
}

type Prepare = (page: Page, language: string) => Promise<void>

interface View {
  readonly path: string
  readonly width: number
  readonly theme: string
  readonly language: string
  readonly fullPage: boolean
}

async function look(
  browser: Browser,
  wish: { origin: string; file: string; view: View; prepare: Prepare | undefined },
): Promise<void> {
  const { view } = wish
  const context = await browser.newContext({
    viewport: { width: view.width, height: HEIGHTS[String(view.width)] ?? 860 },
    colorScheme: view.theme === 'dark' ? 'dark' : 'light',
    locale: view.language,
    reducedMotion: 'reduce',
    hasTouch: view.width < 640,
    bypassCSP: false,
  })
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => {
    const isExpected = /status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected) said.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => said.push(`broken: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(wish.origin) && !request.url().startsWith('data:'))
      said.push(`third party: ${request.url()}`)
  })
  await page.goto(`${wish.origin}/console${view.path}`, { waitUntil: 'networkidle' })
  await page.waitForTimeout(SETTLED_MS)
  const shift = await page.evaluate<number>(LAYOUT_SHIFT)
  if (shift > 0.02) said.push(`layout shift ${shift.toFixed(3)}`)
  await wish.prepare?.(page, view.language)
  await page.waitForTimeout(SETTLED_MS)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) said.push(`scrolls sideways by ${overflow} px`)
  said.push(...(await axeFindings(page)))
  await page.screenshot({ path: wish.file, fullPage: view.fullPage })
  process.stdout.write(`${wish.file}\n${said.map((line) => `  ${line}\n`).join('')}`)
  await context.close()
}

// What runs in the page is text here: this side of the project knows no browser.
const LAYOUT_SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 50)
})`

async function axeFindings(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // By the debugger's way: the page's own policy allows no foreign script.
  await page.evaluate(source)
  const result = await page.evaluate<AxeResult>('axe.run()')
  return result.violations.flatMap((violation) =>
    violation.nodes.map(({ html, failureSummary }) => {
      const why = failureSummary?.split('\n')[1]?.trim() ?? ''
      return `axe ${violation.id} (${violation.impact}): ${html.slice(0, 140)} ${why}`
    }),
  )
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

async function scriptOf(path: string): Promise<Prepare> {
  const file = (await import(pathToFileURL(path).href)) as { default: Prepare }
  return file.default
}

async function serve(
  folder: string,
  mock: { isSignedIn: boolean; isEmpty: boolean },
): Promise<{ url: string; close(): void }> {
  const files = createConsoleFiles(folder)
  // A new API for each page that is opened, so that one picture changes nothing in the next.
  let api = createMockApi(mock)
  const server = createServer((request, response) => {
    if (request.headers.accept?.includes('text/html') === true) api = createMockApi(mock)
    api(request, response).then(
      (isAnswered) => (isAnswered ? undefined : files(request, response)),
      () => response.destroy(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() ?? server.close() }
}

await lookAtConsole()
