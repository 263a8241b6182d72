import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/kept-process.ts'
import { walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, field, fill, press, reads, readsNoMore } from './reading.ts'
import { visit } from './visit.ts'

// How payments are taken, as an admin sets it up and others read it.

const SECRET_KEY = 'sk_test_only_for_tests_0123456789'
const WEBHOOK_SECRET = 'whsec_only_for_tests_0123456789'
const EPAY_KEY = 'a-key-of-an-epay-gateway-in-tests'

let place: OwnPlace
let root: Person
beforeAll(async () => {
  const port = String(await freePort())
  place = await startPlace({ PORT: port, TOLLGATE_PUBLIC_URL: `http://localhost:${port}` })
  root = await place.person({ role: 'admin' })
})
afterAll(() => place.stop())

const stored = async () => (await root.ask('GET', '/api/payment-settings')).body
const providers = async (): Promise<string[]> =>
  (await root.ask('GET', '/api/payments')).body.providers.map(({ name }: { name: string }) => name)

test.each(walkedIn('en'))(
  'Stripe is set up, lacks a key until it has both, keeps them unseen, and is removed with them, in $language',
  async ({ language, paymentSettings: t, settings, shared }) => {
    await place.admin('PATCH', '/api/payment-settings', { stripe: null, epay: null })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings')
    await arrives(page, settings.title)
    const section = page.getByRole('region', { name: t.title })
    await reads(section, t.nothing)
    const stripe = t.parts.stripe.name
    await press(page, t.edit(stripe))
    const form = page.getByRole('dialog', { name: t.edit(stripe) })
    await reads(form, `${place.origin}/api/payments/stripe`)
    await fill(form, t.form.currency, 'eur')
    await fill(form, t.form.perUsd, '0.95')
    await fill(form, t.form.secretKey, SECRET_KEY)
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(section, t.states.unfinished)
    expect(await providers()).toEqual([])

    await press(page, t.edit(stripe))
    await fill(form, t.form.webhookSecret, 'short')
    await press(form, shared.save)
    await eventually(() => field(form, t.form.webhookSecret).getAttribute('aria-invalid')).toBe('true')
    await fill(form, t.form.webhookSecret, WEBHOOK_SECRET)
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await reads(section, t.states.test)
    await reads(section, t.rate('0.95 EUR'))
    expect(await providers()).toEqual(['stripe'])

    await press(page, t.edit(stripe))
    await reads(form, t.form.keyKept)
    expect(await page.content()).not.toMatch(/sk_test_only|whsec_only/)
    await fill(form, t.form.perUsd, '1.05')
    await press(form, shared.save)
    await reads(section, t.rate('1.05 EUR'))
    expect(await stored()).toMatchObject({
      stripe: { per_usd: '1.05', has_secret_key: true, has_webhook_secret: true },
    })

    await press(page, t.edit(stripe))
    await press(form, t.form.remove)
    await press(page.getByRole('alertdialog'), t.form.remove)
    await reads(section, t.nothing)
    expect((await stored()).stripe).toBeNull()
  },
)

test.each(walkedIn('zh-CN'))(
  'amounts that another admin changed meanwhile are not overwritten unless it is chosen, in $language',
  async ({ language, paymentSettings: t, shared }) => {
    await place.admin('PATCH', '/api/payment-settings', { amounts: ['5', '10'], smallest: '1', largest: '1000' })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings?edit=amounts')
    const form = page.getByRole('dialog', { name: t.edit(t.parts.amounts.name) })
    await fill(form, t.form.amounts, '2, 4 8')
    await place.admin('PATCH', '/api/payment-settings', { largest: '500' })
    await press(form, shared.save)
    await reads(form, shared.collision.title)
    await reads(form.getByRole('row', { name: t.form.largest }), '$1,000.00')
    await eventually(stored).toMatchObject({ amounts: ['5', '10'], largest: '500' })
    await press(form, shared.collision.keepMine)
    await form.waitFor({ state: 'detached' })
    await reads(content(page), '$2.00 · $4.00 · $8.00')
    await eventually(stored).toMatchObject({ amounts: ['2', '4', '8'], largest: '1000' })
    await press(page, t.edit(t.parts.amounts.name))
    await fill(form, t.form.largest, '3')
    await press(form, shared.save)
    await eventually(() => field(form, t.form.amounts).getAttribute('aria-invalid')).toBe('true')
    await eventually(stored).toMatchObject({ largest: '1000' })
  },
)

test.each(walkedIn('en'))(
  'epay takes its gateway, merchant, key and ways, and another gateway the key again, in $language',
  async ({ language, paymentSettings: t, payments, shared }) => {
    await place.admin('PATCH', '/api/payment-settings', { epay: null })
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings?edit=epay')
    const form = page.getByRole('dialog', { name: t.edit(t.parts.epay.name) })
    await press(form, shared.save)
    await reads(form, shared.required)
    await fill(form, t.form.url, 'https://pay.example.test/')
    await fill(form, t.form.pid, '1001')
    await fill(form, t.form.epayKey, EPAY_KEY)
    await fill(form, t.form.perUsd, '7.2')
    await form.getByRole('checkbox', { name: payments.topUp.ways.wxpay }).uncheck()
    await press(form, shared.save)
    await form.waitFor({ state: 'detached' })
    await eventually(stored).toMatchObject({ epay: { on: true, ways: ['alipay'], currency: 'cny', has_key: true } })
    await press(page, t.edit(t.parts.epay.name))
    await fill(form, t.form.url, 'https://another.example.test/')
    await press(form, shared.save)
    await eventually(() => field(form, t.form.epayKey).getAttribute('aria-invalid')).toBe('true')
    expect((await stored()).epay.url).toBe('https://pay.example.test/')
  },
)

test.each(walkedIn('zh-CN'))(
  'the secret of a shop is shown once; who may not change payments has nothing to do it with, in $language',
  async ({ language, paymentSettings: t, shared, settings }) => {
    const { page, open } = await visit(place, { language, as: root })
    await open('/admin/settings')
    await press(page, t.edit(t.parts.shop.name))
    const dialog = page.getByRole('dialog', { name: t.parts.shop.name })
    const hadOne = (await stored()).has_signing_secret
    await press(dialog, hadOne ? t.shop.replace : t.shop.create)
    await reads(dialog, t.shop.once)
    await reads(dialog, /tgpay_[\w-]{43}/)
    await dialog.getByRole('button', { name: shared.close, exact: true }).last().click()
    await eventually(async () => (await stored()).has_signing_secret).toBe(true)
    await readsNoMore(content(page), 'tgpay_')
    await dialog.waitFor({ state: 'detached' })

    const finance = await place.person({ role: 'finance' })
    const other = await visit(place, { language, as: finance })
    await other.open('/admin/settings')
    await arrives(other.page, settings.title)
    await reads(other.page.getByRole('region', { name: t.title }), t.parts.stripe.does)
    expect(await other.page.getByRole('button', { name: t.edit(t.parts.stripe.name) }).count()).toBe(0)
  },
)
