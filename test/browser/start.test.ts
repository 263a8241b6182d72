import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LANGUAGES, type Texts, walkedIn } from './languages.ts'
import { pressTwice } from './lost-answer.ts'
import { type Place, sharedPlace, startPlace } from './place.ts'
import { arrives, content, eventually, fill, hears, press, reads, readsNoMore, unfold } from './reading.ts'
import { visit } from './visit.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { longTest } from '../support/run/long-test.ts'

const run = promisify(execFile)

/** Where each test has a person of its own. */
let place: Place
beforeAll(async () => {
  place = await sharedPlace()
})

/** Starts a place for what happens once in the life of an installation. */
async function newPlace(): Promise<Place> {
  const fresh = await startPlace()
  onTestFinished(() => fresh.stop())
  return fresh
}

/** Takes the first key as it is proposed, and returns the block for curl as it is copied. */
async function copyBlock(page: Page, { start, shared }: Texts, copied: readonly string[]): Promise<string> {
  await press(page, start.key.create)
  await page.getByRole('radio', { name: 'curl', exact: true }).check()
  await press(page, shared.copyItem(start.enter.terminal))
  await eventually(() => copied.at(-1) ?? '').toContain('curl')
  return copied.at(-1) ?? ''
}

/** The heights of what stands on the page for words that are to come, CSS pixels. */
function heightsOfSlabs(page: Page): Promise<readonly number[]> {
  return content(page).evaluate((main) => {
    const leaves = (of: typeof main): (typeof main)[] => {
      const parts = [...of.children] as (typeof main)[]
      return parts.length === 0 ? [of] : parts.flatMap((each) => leaves(each))
    }
    const slabs = leaves(main).filter((each) => each.textContent === '' && each.closest('[aria-hidden]') !== null)
    return slabs.map((slab) => slab.getBoundingClientRect().height)
  })
}

test.each([320, 360].flatMap((width) => LANGUAGES.map(({ language, outside }) => ({ width, language, outside }))))(
  'which account there is until one is chosen stands whole on lines of its own, at $width px in $language',
  async ({ width, language, outside: { setUp } }) => {
    const { page } = await visit(place, { language, width })
    await page.goto(place.setUpLink)
    const hint = page.getByText(setUp.chooseHint('admin@localhost'), { exact: true })
    const { y = 0, height = 0 } = (await page.getByText(setUp.choose, { exact: true }).boundingBox()) ?? {}
    const box = await hint.boundingBox()
    expect(box?.y).toBeGreaterThan(y + height)
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? Infinity) <= width).toBe(true)
    const cutPx = await hint.evaluate((text) => [
      text.scrollWidth - text.clientWidth,
      text.scrollHeight - text.clientHeight,
    ])
    expect(cutPx.every((px) => px <= 0)).toBe(true)
  },
)

