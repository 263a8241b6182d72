import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { texts as connectingEn } from '../console/dictionaries/connecting-en.ts'
import { texts as connectingZhCn } from '../console/dictionaries/connecting-zh-cn.ts'
import { texts as keysEn } from '../console/dictionaries/keys-en.ts'
import { texts as keysZhCn } from '../console/dictionaries/keys-zh-cn.ts'
import { texts as startEn } from '../console/dictionaries/start-en.ts'
import { texts as startZhCn } from '../console/dictionaries/start-zh-cn.ts'
import { freshConsole } from '../test/support/built-console.ts'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { adminApi } from './sample/sample-api.ts'
import { SAMPLE_NOON_MS } from './sample/sample-plan.ts'
import {
  LANGUAGES,
  openSampleWindow,
  openWhole,
  requireChineseFont,
  STILL_BROWSER,
  THEMES,
  type WindowLook,
} from './sample/sample-window.ts'
import { makeSample } from './sample/sample.ts'

const SETTLED_MS = 400
const MOST_BYTES = 170 * 1024
const HEIGHTS = { 360: 740, 1280: 720 } as const
/** What snippets name, whichever port the gateway has. */
const SHOWN_ORIGIN = 'http://localhost:8787'
const NEW_UPSTREAM = '/admin/upstreams?new=upstream'
/** A target URI as the portal shows it. */
const AZURE_TARGET =
  'https://my-resource.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2025-04-01-preview'
const WORDS = {
  en: { keys: keysEn, start: startEn, connecting: connectingEn },
  'zh-CN': { keys: keysZhCn, start: startZhCn, connecting: connectingZhCn },
} as const

type Words = (typeof WORDS)[WindowLook['language']]
type Width = keyof typeof HEIGHTS

interface Picture extends WindowLook {
  readonly view: string
  readonly width: Width
}

/** What is taken a picture of: a path of the console, and what is opened there. Those of admins are below `/admin`. */
const VIEWS: Readonly<Record<string, { readonly path: string; open?(page: Page, words: Words): Promise<void> }>> = {
  'upstreams-new': { path: NEW_UPSTREAM },
  'upstreams-new-moonshot': { path: NEW_UPSTREAM, open: (page) => chooseVendor(page, 'Moonshot') },
  'upstreams-new-azure': {
    path: NEW_UPSTREAM,
    async open(page, { connecting: t }) {
      await chooseVendor(page, 'Azure OpenAI')
      await page.getByRole('dialog').getByLabel(t.target).fill(AZURE_TARGET)
      await page.getByRole('dialog').getByLabel(t.signIn).selectOption('azure.client_secret')
    },
  },
  'upstreams-new-bedrock': { path: NEW_UPSTREAM, open: (page) => chooseVendor(page, 'Amazon Bedrock') },
  'upstreams-new-vertex': { path: NEW_UPSTREAM, open: (page) => chooseVendor(page, 'Google Vertex AI') },
  'sign-in': { path: '/sign-in' },
  overview: { path: '/overview' },
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
  'start-first-key': {
    path: '/overview?another=1',
    async open(page, { start }) {
      await page.getByRole('button', { name: start.key.create, exact: true }).click()
      await page.getByRole('radio', { name: 'Claude Code' }).waitFor()
    },
  },
}

async function chooseVendor(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

/** Pictures that the README and the guide to getting started show, in the language of each. */
const BEST: readonly Picture[] = [
  { view: 'overview', theme: 'light', language: 'en', width: 1280 },
  { view: 'keys', theme: 'light', language: 'en', width: 1280 },
  { view: 'keys-use', theme: 'dark', language: 'en', width: 1280 },
  { view: 'usage', theme: 'light', language: 'en', width: 1280 },
  { view: 'usage', theme: 'dark', language: 'zh-CN', width: 1280 },
  { view: 'keys', theme: 'dark', language: 'zh-CN', width: 360 },
  { view: 'start-first-key', theme: 'light', language: 'en', width: 1280 },
  { view: 'upstreams-new', theme: 'light', language: 'en', width: 1280 },
  { view: 'upstreams-new', theme: 'light', language: 'zh-CN', width: 1280 },
  { view: 'upstreams-new-azure', theme: 'light', language: 'en', width: 1280 },
  { view: 'upstreams-new-vertex', theme: 'dark', language: 'zh-CN', width: 360 },
]

/**
 *   node tools/take-pictures.ts                  those that our pages show, into docs/pictures
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
  await requireChineseFont(pictures.map(({ language }) => language))
  await mkdir(folder, { recursive: true })
  const [executablePath] = await Promise.all([findOrInstall('chromium'), freshConsole()])
  const environment = { TOLLGATE_PUBLIC_URL: SHOWN_ORIGIN }
  const sample = await makeSample({ size: 'usual', nowMs: SAMPLE_NOON_MS, seed: 'pictures', environment })
  const browser = await chromium.launch({ executablePath, ...STILL_BROWSER })
  try {
    for (const picture of pictures) {
      // Each from the same beginning: one of them makes a key, and all of them sign in.
      await sample.restore()
      const gateway = await sample.start()
      if (VIEWS[picture.view]?.path.startsWith('/admin') === true) {
        await adminApi(gateway.origin).ask('PATCH', `/api/accounts/${sample.accountId}`, { role: 'admin' })
      }
      await take(browser, { picture, origin: gateway.origin, folder })
      await gateway.stop()
    }
  } finally {
    await browser.close()
    await sample.remove()
  }
}

async function take(
  browser: Browser,
  at: { readonly picture: Picture; readonly origin: string; readonly folder: string },
): Promise<void> {
  const { picture, origin, folder } = at
  const { width, language, theme } = picture
  const view = VIEWS[picture.view]
  if (view === undefined) throw new Error(`there is no view ${picture.view}: ${Object.keys(VIEWS).join(', ')}`)
  const isSignedIn = view.path !== '/sign-in'
  const context = await openSampleWindow(browser, { origin, look: picture, isSignedIn, height: HEIGHTS[width] })
  const page = await context.newPage()
  await openWhole(page, view.path)
  await view.open?.(page, WORDS[language])
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(SETTLED_MS)
  const path = join(folder, `${picture.view}-${theme}-${language.toLowerCase()}-${width}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  await context.close()
  const { size } = await stat(path)
  console.log(`${path}  ${Math.round(size / 1024)} KB${size > MOST_BYTES ? ', too large for the repository' : ''}`)
}

function everyPicture(): Picture[] {
  return Object.keys(VIEWS).flatMap((view) =>
    THEMES.flatMap((theme) =>
      LANGUAGES.flatMap((language) => ([360, 1280] as const).map((width) => ({ view, theme, language, width }))),
    ),
  )
}

if (import.meta.main) await takePictures()
