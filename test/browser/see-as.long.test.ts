import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, fill, hears, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'

// An admin sees the console of an account as its owner does, and the owner is shown it.

let place: OwnPlace
let root: Person
beforeAll(async () => {
  place = await startPlace()
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

test.each(walkedIn('en'))(
  'an admin sees keys, usage and billing of an account, changes nothing, and ends it, in $language',
  async (texts) => {
    const { language, shell, shared, accounts, keys, account: ownTexts } = texts
    const owner = await place.person({ balance: '7.5' })
    const { body } = await owner.ask('POST', '/api/keys', { name: 'of-the-owner', group: 'default' })
    await place.call(body.secret)
    const reason = `question ${Math.random()}`

    const { page, open } = await visit(place, { language, as: root })
    await open(`/admin/accounts/${owner.id}`)
    await press(content(page), accounts.seeAs.action)
    const dialog = page.getByRole('dialog', { name: accounts.seeAs.title(owner.email) })
    await fill(dialog, accounts.seeAs.reason, reason)
    await press(dialog, accounts.seeAs.submit)

    await arrives(page, shared.pages.overview)
    await reads(content(page), shell.seeing.title(owner.email))
    expect(await page.getByRole('navigation', { name: shared.sides.label }).count()).toBe(0)
    for (const path of ['/usage', '/billing', '/keys']) {
      await open(path)
      await reads(content(page), shell.seeing.title(owner.email))
    }
    await content(page).getByRole('link', { name: 'of-the-owner', exact: true }).first().waitFor()

    // What would change something is refused by the server.
    await press(content(page), keys.actionsOf('of-the-owner'))
    await page.getByRole('menuitem', { name: keys.disable, exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: keys.confirm.disableAction, exact: true }).click()
    await page.getByText(texts.problems.see_as_read_only).first().waitFor()
    expect((await owner.ask('GET', `/api/keys/${body.key.id}`)).body.status).toBe('active')

    await open('/overview')
    await press(content(page), shell.seeing.end)
    await arrives(page, owner.email)
    expect(
      (await root.ask('GET', '/api/audit?limit=2')).body.data.map((each: { action: string }) => each.action),
    ).toEqual(['account.see_as_end', 'account.see_as'])

    const own = await visit(place, { language, as: owner })
    await own.open('/account?section=security')
    await reads(own.page.getByRole('region', { name: ownTexts.visits.title }), reason)
  },
)

test.each(walkedIn('zh-CN'))('the owner is notified by the bell, in $language', async ({ language, shell, shared }) => {
  const owner = await place.person()
  await root.ask('POST', `/api/accounts/${owner.id}/see-as`, { reason: 'the bell' })
  const { page, open } = await visit(place, { language, as: owner })
  await open('/billing')
  // That the balance is empty is the other notice.
  await page.getByRole('button', { name: shared.notifications(2), exact: true }).click()
  await reads(page.getByRole('dialog', { name: shell.notices.title }), shell.notices.visit)
  await reads(page.getByRole('dialog', { name: shell.notices.title }), 'the bell')
})

test.each(walkedIn('en'))(
  'an admin captures what a key sends and gets, which its owner is shown, in $language',
  async (texts) => {
    const { language, captures: t, key: keyTexts, keys: keysTexts } = texts
    await root.ask('PATCH', '/api/settings', { capture_requests: false })
    const owner = await place.person({ balance: '7.5' })
    const { body } = await owner.ask('POST', '/api/keys', { name: 'captured', group: 'default' })
    const { id } = body.key

    const { page, open } = await visit(place, { language, as: root })
    await open(`/keys/${id}`)
    const part = page.getByRole('region', { name: t.title, exact: true })
    await reads(part, t.off)
    await root.ask('PATCH', '/api/settings', { capture_requests: true })
    await open(`/keys/${id}`)
    await press(part, t.begin)
    const dialog = page.getByRole('alertdialog', { name: t.confirm.title('captured') })
    await reads(dialog, t.confirm.seen)
    await press(dialog, t.confirm.action)
    await dialog.waitFor({ state: 'detached' })
    await reads(part, t.running(0, 20))

    const own = await visit(place, { language, as: owner })
    await own.open('/keys')
    await reads(content(own.page), keysTexts.captured('').trim())
    await own.open(`/keys/${id}`)
    await reads(content(own.page), keyTexts.detail.capturedWhat)
    await reads(
      own.page.getByRole('region', { name: keyTexts.detail.history }),
      keyTexts.detail.actions['key.capture'] ?? '',
    )
    expect(await own.page.getByRole('region', { name: t.title, exact: true }).count()).toBe(0)

    await place.call(body.secret)
    await reads(part, t.running(1, 20))
    await press(part, t.end)
    await reads(part, t.ended.admin)
    await part.getByRole('list', { name: t.list }).getByRole('button').first().click()
    const drawer = page.getByRole('dialog', { name: t.request.title })
    await reads(drawer, '"messages"')
    await drawer.getByRole('tab', { name: t.request.attempt(1) }).click()
    await reads(drawer, t.request.providerResponse)
    const audit = await root.ask('GET', `/api/audit?subject=${id}&action=key.capture_read`)
    expect(audit.body.data).toHaveLength(1)
  },
)

test.each(walkedIn('zh-CN'))(
  'an admin raises the quota of a key until a time, which its owner reads, and ends the raise, in $language',
  async ({ language, key: { detail: t }, keys: { objections } }) => {
    const owner = await place.person({ balance: '7.5' })
    const wish = { name: 'raised', group: 'default', quota_limit: '10' }
    const { id } = (await owner.ask('POST', '/api/keys', wish)).body.key
    const quota = async () => {
      const { body } = await owner.ask('GET', `/api/keys/${id}`)
      return [body.quota_limit, body.quota_raise?.limit]
    }
    const { page, open } = await visit(place, { language, as: root })
    await open(`/keys/${id}`)
    const part = page.getByRole('region', { name: t.limits, exact: true })
    await press(part, t.raise.action)
    const dialog = page.getByRole('dialog', { name: t.raise.title('raised') })
    const sending = async (limit: string, until: string) => {
      await fill(dialog, t.raise.limit, limit)
      await fill(dialog, t.raise.until, until)
      await press(dialog, t.raise.submit)
    }
    const next = new Date().getFullYear() + 1
    await sending('many', `${next - 3}-01-01T08:30`)
    await reads(dialog, objections.amount_unreadable)
    await reads(dialog, t.raise.inFuture)
    await sending('10.00', `${next + 2}-01-01T08:30`)
    await reads(dialog, t.raise.above('').slice(0, 4))
    await reads(dialog, t.raise.withinYear)
    await sending('25', `${next}-01-01T08:30`)
    await dialog.waitFor({ state: 'detached' })
    await reads(part, '$25.00')
    expect(await quota()).toEqual(['25', '10'])

    const own = await visit(place, { language, as: owner })
    await own.open(`/keys/${id}`)
    const ownPart = own.page.getByRole('region', { name: t.limits, exact: true })
    await reads(ownPart, t.raise.standing('', '').slice(0, 6))
    expect(await ownPart.getByRole('button').count()).toBe(0)
    await reads(own.page.getByRole('region', { name: t.history }), t.actions['key.raise_quota'] ?? '')

    await press(part, t.raise.end)
    await hears(page, t.raise.ended('raised'))
    await readsNoMore(part, '$25.00')
    expect(await quota()).toEqual(['10', undefined])
    await reads(page.getByRole('region', { name: t.history }), t.actions['key.end_raise'] ?? '')
  },
)
