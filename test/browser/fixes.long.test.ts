import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads } from './reading.ts'
import { visit } from './visit.ts'

let place: OwnPlace
beforeAll(async () => {
  place = await startPlace()
})
afterAll(() => place.stop())

describe.each(walkedIn('zh-CN'))('in $language', ({ language, billing, diagnose, keys, prices, refusals, shared }) => {
  /** A request of the key that is refused; returns its ID. */
  async function refused(person: Person, secret: string, code: string): Promise<string> {
    await place.call(secret)
    const { body } = await person.ask('GET', '/api/usage?limit=1')
    expect(body.data[0].fault).toBe(code)
    return String(body.data[0].id)
  }

  /** The button opens the key's settings at a field; saving them lets the request through. */
  async function isFixedBy(page: Page, fix: { button: string; label: string; value: string }): Promise<void> {
    await press(page, fix.button)
    const dialog = page.getByRole('dialog', { name: keys.form.editTitle('laptop') })
    const meant = field(dialog, fix.label)
    await eventually(() => meant.inputValue()).toBe(fix.value)
    await eventually(() => meant.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true)
    await reads(dialog, refusals.fix.suggested)
    await press(dialog, shared.save)
    await dialog.waitFor({ state: 'hidden' })
    await reads(page.getByRole('dialog', { name: diagnose.title }), diagnose.healedNow)
  }

  test('what Diagnose finds is fixed there: each button does it, or opens the setting with a value that helps', async () => {
    const ada = await place.person({ balance: '5' })
    const { page, open } = await visit(place, { language, as: ada })
    const settings = { quota_limit: '0', quota_reset: 'never' }
    const { body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default', ...settings })
    const change = (patch: object) => ada.ask('PATCH', `/api/keys/${body.key.id}`, patch)

    await open(`/diagnose?request=${await refused(ada, body.secret, 'key_quota_exhausted')}`)
    await isFixedBy(page, { button: refusals.fix.editQuota, label: keys.form.quota, value: '1' })

    await change({ rate_limit: { requests_per_minute: 0 } })
    await open(`/diagnose?request=${await refused(ada, body.secret, 'rate_limited')}`)
    const label = keys.form.counts.requests_per_minute
    await isFixedBy(page, { button: refusals.fix.editRate, label, value: '60' })

    await change({ rate_limit: null, allowed_models: ['demo/tools'] })
    await open(`/diagnose?request=${await refused(ada, body.secret, 'model_not_allowed')}`)
    await press(page, refusals.fix.allowModel('demo/echo'))
    await reads(page.getByRole('dialog', { name: diagnose.title }), diagnose.healedNow)
    const { body: key } = await ada.ask('GET', `/api/keys/${body.key.id}`)
    expect(key.allowed_models).toEqual(['demo/tools', 'demo/echo'])
  })

  test('a code is redeemed where the balance was missing', async () => {
    const ada = await place.person()
    const { page, open } = await visit(place, { language, as: ada })
    const { body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const { body: made } = await place.admin('POST', '/api/redeem-codes', { amount: '3' })
    await open(`/diagnose?request=${await refused(ada, body.secret, 'balance_exhausted')}`)
    await press(page, refusals.fix.credit)
    const dialog = page.getByRole('dialog').last()
    await fill(dialog, billing.redeem.code, String(made.codes[0]))
    await press(dialog, billing.redeem.action)
    await reads(dialog, billing.redeem.newBalance('$3.00'))
    await press(dialog, shared.close)
    await reads(page.getByRole('dialog', { name: diagnose.title }), diagnose.healedNow)
  })

  test('staff enable the group or set the price themselves, by the button where others ask an admin', async () => {
    const { fix } = refusals
    const ola = await place.person({ role: 'operator', balance: '5' })
    const name = `closed-${language}`
    const unpriced = `unpriced-${language}`
    const { body: group } = await place.admin('POST', '/api/groups', {
      name,
      multiplier: '1',
      models: ['*'],
      open: true,
    })
    const targets = [{ upstream: 'demo', model: 'demo/echo' }]
    await place.admin('POST', '/api/models', { name: unpriced, targets })
    const { body } = await ola.ask('POST', '/api/keys', { name: 'laptop', group: name })
    await place.admin('PATCH', `/api/groups/${group.id}`, { enabled: false })
    const { page, open } = await visit(place, { language, as: ola })
    await open(`/diagnose?request=${await refused(ola, body.secret, 'group_disabled')}`)
    await press(page, fix.enableGroup(name))
    await reads(page.getByRole('dialog', { name: diagnose.title }), diagnose.healedNow)
    expect((await place.admin('GET', `/api/groups/${group.id}`)).body.enabled).toBe(true)

    await place.call(body.secret, { model: unpriced, messages: [{ role: 'user', content: 'Hello' }] })
    const { body: usage } = await ola.ask('GET', '/api/usage?limit=1')
    expect(usage.data[0].fault).toBe('model_unpriced')
    await open(`/usage?record=${usage.data[0].id}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: fix.setPrice(unpriced), exact: true }).click()
    await arrives(page, prices.title)
    await reads(content(page), unpriced)
    await open(`/usage?record=${usage.data[0].id}`)
    await drawer.getByRole('link', { name: 'laptop', exact: true }).click()
    await arrives(page, 'laptop')
  })
})
