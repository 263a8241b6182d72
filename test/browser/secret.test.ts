import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { longTest } from '../support/run/long-test.ts'
import { walkedIn } from './languages.ts'
import { type Place, sharedPlace } from './place.ts'
import { arrives, eventually, fill, press, reads } from './reading.ts'
import { visit, type Visit } from './visit.ts'

let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

/** Where a browser keeps things, as one text: everything but the memory of the page's program. */
const KEPT = `(async () => {
  const databases = await indexedDB.databases()
  const kept = []
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) kept.push(request.url, await (await cache.match(request)).text())
  }
  return JSON.stringify([
    document.documentElement.outerHTML, document.title, location.href, history.state, window.name, document.cookie,
    { ...localStorage }, { ...sessionStorage }, databases, kept,
    performance.getEntriesByType('resource').map((entry) => entry.name),
  ])
})()`

async function everythingKept({ page, context }: Visit): Promise<string> {
  const debug = await context.newCDPSession(page)
  const history = await debug.send('Page.getNavigationHistory')
  const state = await context.storageState({ indexedDB: true })
  return JSON.stringify([await page.evaluate(KEPT), history, state, await context.cookies()])
}

/** The memory of the page's program after everything that is not held was thrown away, its strings included. */
async function memory({ page, context }: Visit): Promise<string> {
  const debug = await context.newCDPSession(page)
  const pieces: string[] = []
  debug.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void pieces.push(chunk))
  await debug.send('HeapProfiler.enable')
  for (let round = 0; round < 3; round++) await debug.send('HeapProfiler.collectGarbage')
  await debug.send('HeapProfiler.takeHeapSnapshot', {})
  await debug.detach()
  return pieces.join('')
}

async function walkAround(page: Page): Promise<void> {
  for (const path of ['/usage', '/models', '/billing', '/account', '/overview', '/keys']) {
    await page.goto(`/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
}

test.each(walkedIn('zh-CN'))(
  'a secret is nowhere once its dialog is closed, in $language',
  async ({ language, key, keys, shared }) => {
    const ada = await place.person({ balance: '1' })
    const window = await visit(place, { language, as: ada })
    const { page, context, open, copied } = window
    const said: string[] = []
    context.on('console', (message) => void said.push(message.text()))
    await open('/keys')
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'laptop')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    for (const view of [keys.secret.environment, keys.secret.import, keys.secret.test]) {
      await shown.getByRole('tab', { name: view, exact: true }).click()
    }
    await shown.getByRole('button', { name: key.message.send, exact: true }).waitFor()
    await press(shown, keys.importing.showCode)
    const code = shown.getByRole('img', { name: keys.secret.code })
    await code.waitFor()
    await press(shown, keys.secret.copy)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^sk-tg-/)
    const secret = copied.at(-1) ?? ''
    // What only the secret has: its parts that are shown on purpose stay.
    const hidden = secret.slice(10, -4)
    // The question can be answered with yes: while it is shown, it is there.
    expect(await everythingKept(window)).toContain(hidden)
    await eventually(() => shown.getByRole('checkbox', { name: keys.secret.saved }).isChecked()).toBe(true)
    await press(shown, keys.secret.done)
    await shown.waitFor({ state: 'detached' })
    const laterAnswers: string[] = []
    const laterRequests: string[] = []
    context.on('request', (request) => void laterRequests.push(request.url(), request.postData() ?? ''))
    context.on('response', (response) => {
      if (!response.url().includes('/assets/'))
        response.text().then(
          (text) => laterAnswers.push(text),
          () => {},
        )
    })
    expect(await everythingKept(window)).not.toContain(hidden)
    expect((await memory(window)).split(hidden)).toHaveLength(1)
    expect((await place.call(secret)).status).toBe(200)
    await walkAround(page)
    await arrives(page, shared.pages.keys)
    await page.getByRole('button', { name: keys.useOf('laptop') }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Claude Code' }).waitFor()
    expect(laterAnswers.length).toBeGreaterThan(10)
    expect([...laterAnswers, ...laterRequests, ...said].filter((text) => text.includes(hidden))).toEqual([])
    expect(await everythingKept(window)).not.toContain(hidden)
    expect(place.printed()).not.toContain(hidden)
    for (const file of await readdir(place.directory)) {
      const bytes = await readFile(join(place.directory, file))
      expect(bytes.includes(hidden), `the secret in ${file}`).toBe(false)
    }
  },
)

longTest.each(walkedIn('en'))(
  'the .env of a new key stops no client, has each family’s own form of the address, and says whose it is, in $language',
  async ({ language, keys, shared }) => {
    const { page, open, copied } = await visit(place, { language, as: await place.person({ balance: '1' }) })
    await open('/keys')
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await fill(form, keys.form.name, 'build = server')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('build = server') })
    await shown.getByRole('tab', { name: keys.secret.environment, exact: true }).click()
    await press(shown, shared.copyItem('.env'))
    await eventually(() => copied.at(-1) ?? '').toMatch(/sk-tg-\w{46}/)
    const file = copied.at(-1) ?? ''
    // What is copied is what is read.
    await reads(shown.getByRole('tabpanel'), file.trim())
    const secret = /sk-tg-\w{46}/.exec(file)?.[0] ?? ''
    const [head, ...lines] = file.trimEnd().split('\n')
    expect(head).toMatch(/^# .*build = server$/)
    const origin = place.origin
    // ANTHROPIC_API_KEY beside ANTHROPIC_AUTH_TOKEN would stop Claude Code at its first question.
    expect(Object.fromEntries(lines.map((line) => line.split('=')))).toEqual({
      OPENAI_BASE_URL: `${origin}/v1`,
      OPENAI_API_KEY: secret,
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_AUTH_TOKEN: secret,
      GOOGLE_GEMINI_BASE_URL: origin,
      GEMINI_API_KEY: secret,
    })
    await press(shown, keys.secret.done)
  },
)
