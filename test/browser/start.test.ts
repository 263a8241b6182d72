import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LANGUAGES, type Texts } from './languages.ts'
import { type Place, startPlace } from './place.ts'
import { arrives, content, eventually, hears, press, reads, unfold } from './reading.ts'
import { visit } from './visit.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const run = promisify(execFile)

/** Where each test has a person of its own. */
let place: Place
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

/** For what happens once in the life of an installation. */
async function newPlace(): Promise<Place> {
  const fresh = await startPlace()
  onTestFinished(() => fresh.stop())
  return fresh
}

/** Takes the first key as it is proposed, and returns the block for curl as it is copied. */
async function copyBlock(page: Page, { start }: Texts, copied: readonly string[]): Promise<string> {
  await press(page, start.key.create)
  await page.getByRole('radio', { name: 'curl', exact: true }).check()
  await press(page, start.enter.copyBlock)
  await eventually(() => copied.at(-1) ?? '').toContain('curl')
  return copied.at(-1) ?? ''
}

describe.each(LANGUAGES)('in $language', (texts) => {
  const { language, start, outside, shared, faults } = texts

  test('from the one-time link over the first key to a call that turns the line green', async () => {
    const fresh = await newPlace()
    const { page, open, copied } = await visit(fresh, { language })
    await page.goto(fresh.setUpLink)
    await press(page, outside.setUp.actionDemo)
    await arrives(page, shared.pages.start)
    expect(page.url()).not.toContain('#')
    // The first start has made a key, whose secret it printed.
    await unfold(content(page), start.key.otherWays)
    await press(page, start.key.another)
    const block = await copyBlock(page, texts, copied)
    await reads(page.getByRole('list', { name: start.steps }), start.record.waiting)
    await run('bash', ['-c', block], { timeout: PATIENCE_MS })
    await hears(page, start.success.title)
    await reads(page.getByRole('main'), 'demo/echo')
    await page.getByRole('link', { name: start.success.details }).click()
    await arrives(page, shared.pages.usage)
    // From now on home is where the account is looked over.
    await page.getByRole('link', { name: shared.pages.overview, exact: true }).first().click()
    await arrives(page, shared.pages.overview)
    await reads(page.getByRole('region', { name: texts.overview.requests.title }), 'demo/echo')
    await open('/start')
    await page.getByRole('heading', { name: start.ready.title }).waitFor()
    const again = await visit(fresh, { language })
    await again.page.goto(fresh.setUpLink)
    await reads(again.page.getByRole('main'), texts.problems.link_invalid)
  })

  test('tries that fail are shown with cause and remedy, one after the other, until one works', async () => {
    const ada = await place.person()
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/start')
    const block = await copyBlock(page, texts, copied)
    const secret = /sk-tg-\w{46}/.exec(block)?.[0] ?? ''
    const hello = { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }
    const failures = [
      { fault: 'key_malformed', try: () => place.call(secret.slice(0, -1)) },
      { fault: 'key_malformed', try: () => place.call(secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a')) },
      { fault: 'base_url_wrong', try: () => place.call(secret, hello, '/v1/chat/completions/chat/completions') },
      { fault: 'model_unknown', try: () => place.call(secret, { ...hello, model: 'gpt-none' }) },
      { fault: 'balance_exhausted', try: () => place.call(secret) },
    ] as const
    for (const failure of failures) {
      expect((await failure.try()).status).toBeGreaterThanOrEqual(400)
      await hears(page, faults[failure.fault].title)
      await hears(page, faults[failure.fault].remedy)
    }
    // Nothing has worked so far, and nothing says so.
    const reloaded = await visit(place, { language, as: ada })
    await reloaded.open('/start')
    await reloaded.page.getByRole('list', { name: start.steps }).waitFor()
    await place.admin('POST', `/api/accounts/${ada.id}/ledger`, { amount: '1', reason: 'a gift', kind: 'credit' })
    // Without /v1, and with it twice: the gateway understands both.
    expect((await place.call(secret, hello, '/v1/v1/chat/completions')).status).toBe(200)
    await hears(page, start.success.title)
  })

  test('leaving without the secret is asked about', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/start')
    await press(page, start.key.create)
    await page.getByRole('radio', { name: 'curl', exact: true }).waitFor()
    const models = page.getByRole('link', { name: shared.pages.models, exact: true }).first()
    await models.click()
    await press(page.getByRole('alertdialog', { name: start.leave.title }), start.leave.stay)
    await press(page, start.key.copySecret)
    await models.click()
    await arrives(page, shared.pages.models)
  })
})
