import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeStripe, fakeStripe } from '../support/fake-stripe.ts'
import { type Language, walkedIn } from './languages.ts'
import { type OwnPlace, type Person, startPlace } from './place.ts'
import { arrives, content, eventually, fill, press, reads, readsNoMore } from './reading.ts'
import { visit, type Visit } from './visit.ts'
import { longTest } from '../support/run/long-test.ts'

// Balance and plans are bought on Billing, paid at a Stripe of our own, and refunded on Plans & codes.

const CHECKOUT = 'https://checkout.stripe.com'

let stripe: FakeStripe
let place: OwnPlace
let finance: Person
beforeAll(async () => {
  stripe = await fakeStripe()
  place = await startPlace({ TOLLGATE_STRIPE_API_URL: stripe.url })
  finance = await place.person({ role: 'finance' })
  const quotas = [{ window: '5h', usd: '5' }]
  await place.admin('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20', quotas })
  await place.admin('POST', '/api/plans', { name: 'small', groups: ['default'], days: 7, price: '4.5' })
  await place.admin('POST', '/api/plans', { name: 'for friends', groups: ['default'], days: 30, price: '0' })
})
afterAll(async () => {
  await place.stop()
  await stripe.close()
})

async function setUp(isOn: boolean): Promise<void> {
  const secrets = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret }
  const settings = { on: isOn, currency: 'eur', per_usd: '0.95', invoices: true, ...secrets }
  await place.admin('PATCH', '/api/payment-settings', { stripe: settings })
}

/** Stripe's page is a page of ours. */
async function visitAs(person: Person, language: Language): Promise<Visit> {
  const window = await visit(place, { language, as: person, friends: [CHECKOUT] })
  await window.page.route(`${CHECKOUT}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Pay</h1>' }),
  )
  return window
}

/** The payer pays the order whose page is open, and comes back. */
async function payAndReturn(page: Page): Promise<void> {
  await arrives(page, 'Pay')
  const session = stripe.session()
  await eventually(() => page.url()).toBe(session['url'])
  const { body, headers } = stripe.event('checkout.session.completed', stripe.pay(session))
  const answer = await fetch(`${place.origin}/api/payments/stripe`, { method: 'POST', body, headers })
  expect(answer.status).toBe(204)
  await page.goto(String(session['success_url']), { waitUntil: 'domcontentloaded' })
}

longTest.each(walkedIn('zh-CN'))(
  'nothing can be bought, and no plan is shown, before a provider is on, in $language',
  async ({ language, billing, payments }) => {
    await setUp(false)
    const { page, open } = await visit(place, { language, as: await place.person() })
    await open('/billing')
    await reads(content(page), billing.subscriptions.empty)
    await readsNoMore(content(page), payments.plans.title)
    expect(await page.getByRole('region', { name: payments.topUp.title }).count()).toBe(0)
  },
)

test.each(walkedIn('en'))(
  'a plan says its price and what it gives, is bought on Billing, and pays from then on, in $language',
  async ({ language, billing, payments: { plans: t, orders } }) => {
    await setUp(true)
    const { page, open } = await visitAs(await place.person(), language)
    await open('/billing')
    const shop = page.getByRole('region', { name: t.title, exact: true })
    await reads(shop, '0.95 EUR')
    // The cheapest first; what costs nothing is assigned, not sold.
    await eventually(() => shop.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['small', 'pro'])
    const pro = shop.getByRole('listitem').filter({ hasText: 'pro' })
    await reads(pro, '$20.00')
    await reads(pro, t.days(30))
    await reads(pro, billing.subscriptions.window(billing.subscriptions.windows['5h']))
    await reads(pro, '$5.00')
    await reads(shop.getByRole('listitem').filter({ hasText: 'small' }), t.unlimited)

    await press(pro, t.buyOf('pro', '$20.00'))
    await payAndReturn(page)
    await reads(page.getByRole('region', { name: billing.subscriptions.title }), 'pro')
    await reads(pro, t.active)
    await reads(pro, t.again)
    const order = page.getByRole('region', { name: orders.title }).getByRole('listitem')
    await reads(order, orders.of(orders.plan('pro'), '19.00 EUR', 'stripe'))
    await reads(order, orders.states.paid)
  },
)

longTest.each(walkedIn('zh-CN'))(
  'where a page elsewhere takes payments too, Billing has one way to begin, which leads there as well, in $language',
  async ({ language, billing, payments: { topUp } }) => {
    await place.admin('PATCH', '/api/settings', { top_up_url: 'https://pay.example.test/here' })
    const { page, open } = await visitAs(await place.person(), language)
    const balance = page.getByRole('region', { name: billing.balance, exact: true })
    await setUp(false)
    await open('/billing')
    await balance.getByRole('link', { name: billing.topUp, exact: true }).waitFor()
    await setUp(true)
    await open('/billing')
    const card = page.getByRole('region', { name: topUp.title })
    const elsewhere = card.getByRole('link', { name: topUp.elsewhere('pay.example.test') })
    await elsewhere.waitFor()
    await eventually(() => elsewhere.getAttribute('href')).toBe('https://pay.example.test/here')
    expect(await balance.getByRole('link').count()).toBe(0)
    await place.admin('PATCH', '/api/settings', { top_up_url: null })
  },
)

test.each(walkedIn('en'))(
  'a top-up is paid, stands among the orders with its invoice, and is refunded by finance, in $language',
  async ({ language, billing, payments: { topUp, orders, refund }, plans, shared }) => {
    await setUp(true)
    const payer = await place.person()
    const { page, open } = await visitAs(payer, language)
    await open('/billing')
    const card = page.getByRole('region', { name: topUp.title })
    await reads(card, topUp.test)
    await press(card, topUp.take('$20.00'))
    await fill(card, topUp.amount, '')
    await press(card, topUp.pay)
    await reads(card, shared.required)
    await fill(card, topUp.amount, '12')
    await press(card, topUp.pay)
    await payAndReturn(page)
    await reads(page.getByRole('region', { name: billing.balance, exact: true }), '$12.00')
    const order = page.getByRole('region', { name: orders.title }).getByRole('listitem')
    await reads(order, orders.of(orders.balance('$12.00'), '11.40 EUR', 'stripe'))
    const invoice = order.getByRole('link', { name: orders.invoice })
    await eventually(() => invoice.getAttribute('href')).toMatch(/^https:\/\/invoice\.stripe\.com\/i\//)

    const office = await visit(place, { language, as: finance })
    await office.open('/admin/plans')
    await arrives(office.page, plans.title)
    const sold = office.page.getByRole('region', { name: orders.title }).getByRole('listitem')
    const line = sold.filter({ hasText: payer.email })
    await press(line, refund.action)
    const dialog = office.page.getByRole('dialog', { name: refund.title })
    await reads(dialog, `${orders.of(orders.balance('$12.00'), '11.40 EUR', 'stripe')} · ${payer.email}`)
    await press(dialog, refund.action)
    await reads(dialog, shared.required)
    await fill(dialog, refund.amount('EUR'), '5.70')
    await fill(dialog, refund.reason, 'half of it was not needed')
    await press(dialog, refund.action)
    await dialog.waitFor({ state: 'detached' })
    await reads(line, orders.states.partly_refunded)
    expect(stripe.refunds.at(-1)).toMatchObject({ amount: 570, currency: 'eur' })

    await page.reload({ waitUntil: 'domcontentloaded' })
    await reads(page.getByRole('region', { name: billing.balance, exact: true }), '$6.00')
    await reads(order, orders.states.partly_refunded)
  },
)
