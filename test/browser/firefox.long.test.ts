import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATHS } from '../../console/paths.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startFirefox } from '../support/firefox.ts'
import { testConsole } from '../support/test-servers.ts'
import { LANGUAGES } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { eventually } from './reading.ts'

const [, texts] = LANGUAGES
const { language, keys, outside, shared } = texts
const PHONE = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 900 }
const SECRET = /sk-tg-\w{46}/

let place: OwnPlace
let ada: Person
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  ;[place, browser] = await Promise.all([startPlace(), startFirefox(language), testConsole()])
  ada = await place.person({ balance: '5' })
  page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('pageerror', (error) => void complaints.push(`uncaught: ${String(error)}`))
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  await page.setViewport(WIDE)
})
afterAll(async () => {
  await browser.close()
  await place.stop()
})

/** Finds an element by what it is called, and where several are called so, by what it is. */
function named(name: string, role?: string) {
  const asked = `[name="${name}"]${role === undefined ? '' : `[role="${role}"]`}`
  return page.locator(['::-p-aria(', asked, ')'].join(''))
}

test('one signs in with a password, makes a key, calls with it and reads the request, in Firefox', async () => {
  await page.goto(`${place.origin}/console/sign-in`)
  await named(outside.email, 'textbox').fill(ada.email)
  // What is typed hidden has no role, by which Firefox would find it.
  await page.keyboard.press('Tab')
  await page.keyboard.type(ada.password)
  await named(outside.signIn.action, 'button').click()
  await named(shared.pages.overview, 'heading').wait()

  await page.goto(`${place.origin}/console/keys`)
  await named(keys.create, 'button').click()
  await named(keys.form.title, 'dialog').wait()
  await named(keys.form.name, 'textbox').fill('laptop')
  await named(keys.form.submit, 'button').click()
  await named(keys.secret.title('laptop'), 'dialog').wait()
  const secret = SECRET.exec(await text())?.[0] ?? ''
  await named(keys.secret.copy, 'button').click()
  await named(keys.secret.done, 'button').click()
  await eventually(text).not.toContain(secret)
  expect((await place.call(secret)).status).toBe(200)
  await page.goto(`${place.origin}/console/usage`)
  await eventually(text).toContain('demo/echo')
  expect(complaints.splice(0)).toEqual([])
})

test('every page is there, complains of nothing, and scrolls sideways on no phone, in Firefox', async () => {
  for (const name of Object.keys(shared.pages) as (keyof typeof shared.pages)[]) {
    await page.setViewport(WIDE)
    await page.goto(`${place.origin}/console${PATHS[name]}`)
    await named(shared.pages[name], 'heading').wait()
    await page.setViewport(PHONE)
    // The page learns of its new width with the next frame.
    await eventually(() => scrollsSideways(name)).toBe(`${name}: 0 px`)
  }
  expect(complaints.splice(0)).toEqual([])
})

async function text(): Promise<string> {
  return String(await page.evaluate('document.body.innerText'))
}

async function scrollsSideways(name: string): Promise<string> {
  const overPx = Number(await page.evaluate('document.scrollingElement.scrollWidth - innerWidth'))
  return `${name}: ${Math.max(0, overPx)} px`
}
