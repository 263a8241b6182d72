import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { LANGUAGES, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlaceIn } from './place.ts'
import { arrives, content, eventually, fill, hears, reads } from './reading.ts'
import { visit } from './visit.ts'

// What an admin finds on Operations in a bad night, and in how many clicks it is healed from there.

const CLOCK = new URL('../faults/clock-of-gateway.ts', import.meta.url)
const MINUTE_MS = 60_000
const SECRET = 'the-credential-of-this-provider-9f3Q'
const [english] = LANGUAGES
const { operations: t, upstreams: u, prices: p, accounts: a } = english
/** Six models at one upstream, as a small place has them. */
const MODELS = ['echo', 'mini', 'nano', 'pro', 'image', 'embed'].map((name) => `acme/${name}`)

describe('a bad night', () => {
  let place: OwnPlace
  let acme: FakeUpstream
  let root: Person
  let poor: Person
  let secret: string
  let clockFile: string
  let aheadMs = 0

  beforeAll(async () => {
    clockFile = join(await temporaryDirectory(), 'clock')
    await writeFile(clockFile, '0')
    acme = await startFakeUpstream({ requiredCredential: SECRET })
    place = await startPlaceIn(await temporaryDirectory(), {
      NODE_OPTIONS: `--import=${CLOCK.href}`,
      FAULTS_CLOCK_FILE: clockFile,
    })
    root = await place.person({ role: 'admin' })
    poor = await place.person()
    const credentials = [{ name: 'default', secret: SECRET }]
    const upstream = (name: string, over: object = {}) =>
      place.admin('POST', '/api/upstreams', {
        name,
        protocol: 'openai',
        base_url: `${acme.url}/v1`,
        credentials,
        ...over,
      })
    await upstream('acme')
    await upstream('dead', { credentials: [{ name: 'default', secret: 'revoked' }] })
    const price = { input: '1', output: '1' }
    const model = (name: string, at: string, over: object = {}) =>
      place.admin('POST', '/api/models', { name, price, targets: [{ upstream: at, model: 'fake/echo' }], ...over })
    for (const name of MODELS) await model(name, 'acme')
    await model('of-dead', 'dead')
    // Ten times what its provider lists.
    await model('claude-opus-4-5', 'acme', { price: { input: '50', output: '250' } })
    for (let at = 0; at < 40; at++) await place.admin('POST', '/api/models', { name: `nowhere-${at}`, price })
    const ada = await place.person({ balance: '1000' })
    secret = (await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })).body.secret
    const { body: ofPoor } = await poor.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    await place.call(ofPoor.secret)
    await ask(['of-dead'])
  })
  afterAll(() => Promise.all([place.stop(), acme.close()]))

  const ask = async (models: readonly string[]): Promise<void> => {
    for (const model of models) await place.call(secret, { model, messages: [{ role: 'user', content: 'Hello' }] })
  }
  const later = async (ms: number): Promise<void> => {
    aheadMs += ms
    await writeFile(clockFile, String(aheadMs))
    // The gateway looks at the file a hundred times a second.
    await eventually(async () => Date.parse((await root.ask('GET', '/api/attention')).body.looked_at)).toBeGreaterThan(
      Date.now() + aheadMs - MINUTE_MS,
    )
  }
  const rowsOf = (page: Page, text: string): Locator =>
    page.getByRole('region', { name: t.needs }).getByRole('listitem').filter({ hasText: text })

  /** An admin on Operations whose clicks are counted. */
  async function atOperations() {
    const { page, open } = await visit(place, { language: 'en', as: root })
    await open('/admin')
    await arrives(page, t.title)
    let clicks = 0
    const click = async (what: Locator): Promise<void> => {
      clicks += 1
      await what.click()
    }
    return { page, open, click, clicks: () => clicks }
  }

  // genlayerlabs/genlayer-studio#1622: “58 pending transactions” said nothing of the provider that failed behind them.
  test('an upstream that is down is one row with its name, when, why and how much; one click says that it is back', async () => {
    await ask(MODELS)
    const { port } = new URL(acme.url)
    await acme.close()
    await ask([...MODELS, ...MODELS])
    const { page, open, click, clicks } = await atOperations()
    const row = rowsOf(page, 'acme has been unreachable since')
    await eventually(() => row.count()).toBe(1)
    await reads(row, /unreachable since \d{1,2}:\d{2}.* \(connection refused\): 6 models, 12 requests refused/)
    await eventually(() => rowsOf(page, 'has been failing').count()).toBe(0)
    await click(row.getByRole('button', { name: t.test.action }))
    await reads(row, t.test.fails('acme', ''))
    expect(clicks()).toBe(1)

    acme = await startFakeUpstream({ requiredCredential: SECRET, port: Number(port) })
    await click(row.getByRole('button', { name: t.test.action }))
    await reads(row, 'acme works again')
    expect(clicks()).toBe(2)
    await later(2 * MINUTE_MS)
    await ask([...MODELS, ...MODELS])
    await open('/admin')
    await eventually(() => row.count()).toBe(1)
    await later(9 * MINUTE_MS)
    await ask(MODELS)
    await open('/admin')
    await arrives(page, t.title)
    await rowsOf(page, t.items.no_balance(poor.email)).waitFor()
    await eventually(() => row.count()).toBe(0)
  })

  test('what costs money stands before what is failing, and forty models without an upstream are one row that unfolds', async () => {
    const { page } = await atOperations()
    const items = page.getByRole('region', { name: t.needs }).getByRole('listitem')
    const many = t.many.no_target(40, 'default')
    await rowsOf(page, many).waitFor()
    const order = (await items.allInnerTexts()).filter((text) =>
      /input price|out of credit|rejected|No upstream/.test(text),
    )
    expect(order).toMatchObject([
      expect.stringContaining('your input price is $50.00'),
      expect.stringContaining('is out of credit'),
      expect.stringMatching(/rejected|No upstream/),
      expect.stringMatching(/rejected|No upstream/),
    ])
    const row = rowsOf(page, many)
    expect(await row.getByText('nowhere-17').isVisible()).toBe(false)
    await row.getByText(t.showMany(40)).click()
    await row.getByText(t.items.no_target('nowhere-17', 'default')).scrollIntoViewIfNeeded()
    expect(await row.getByRole('link', { name: t.open.model }).count()).toBe(40)
  })

  test('a dead credential takes two clicks to its new secret', async () => {
    const { page, click, clicks } = await atOperations()
    await click(rowsOf(page, t.items.credential_held('default', 'dead')).getByRole('link'))
    await click(page.getByRole('button', { name: `${u.replace} default` }))
    await fill(page.getByRole('dialog'), u.replacing.secret, SECRET)
    expect(clicks()).toBe(2)
    await page.getByRole('dialog').getByRole('button', { name: u.replacing.action }).click()
    await hears(page, u.replacing.done('default'))
  })

  test('an account out of credit takes two clicks to more', async () => {
    const { page, click, clicks } = await atOperations()
    await click(rowsOf(page, t.items.no_balance(poor.email)).getByRole('link'))
    await click(page.getByRole('button', { name: a.credit.action, exact: true }))
    await fill(page.getByRole('dialog'), a.credit.amount, '5')
    expect(clicks()).toBe(2)
  })

  test('a price ten times off takes one click to its model', async () => {
    const { page, click, clicks } = await atOperations()
    await click(rowsOf(page, 'claude-opus-4-5').getByRole('link'))
    await arrives(page, p.title)
    await reads(content(page), 'claude-opus-4-5')
    expect(clicks()).toBe(1)
  })
})

test.each(walkedIn('zh-CN'))(
  'a new place has a button for each step that is left, in $language',
  async ({ language, operations }) => {
    const place = await startPlaceIn(await temporaryDirectory(), { TOLLGATE_DEMO: '0' })
    onTestFinished(() => place.stop())
    const root = await place.person({ role: 'admin' })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin')
    const setup = page.getByRole('region', { name: operations.setup.title })
    await eventually(() => setup.getByRole('link').count()).toBe(4)
    await setup.getByRole('link', { name: operations.setup.go.answered }).click()
    await eventually(() => page.url()).toMatch(/\/overview/)
  },
)
