import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { settles } from '../../test/browser/accessibility.ts'
import { SAMPLE_EMAIL, SAMPLE_NOON_MS, SAMPLE_PASSWORD } from './sample-plan.ts'

export interface WindowLook {
  readonly width: number
  readonly theme: 'light' | 'dark'
  readonly language: 'en' | 'zh-CN'
}

export const THEMES = ['light', 'dark'] as const
export const LANGUAGES = ['en', 'zh-CN'] as const

const PHONE_WIDTH = 640
const HEIGHT = { phone: 740, desk: 860 }

/** Rejects where Chinese would be drawn as empty boxes. */
export async function requireChineseFont(languages: readonly string[]): Promise<void> {
  if (!languages.includes('zh-CN')) return
  const { stdout } = await promisify(execFile)('fc-list', [':lang=zh-cn', 'family'])
  if (stdout.trim() === '') throw new Error('No font here has Chinese: install one, such as fonts-noto-cjk on Debian.')
}

/** Settings of a browser that draws the same pixels for the same page, round corners included. */
export const STILL_BROWSER = {
  args: [
    '--force-color-profile=srgb',
    '--font-render-hinting=none',
    '--disable-partial-raster',
    '--num-raster-threads=1',
  ],
  // Chromium refuses its sandbox to root, as whom containers run.
  chromiumSandbox: process.getuid?.() !== 0,
}

/** Opens a window on a gateway with a sample. The time on its pages is that of the sample, so that they show the same later. */
export async function openSampleWindow(
  browser: Browser,
  about: { readonly origin: string; readonly look: WindowLook; readonly isSignedIn: boolean; readonly height?: number },
): Promise<BrowserContext> {
  const { origin, look } = about
  const isPhone = look.width < PHONE_WIDTH
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: look.width, height: about.height ?? (isPhone ? HEIGHT.phone : HEIGHT.desk) },
    colorScheme: look.theme,
    locale: look.language,
    timezoneId: 'Europe/Vienna',
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    hasTouch: isPhone,
  })
  await context.clock.setFixedTime(SAMPLE_NOON_MS)
  if (about.isSignedIn) {
    const data = { email: SAMPLE_EMAIL, password: SAMPLE_PASSWORD }
    const answer = await context.request.post('/api/auth/sign-in', { data, headers: { origin } })
    if (!answer.ok()) throw new Error(`sign-in returned ${answer.status()}: ${await answer.text()}`)
  }
  return context
}

/** Opens a page below `/console`; resolves when all that it asked for has come and stands in its place. */
export async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`, { waitUntil: 'networkidle' })
  // The network rests as well between an answer and what is asked for because of it.
  await page.getByRole('heading').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await settles(page)
}

/** What keeps an answer of the API from coming as it would: it never comes, or it is a fault of the server. */
export interface Disturbance {
  /** Paths such as `/api/keys*`. */
  readonly pending: readonly string[]
  readonly failing: readonly string[]
}

/** Disturbs what a page asks of the API from now on. */
export async function disturb(context: BrowserContext, { pending, failing }: Disturbance): Promise<void> {
  // A route that does nothing leaves its request open.
  for (const path of pending) await context.route(matching(path), () => {})
  for (const path of failing) {
    await context.route(matching(path), (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: '/docs/errors/internal',
          title: 'Internal error',
          status: 500,
          code: 'internal',
          detail: 'The server failed. Try again, and tell an admin if it happens again.',
          request_id: 'req_01m7w831205j53m9fg048hzq96',
        }),
      }),
    )
  }
}

/** `*`: any text. */
function matching(path: string): (url: URL) => boolean {
  const parts = path.split('*').map((part) => part.replace(/[.?+^$()|[\]{}\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return ({ pathname, search }) => pattern.test(pathname) || pattern.test(pathname + search)
}
