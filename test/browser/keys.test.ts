import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Texts, walkedIn } from './languages.ts'
import { pressTwice } from './lost-answer.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, hears, press, reads, readsNoMore, unfold } from './reading.ts'
import { visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
  await place.admin('POST', '/api/groups', { name: 'half', multiplier: '0.5', models: ['demo/echo'] })
})
afterAll(() => place.stop())

async function newKey(owner: Person, name: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const { body } = await owner.ask('POST', '/api/keys', { name, group: 'default', ...more })
  return { id: body.key.id, secret: body.secret }
}

const keysOf = async (owner: Person) => (await owner.ask('GET', '/api/keys')).body.data

/** Chooses from the menu of one key's row. */
async function choose(page: Page, { keys }: Texts, [name, item]: [name: string, item: string]): Promise<void> {
  await page.getByRole('button', { name: keys.actionsOf(name), exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The secret on a dialog that shows one. */
async function shownSecret(dialog: Locator): Promise<string> {
  return /sk-tg-\w{46}/.exec(await dialog.innerText())?.[0] ?? ''
}

describe.each(walkedIn('en'))('in $language', (texts) => {
  const { language, faults, key, keys, shared } = texts

  longTest(
    'a key of an account whose keys must end is proposed to end as late as it may, and never to stay valid',
    async () => {
      const eve = await place.person({ balance: '5' })
      await place.admin('PATCH', `/api/accounts/${eve.id}`, { limits: { max_key_validity_days: 60 } })
      const { page, open } = await visit(place, { language, as: eve })
      const limitsCome = Promise.withResolvers<void>()
      await page.route('**/api/me/limits', (route) => limitsCome.promise.then(() => route.continue()))
      await open('/keys')
      const form = page.getByRole('dialog', { name: keys.form.title })
      const create = async (name: string): Promise<void> => {
        await fill(form, keys.form.name, name)
        await press(form, keys.form.submit)
      }
      // Sent before it is known how long it may be valid.
      await page.getByRole('button', { name: keys.create, exact: true }).first().click()
      await create('early')
      limitsCome.resolve()
      await page.getByRole('dialog', { name: keys.secret.title('early') }).waitFor()
      await open('/keys')
      await page.getByRole('button', { name: keys.create, exact: true }).first().click()
      await reads(form, keys.form.validAtMost(60))
      const choice = (name: string): Locator => form.getByRole('radio', { name, exact: true })
      const { days, permanent } = keys.form.validities
      expect(await choice(days(60)).isChecked()).toBe(true)
      expect(await Promise.all([permanent, days(90)].map((name) => choice(name).count()))).toEqual([0, 0])
      await create('ends')
      await page.getByRole('dialog', { name: keys.secret.title('ends') }).waitFor()
      const made: { expires_at: string }[] = await keysOf(eve)
      const daysAhead = made.map(({ expires_at: end }) => (Date.parse(end) - Date.now()) / 86_400_000)
      expect(daysAhead.map(Math.round)).toEqual([60, 60])
    },
  )

  longTest('a key of such an account whose answer was lost is the same one when it is sent again', async () => {
    const fay = await place.person({ balance: '5' })
    await place.admin('PATCH', `/api/accounts/${fay.id}`, { limits: { max_key_validity_days: 60 } })
    const { page, open } = await visit(place, { language, as: fay })
    await open('/keys')
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await reads(form, keys.form.validAtMost(60))
    await fill(form, keys.form.name, 'lost')
    const sent = await pressTwice(form, keys.form.submit, '**/api/keys')
    expect(sent).toEqual([sent[0], sent[0]])
    const made = page.getByRole('dialog', { name: keys.secret.title('lost') })
    await reads(made, keys.secret.lost)
    expect(await keysOf(fay)).toHaveLength(1)
  })

  longTest(
    'a name that was proposed is the same at the next try, where the answer to the first was lost and keys were read again since',
    async () => {
      const gus = await place.person({ balance: '5' })
      const { page, open } = await visit(place, { language, as: gus })
      await page.clock.install()
      await open('/keys')
      await page.getByRole('button', { name: keys.create, exact: true }).first().click()
      const form = page.getByRole('dialog', { name: keys.form.title })
      const name = field(form, keys.form.name)
      await eventually(() => name.inputValue()).not.toBe('')
      const proposed = await name.inputValue()
      const sent: (string | null)[] = []
      await page.route('**/api/keys', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        sent.push(route.request().postData())
        if (sent.length > 1) return route.fallback()
        await route.fetch()
        return route.abort()
      })
      await press(form, keys.form.submit)
      await eventually(async () => (await keysOf(gus)).length).toBe(1)
      const send = form.getByRole('button', { name: keys.form.submit, exact: true })
      await eventually(() => send.getAttribute('aria-busy')).toBe(null)
      // Who comes back to the window later has the keys read again: the name is taken now, by the key of the first try.
      await page.clock.fastForward(60_000)
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
      const [{ secret_end: end }] = await keysOf(gus)
      const isTaken = form.getByText(keys.form.nameTaken(proposed, end), { exact: true })
      await eventually(async () => (await isTaken.count()) > 0 || (await name.inputValue()) !== proposed).toBe(true)
      expect(await name.inputValue()).toBe(proposed)
      await send.click()
      await eventually(() => sent.length).toBe(2)
      expect(sent).toEqual([sent[0], sent[0]])
      await eventually(() => form.count()).toBe(0)
      expect(await keysOf(gus)).toHaveLength(1)
    },
  )

  test('a key is created with every option, its secret is shown once, and closing asks until it was saved', async () => {
    const ada = await place.person({ balance: '5' })
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/keys')
    await arrives(page, shared.pages.keys)
    await reads(content(page), keys.empty.title)
    await page.getByRole('button', { name: keys.create, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: keys.form.title })
    await form.getByRole('radio', { name: /^half/ }).check()
    // A name is proposed, and may be another.
    await eventually(() => field(form, keys.form.name).inputValue()).toMatch(/./)
    await fill(form, keys.form.name, '')
    await press(form, keys.form.submit)
    await reads(form, keys.objections.required)
    await fill(form, keys.form.name, 'laptop')
    await form.getByRole('radio', { name: keys.form.validities.days(30) }).check()
    await unfold(form, keys.form.moreSummary)
    await fill(form, keys.form.quota, '12.50')
    await form.getByLabel(keys.form.quotaReset).selectOption({ label: keys.form.resets.monthly })
    await fill(form, keys.form.counts.concurrency, '3')
    await fill(form, keys.form.counts.requests_per_minute, '60')
    await fill(form, keys.form.counts.tokens_per_minute, 'many')
    await fill(form, keys.form.windows['5h'], '2')
    await fill(form, keys.form.ips, '127.0.0.0/8\n10.1.2.3')
    await pick(form.getByRole('combobox', { name: keys.form.models }), 'demo/echo')
    await pick(form.getByRole('combobox', { name: keys.form.fallback }), 'default')
    await press(form, keys.form.submit)
    await reads(form, keys.objections.count_unreadable)
    await fill(form, keys.form.counts.tokens_per_minute, '100000')
    await reads(form.getByRole('note', { name: keys.summaryLabel }), 'laptop')
    await press(form, keys.form.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.title('laptop') })
    await reads(shown, keys.secret.once)
    const secret = await shownSecret(shown)
    expect(secret).toMatch(/^sk-tg-\w{46}$/)
    await press(shown, shared.close)
    const question = page.getByRole('alertdialog', { name: keys.secret.leaveTitle })
    await press(question, keys.secret.stay)
    await press(shown, keys.secret.copy)
    await eventually(() => copied.at(-1)).toBe(secret)
    await eventually(() => shown.getByRole('checkbox', { name: keys.secret.saved }).isChecked()).toBe(true)
    await press(shown, keys.secret.done)
    await shown.waitFor({ state: 'detached' })
    expect(await keysOf(ada)).toMatchObject([
      {
        name: 'laptop',
        group: 'half',
        fallback_groups: ['default'],
        quota_limit: '12.5',
        quota_reset: 'monthly',
        rate_limit: {
          concurrency: 3,
          requests_per_minute: 60,
          tokens_per_minute: 100_000,
          spend: [{ window: '5h', usd: '2' }],
        },
        allowed_models: ['demo/echo'],
        allowed_ips: ['127.0.0.0/8', '10.1.2.3/32'],
      },
    ])
    expect((await place.call(secret)).status).toBe(200)
  })

  longTest(
    'a secret of one’s own takes a switch, a bad one is refused at its field, and a name that is taken is said',
    async () => {
      const ada = await place.person()
      const { key: twin } = (await ada.ask('POST', '/api/keys', { name: 'Moved', group: 'default' })).body
      const { page, open } = await visit(place, { language, as: ada })
      await open('/keys')
      await page.getByRole('button', { name: keys.create, exact: true }).first().click()
      const form = page.getByRole('dialog', { name: keys.form.title })
      await fill(form, keys.form.name, 'moved')
      await reads(form, keys.form.nameTaken('Moved', twin.secret_end))
      await unfold(form, keys.form.moreSummary)
      await form.getByRole('switch', { name: keys.form.custom }).check()
      await fill(form, keys.form.customKey, 'short')
      await press(form, keys.form.submit)
      await reads(form, keys.objections.custom_form)
      await fill(form, keys.form.customKey, 'aaaaaaaaaaaaaaaaaaaaaaaa')
      await press(form, keys.form.submit)
      await eventually(() => field(form, keys.form.customKey).getAttribute('aria-invalid')).toBe('true')
      const secret = `moved-${language}-7Qx9vK2mW4pR8tZ1`
      await fill(form, keys.form.customKey, secret)
      await press(form, keys.form.submit)
      await page.getByRole('dialog', { name: keys.secret.title('moved') }).waitFor()
      const [made] = (await keysOf(ada)).filter(({ name }: { name: string }) => name === 'moved')
      expect(made).toMatchObject({ secret_end: secret.slice(-4) })
    },
  )

  test('a key is edited, rotated with overlap, tested, disabled, enabled and deleted', async () => {
    const ada = await place.person({ balance: '5' })
    const old = await newKey(ada, 'build server')
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    await choose(page, texts, ['build server', keys.edit])
    const form = page.getByRole('dialog', { name: keys.form.editTitle('build server') })
    await fill(form, keys.form.name, 'builder')
    await press(form, shared.save)
    await hears(page, keys.form.saved('builder'))

    await choose(page, texts, ['builder', keys.rotate])
    const rotation = page.getByRole('dialog', { name: keys.rotation.title('builder') })
    await rotation.getByRole('radio', { name: keys.rotation.overlaps.hour }).check()
    await press(rotation, keys.rotation.submit)
    const shown = page.getByRole('dialog', { name: keys.secret.rotatedTitle('builder') })
    await shown.waitFor()
    const secret = await shownSecret(shown)
    await shown.getByRole('checkbox', { name: keys.secret.saved }).check()
    await press(shown, keys.secret.done)
    expect([(await place.call(old.secret)).status, (await place.call(secret)).status]).toEqual([200, 200])
    await reads(content(page), old.secret.slice(-4))

    await choose(page, texts, ['builder', keys.test])
    await arrives(page, 'builder')
    await reads(page.getByRole('region', { name: key.testing.title, exact: true }), keys.testing.good(3))
    await page.goBack()

    await choose(page, texts, ['builder', keys.disable])
    await press(page.getByRole('alertdialog'), keys.confirm.disableAction)
    await reads(page.getByRole('region', { name: keys.list }), keys.statuses.disabled)
    expect((await place.call(secret)).status).toBe(401)
    await choose(page, texts, ['builder', keys.enable])
    await reads(page.getByRole('region', { name: keys.list }), keys.statuses.active)
    expect((await place.call(secret)).status).toBe(200)

    await choose(page, texts, ['builder', keys.delete])
    const question = page.getByRole('alertdialog', { name: keys.confirm.deleteTitle('builder') })
    await press(question, shared.cancel)
    await choose(page, texts, ['builder', keys.delete])
    await press(question, keys.confirm.deleteAction)
    await reads(content(page), keys.empty.title)
    expect((await place.call(secret)).status).toBe(401)
  })

  longTest('many keys are searched, filtered, sorted and changed at once, and the address keeps the view', async () => {
    const ada = await place.person()
    for (const name of ['apple', 'banana', 'cherry']) await newKey(ada, name)
    await newKey(ada, 'pear', { group: 'half' })
    const { page, open } = await visit(place, { language, as: ada })
    await open('/keys')
    const table = page.getByRole('region', { name: keys.list })
    const names = async () => {
      const rows = await table.getByRole('row').allInnerTexts()
      return rows.slice(1).map((row) => row.trim().split(/\s/)[0])
    }
    await eventually(names).toEqual(['pear', 'cherry', 'banana', 'apple'])
    await table.getByRole('button', { name: keys.columns.name, exact: true }).click()
    await eventually(names).toEqual(['apple', 'banana', 'cherry', 'pear'])
    // Of amounts and times the most and the latest come first.
    for (const [column, sort] of [
      [keys.columns.spent, '-spent'],
      [keys.columns.lastUsed, '-last_used_at'],
      [keys.columns.expires, '-expires_at'],
    ] as const) {
      await table.getByRole('button', { name: column, exact: true }).click()
      await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe(sort)
    }
    await table.getByRole('button', { name: keys.columns.name, exact: true }).click()
    await eventually(names).toEqual(['apple', 'banana', 'cherry', 'pear'])
    // Long enough not to stand by chance in what is shown of a secret, which is searched too.
    await page.getByRole('searchbox', { name: keys.search }).fill('anan')
    await eventually(names).toEqual(['banana'])
    await eventually(() => new URL(page.url()).searchParams.toString()).toContain('anan')
    await press(page, shared.table.clearFilters)
    await page.getByRole('combobox', { name: keys.columns.group }).selectOption('half')
    await eventually(names).toEqual(['pear'])
    await page.reload()
    await eventually(names).toEqual(['pear'])
    await page.goBack()
    await eventually(async () => (await names()).length).toBe(4)
    await page.getByRole('button', { name: shared.table.menu }).click()
    await page.getByRole('menuitemcheckbox', { name: keys.columns.expires }).click()
    await page.keyboard.press('Escape')
    await table.getByRole('columnheader', { name: keys.columns.expires }).waitFor({ state: 'detached' })
    for (const name of ['apple', 'cherry']) {
      await page.getByRole('checkbox', { name: shared.table.selectRow(name) }).check()
    }
    await press(page, keys.disable)
    await press(page.getByRole('alertdialog'), keys.confirm.bulkDisableAction(2))
    await hears(page, keys.confirm.bulkDone(2))
    await page.getByRole('combobox', { name: keys.columns.status }).selectOption('disabled')
    await eventually(async () => new Set(await names())).toEqual(new Set(['apple', 'cherry']))
    await page.getByRole('checkbox', { name: shared.table.selectAll }).check()
    await press(page, keys.delete)
    await press(page.getByRole('alertdialog'), keys.confirm.bulkDeleteAction(2))
    await reads(content(page), shared.table.nothingFits)
    expect((await keysOf(ada)).map(({ name }: { name: string }) => name)).toEqual(['pear', 'banana'])
  })

  test('“use key” shows each client with this key’s models, and the pasted secret fills it in', async () => {
    const ada = await place.person()
    const { secret } = await newKey(ada, 'laptop')
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/keys')
    await page.getByRole('button', { name: keys.useOf('laptop') }).click()
    const drawer = page.getByRole('dialog', { name: keys.setUp.drawerTitle('laptop') })
    await drawer.getByRole('radio', { name: 'Claude Code' }).check()
    await reads(drawer, `ANTHROPIC_BASE_URL=`)
    await fill(drawer, keys.setUp.secretEntry, secret.slice(0, -3))
    await reads(drawer, keys.setUp.fits.incomplete)
    await fill(drawer, keys.setUp.secretEntry, secret)
    await reads(drawer, keys.setUp.fits.fits)
    await reads(drawer, secret)
    const systems = drawer.getByRole('tablist', { name: keys.setUp.system })
    await systems.getByRole('tab', { name: 'PowerShell' }).click()
    await reads(drawer, '$env:ANTHROPIC_BASE_URL')
    await drawer.getByRole('radio', { name: 'Codex', exact: true }).check()
    await reads(drawer, 'model_providers')
    await drawer.getByRole('radio', { name: 'curl' }).check()
    await drawer.getByRole('combobox', { name: keys.setUp.model }).selectOption('demo/reasoner')
    await systems.getByRole('tab').first().click()
    for (const button of await drawer.getByRole('button', { name: shared.copyItem(keys.setUp.terminal) }).all()) {
      if (await button.isVisible()) await button.click()
    }
    await eventually(() => copied.join('\n')).toContain('demo/reasoner')
    expect(copied.join('\n')).toContain(secret)
    expect(copied.join('\n')).toContain(`${place.origin}/v1`)
    await press(drawer, shared.close)
    await drawer.waitFor({ state: 'detached' })
    await readsNoMore(page.getByRole('main'), secret)
  })

  longTest('import links name the app, the address and the model, and say what to do when nothing opens', async () => {
    const ada = await place.person()
    const { secret } = await newKey(ada, 'laptop')
    const { page, open, copied } = await visit(place, { language, as: ada })
    await open('/keys')
    await choose(page, texts, ['laptop', keys.import])
    const drawer = page.getByRole('dialog', { name: keys.importing.drawerTitle('laptop') })
    await drawer.getByRole('radio', { name: 'CC Switch' }).check()
    await reads(drawer, keys.importing.needsSecret)
    await fill(drawer, keys.setUp.secretEntry, secret)
    await drawer.getByRole('radio', { name: 'Codex', exact: true }).check()
    await press(drawer, keys.importing.copyLink)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^ccswitch:/)
    const link = new URL(copied.at(-1) ?? '')
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      resource: 'provider',
      app: 'codex',
      endpoint: `${place.origin}/v1`,
      apiKey: secret,
    })
    await drawer.getByRole('radio', { name: 'Cherry Studio' }).check()
    await press(drawer, keys.importing.copyLink)
    await eventually(() => copied.at(-1) ?? '').toMatch(/^cherrystudio:/)
  })

  test('a test message is a real request: where it stopped is said, then what the model answered and what that cost', async () => {
    const ada = await place.person()
    const { id } = await newKey(ada, 'laptop')
    const { page, open } = await visit(place, { language, as: ada })
    await open(`/keys/${id}`)
    await field(content(page), key.message.model).selectOption('demo/echo')
    await reads(content(page), key.message.about('demo/echo'))
    await press(page, key.message.send)
    await reads(content(page), key.message.stopped(key.message.stages.funds, faults.balance_exhausted.title))
    await place.admin('POST', `/api/accounts/${ada.id}/ledger`, { amount: '5', reason: 'for a test', kind: 'credit' })
    await press(page, key.message.send)
    await reads(content(page), key.message.answered('demo/echo'))
    const { data } = (await ada.ask('GET', `/api/usage?key=${id}`)).body
    expect(data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['completed', 'refused'])
    await page.getByRole('link', { name: key.message.record, exact: true }).click()
    await reads(page.getByRole('dialog'), data[0].id)
  })
})

/** Types into a box with choices and takes the one of this name. */
async function pick(box: Locator, name: string): Promise<void> {
  await box.fill(name)
  await box.page().getByRole('option', { name }).click()
}
