import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { keysEn } from '../console/dictionaries/keys-en.ts'
import { keysZhCn } from '../console/dictionaries/keys-zh-cn.ts'
import { startEn } from '../console/dictionaries/start-en.ts'
import { startZhCn } from '../console/dictionaries/start-zh-cn.ts'
import { freshConsole } from '../test/support/built-console.ts'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { type ShownPlace, startShownPlace } from './pictures/shown-place.ts'

const SETTLED_MS = 400
const MOST_BYTES = 150 * 1024
const HEIGHTS = { 360: 740, 1280: 720 } as const
const WORDS = { en: { keys: keysEn, start: startEn }, 'zh-CN': { keys: keysZhCn, start: startZhCn } } as const

type Language = keyof typeof WORDS
type Words = (typeof WORDS)[Language]
type Width = keyof typeof HEIGHTS

interface Picture {
  readonly view: string
  readonly theme: 'light' | 'dark'
  readonly language: Language
  readonly width: Width
}

/** What is taken a picture of: a path of the console, and what is opened there. */
const VIEWS: Readonly<Record<string, { readonly path: string; open?(page: Page, words: Words): Promise<void> }>> = {
  'sign-in': { path: '/sign-in' },
  start: { path: '/start' },
  keys: { path: '/keys?sort=-last_used_at' },
  'keys-create': {
    path: '/keys',
    async open(page, { keys }) {
      await page.getByRole('button', { name: keys.create, exact: true }).first().click()
      await page.getByRole('dialog').getByLabel(keys.form.name).fill('laptop')
    },
  },
  'keys-use': {
    path: '/keys',
    async open(page, { keys }) {
      await page.getByRole('button', { name: keys.useOf('laptop') }).click()
      await page.getByRole('dialog').getByRole('radio', { name: 'Claude Code' }).click()
    },
  },
  usage: { path: '/usage?span=30d&split=model' },
  'usage-request': {
    path: '/usage',
    async open(page) {
      await page.getByRole('row').nth(1).getByRole('button').click()
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
  models: { path: '/models' },
  billing: { path: '/billing' },
  account: { path: '/account' },
  'account-security': { path: '/account?section=security' },
  // Last: it makes a key.
  'start-first-key': {
    path: '/start',
    async open(page, { start }) {
      await page.getByRole('button', { name: start.ready.another }).click()
      await page.getByRole('button', { name: start.key.create, exact: true }).click()
      await page.getByRole('radio', { name: 'Claude Code' }).waitFor()
    },
  },
}

/** Those that the README shows. */
const BEST: readonly Picture[] = [
  { view: 'keys', theme: 'light', language: 'en', width: 1280 },
  { view: 'keys-use', theme: 'dark', language: 'en', width: 1280 },
  { view: 'usage', theme: 'light', language: 'en', width: 1280 },
  { view: 'usage', theme: 'dark', language: 'zh-CN', width: 1280 },
  { view: 'keys', theme: 'dark', language: 'zh-CN', width: 360 },
  { view: 'start', theme: 'light', language: 'en', width: 360 },
  { view: 'start-first-key', theme: 'light', language: 'en', width: 1280 },
]

/**
 *   node tools/take-pictures.ts                  the README's pictures, into docs/pictures
 *   node tools/take-pictures.ts --all pictures   every view in both themes, both languages and two widths, into that folder
 *   … --views keys,usage                         those alone
 */
async function takePictures(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: 'string' }, views: { type: 'string' } } })
  const folder = resolve(values.all ?? join(import.meta.dirname, '..', 'docs', 'pictures'))
  const wished = values.views?.split(',')
  const pictures = (values.all === undefined ? BEST : everyPicture()).filter(
    ({ view }) => wished?.includes(view) ?? true,
  )
  await mkdir(folder, { recursive: true })
  const [executablePath] = await Promise.all([findOrInstall('chromium'), freshConsole()])
  const place = await startShownPlace()
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  try {
    for (const picture of pictures) await take(browser, { picture, place, folder })
  } finally {
    await browser.close()
    await place.stop()
  }
}

async function take(browser: Browser, at: { picture: Picture; place: ShownPlace; folder: string }): Promise<void> {
  const { picture, place, folder } = at
  const { width, language, theme } = picture
  const context = await browser.newContext({
    baseURL: place.origin,
    locale: language,
    colorScheme: theme,
    viewport: { width, height: HEIGHTS[width] },
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    hasTouch: width < 600,
  })
  const view = VIEWS[picture.view]
  if (view === undefined) throw new Error(`there is no view ${picture.view}: ${Object.keys(VIEWS).join(', ')}`)
  if (view.path !== '/sign-in') {
    const { email, password } = place
    const answer = await context.request.post('/api/auth/sign-in', {
      data: { email, password },
      headers: { origin: place.origin },
    })
    if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}`)
  }
  const page = await context.newPage()
  await page.goto(`/console${view.path}`, { waitUntil: 'networkidle' })
  await view.open?.(page, WORDS[language])
  await page.waitForTimeout(SETTLED_MS)
  const path = join(folder, `${picture.view}-${theme}-${language.toLowerCase()}-${width}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  await context.close()
  const { size } = await stat(path)
  console.log(`${path}  ${Math.round(size / 1024)} KB${size > MOST_BYTES ? ', too large for the repository' : ''}`)
}

function everyPicture(): Picture[] {
  return Object.keys(VIEWS).flatMap((view) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      (['en', 'zh-CN'] as const).flatMap((language) =>
        ([360, 1280] as const).map((width) => ({ view, theme, language, width })),
      ),
    ),
  )
}

if (import.meta.main) await takePictures()