describe.each(walkedIn('en'))('in $language', (texts) => {
  const { language, start, outside, shared, faults, refusals } = texts

  longTest(
    'the first key of an account whose keys must end is valid for as long as they may be, and one key also where an answer was lost',
    async () => {
      const eva = await place.person({ balance: '1' })
      await place.admin('PATCH', `/api/accounts/${eva.id}`, { limits: { max_key_validity_days: 30 } })
      const { page, open } = await visit(place, { language, as: eva })
      await open('/overview')
      await reads(content(page), start.key.about({ name: 'default', multiplier: '1' }, 3, 30))
      const sent = await pressTwice(content(page), start.key.create, '**/api/keys')
      await page.getByRole('button', { name: start.key.newSecret, exact: true }).waitFor()
      expect(sent).toEqual([sent[0], sent[0]])
      const { body } = await eva.ask('GET', '/api/keys')
      expect(body.data).toHaveLength(1)
      expect(Date.parse(body.data[0].expires_at)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    },
  )

  test('from the one-time link over the first key to a call that turns the line green', async () => {
    const fresh = await newPlace()
    const { page, open, copied } = await visit(fresh, { language })
    await page.goto(fresh.setUpLink)
    await reads(content(page), outside.setUp.chooseHint('admin@localhost'))
    await press(page, outside.setUp.actionDemo)
    await arrives(page, shared.pages.overview)
    expect(page.url()).not.toContain('#')
    // The account of the link has no password, and the place nothing but the demo.
    await reads(content(page), shared.noPassword.text)
    await page.getByRole('region', { name: start.provider.title }).getByRole('link').waitFor()
    // The first start has made a key, whose secret it printed: of the three ways on, one is offered at first.
    await page.getByRole('button', { name: start.key.newSecret, exact: true }).waitFor()
    const another = page.getByRole('button', { name: start.key.another, exact: true })
    expect(await another.isVisible()).toBe(false)
    await unfold(content(page), start.key.otherWays)
    await press(page, start.key.another)
    const block = await copyBlock(page, texts, copied)
    await reads(page.getByRole('list', { name: start.steps }), start.record.waiting)
    await run('bash', ['-c', block], { timeout: PATIENCE_MS })
    await hears(page, start.success.title)
    await reads(page.getByRole('main'), 'demo/echo')
    // Eleven apps would be too much at this moment: they are folded.
    const chatbox = page.getByRole('radio', { name: 'Chatbox', exact: true })
    expect(await chatbox.count()).toBe(0)
    await unfold(content(page), start.success.second)
    await chatbox.check()
    await press(page, texts.keys.importing.copyLink)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^chatbox:/)
    await page.getByRole('link', { name: start.success.details }).click()
    await arrives(page, shared.pages.usage)
    // From now on home is where the account is looked over.
    await page.getByRole('link', { name: shared.pages.overview, exact: true }).first().click()
    await arrives(page, shared.pages.overview)
    await reads(page.getByRole('region', { name: texts.overview.requests.title }), 'demo/echo')
    // An address of earlier versions leads to where its content is now.
    await open('/start?another=1#content')
    await arrives(page, texts.overview.setUp)
    expect(new URL(page.url())).toMatchObject({ pathname: '/console/overview', hash: '#content' })
    await page.getByRole('button', { name: start.key.create, exact: true }).waitFor()
    const again = await visit(fresh, { language })
    await again.page.goto(fresh.setUpLink)
    await reads(again.page.getByRole('main'), texts.problems.link_invalid)
  })

  longTest(
    'who has no credit redeems a code before the first step, is warned beside the keys until then, and sees lines while the steps come',
    async () => {
      const eva = await place.person()
      const { body: made } = await place.admin('POST', '/api/redeem-codes', { amount: '3' })
      const { page, open } = await visit(place, { language, as: eva })
      await open('/keys')
      const warning = content(page).getByText(texts.keys.noCredit.text, { exact: true })
      await warning.waitFor()
      let [areHeld, goOn] = [true, () => {}]
      const held = new Promise<void>((resolve) => (goOn = resolve))
      await page.route('**/api/keys?*', async (route) => {
        if (areHeld) await held
        await route.continue()
      })
      await open('/overview')
      await arrives(page, shared.pages.overview)
      await eventually(async () => (await heightsOfSlabs(page)).length).toBeGreaterThan(10)
      expect(Math.max(...(await heightsOfSlabs(page)))).toBeLessThan(30)
      areHeld = false
      goOn()
      const steps = page.getByRole('list', { name: start.steps }).getByRole('listitem')
      await reads(steps.first(), start.credit.why)
      const form = steps.first().getByRole('form', { name: texts.billing.redeem.title })
      await fill(form, texts.billing.redeem.code, made.codes[0])
      await press(form, texts.billing.redeem.action)
      await reads(steps.first(), texts.billing.redeem.balance('$3.00'))
      await readsNoMore(steps.first(), start.credit.why)
      await open('/keys')
      await arrives(page, shared.pages.keys)
      await reads(content(page), texts.keys.empty.title)
      expect(await warning.count()).toBe(0)
    },
  )

  test('a test message takes one press, says what was answered, and leads on to the client, whose steps stay', async () => {
    const bo = await place.person({ balance: '1' })
    const { page, open } = await visit(place, { language, as: bo })
    await open('/overview')
    await press(page, start.key.create)
    const steps = page.getByRole('list', { name: start.steps })
    await reads(steps, start.record.waiting)
    await press(steps, texts.key.message.send)
    await hears(page, texts.key.message.answered('demo/echo'))
    // The demo repeats what it was asked.
    await reads(steps.getByRole('blockquote'), /word|Hello/i)
    await press(steps, start.message.setUp('Claude Code'))
    await eventually(() => page.evaluate('document.activeElement?.textContent')).toBe(start.client.title)
    await reads(steps, start.record.waiting)
    // The link to this very page leads on to what there is to look over now.
    await press(page, shared.copyItem(start.enter.terminal))
    await page.getByRole('link', { name: shared.pages.overview, exact: true }).first().click()
    await reads(page.getByRole('region', { name: texts.overview.requests.title }), 'demo/echo')
    await open('/overview')
    await page.getByRole('link', { name: texts.overview.setUp, exact: true }).waitFor()
  })

  longTest('tries that fail are shown with cause and remedy, one after the other, until one works', async () => {
    const ada = await place.person()
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/overview')
    const block = await copyBlock(page, texts, copied)
    const secret = /sk-tg-\w{46}/.exec(block)?.[0] ?? ''
    const hello = { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }
    const { body: keys } = await ada.ask('GET', '/api/keys')
    const change = (settings: object) => ada.ask('PATCH', `/api/keys/${keys.data[0].id}`, settings)
    const { explain } = texts.causes
    const { fix } = refusals
    const fixes = page.getByRole('group', { name: fix.title })
    const base = `http://127.0.0.1:${new URL(place.origin).port}/v1`
    const failures = [
      {
        fault: 'key_malformed',
        facts: { mistake: 'missing', missing: 4, where: 'end', end: secret.slice(-8, -4) },
        try: () => place.call(secret.slice(0, -4)),
        fix: fix.rotate,
      },
      {
        fault: 'key_malformed',
        facts: { mistake: 'quoted', end: secret.slice(-4) },
        try: () => place.call(`"${secret}"`),
        fix: null,
      },
      {
        fault: 'base_url_wrong',
        facts: { enter: base },
        try: () => place.call(secret, hello, '/v1/chat/completions/chat/completions'),
        fix: fix.copyUrl(base),
      },
      {
        fault: 'path_unknown',
        facts: { path: '/v2/foo', origin: base.slice(0, -3) },
        try: () => place.call(secret, hello, '/v2/foo'),
        fix: fix.copyUrl(base),
      },
      {
        fault: 'model_unknown',
        facts: { model: 'demo/ecko', near: ['demo/echo'] },
        try: () => place.call(secret, { ...hello, model: 'demo/ecko' }),
        fix: fix.copyModel('demo/echo'),
      },
      {
        fault: 'balance_exhausted',
        facts: null,
        try: () => place.call(secret),
        fix: null,
      },
    ] as const
    for (const failure of failures) {
      const { status, body } = await failure.try()
      expect(status).toBeGreaterThanOrEqual(400)
      // Exactly what the terminal shows, and the same in the reader's language.
      await hears(page, `${refusals.callerGot} ${String(body.error.message)}`)
      await hears(page, faults[failure.fault].title)
      const said = failure.facts === null ? null : explain(failure.fault, failure.facts)
      if (said !== null) await hears(page, said.cause)
      if (failure.fix !== null) await fixes.getByRole('button', { name: failure.fix, exact: true }).waitFor()
    }
    // None of these carries a key of this gateway: they are known by the address.
    const strangers = [
      { fault: 'key_unknown', facts: { foreign: 'OpenAI' }, key: `sk-proj-${'aB3'.repeat(16)}` },
      { fault: 'key_malformed', facts: { mistake: 'checksum' }, key: `sk-tg-${'x9Y'.repeat(15)}Z` },
      { fault: 'key_malformed', facts: { mistake: 'missing', missing: 4, where: 'start' }, key: secret.slice(4) },
      { fault: 'key_missing', facts: {}, key: '' },
    ] as const
    for (const { fault, facts, key } of strangers) {
      expect((await place.call(key)).status).toBe(401)
      await hears(page, faults[fault].title)
      await hears(page, explain(fault, facts)?.cause ?? '')
    }
    await hears(page, start.record.maybeOthers)
    expect((await place.call(secret)).status).toBe(402)
    await fixes.getByRole('button', { name: fix.credit, exact: true }).waitFor()
    await fixes.getByRole('button', { name: fix.askAdmin, exact: true }).click()
    await eventually(() => copied.at(-1) ?? '').toMatch(/req_[0-9a-z]{26}/)
    await place.admin('POST', `/api/accounts/${ada.id}/ledger`, { amount: '1', reason: 'a gift', kind: 'credit' })
    // What a button can set right, it does.
    await change({ allowed_ips: ['10.0.0.0/8'] })
    expect((await place.call(secret)).status).toBe(403)
    await press(fixes, fix.allowAddress('127.0.0.1'))
    await hears(page, fix.done)
    await change({ allowed_models: ['demo/tools'] })
    expect((await place.call(secret)).status).toBe(404)
    await press(fixes, fix.allowModel('demo/echo'))
    await eventually(async () => (await ada.ask('GET', '/api/keys')).body.data[0].allowed_models).toHaveLength(2)
    await change({ quota_limit: '0' })
    expect((await place.call(secret)).status).toBe(402)
    await press(fixes, fix.editQuota)
    await eventually(() => page.evaluate<unknown>('document.activeElement?.getAttribute("name")')).toBe('quota_limit')
    await page.keyboard.press('Escape')
    await change({ quota_limit: null, status: 'disabled' })
    expect((await place.call(secret)).status).toBe(401)
    await press(fixes, fix.enable)
    await eventually(async () => (await ada.ask('GET', '/api/keys')).body.data[0].status).toBe('active')
    // Nothing has worked so far, and nothing says so.
    const reloaded = await visit(place, { language, as: ada })
    await reloaded.open('/overview')
    await reloaded.page.getByRole('list', { name: start.steps }).waitFor()
    // Without /v1, and with it twice: the gateway understands both.
    expect((await place.call(secret, hello, '/v1/v1/chat/completions')).status).toBe(200)
    await hears(page, start.success.title)
  })

  longTest('what only a newer gateway refuses is named by its code, without the server’s own sentence', async () => {
    const eva = await place.person({ balance: '1' })
    const { page, open, context } = await visit(place, { language, as: eva })
    const words = 'The words of the server.'
    const problem = { code: 'field_invalid', status: 422, title: 'x', detail: words, field: 'brand_new' }
    await context.route('**/api/keys', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 422, json: problem }) : route.fallback(),
    )
    await open('/overview')
    await press(page, start.key.create)
    await reads(content(page), /brand_new.*field_invalid/)
    await context.unroute('**/api/keys')
    await press(page, start.key.create)
    await page.getByRole('radio', { name: 'curl', exact: true }).waitFor()
    const { body: steps } = await eva.ask('GET', '/api/usage/first-steps?since=2026-01-01T00:00:00Z')
    const { body: keys } = await eva.ask('GET', '/api/keys')
    const request = {
      id: 'req_00000000000000000000000001',
      created_at: new Date().toISOString(),
      key_id: keys.data[0].id,
      key_name: 'default',
      model: 'demo/echo',
      protocol: null,
      client: null,
      outcome: 'refused',
      fault: 'brand_new_fault',
      detail: words,
      fault_facts: null,
      client_received: null,
      cost: '0',
      total_ms: 1,
    }
    await context.route('**/api/usage/first-steps*', (route) => route.fulfill({ json: { ...steps, data: [request] } }))
    await hears(page, start.record.unknownFault)
    await reads(content(page), 'brand_new_fault')
    expect(await content(page).innerText()).not.toContain(words)
  })

  longTest('leaving without the secret is asked about', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    await open('/overview')
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
