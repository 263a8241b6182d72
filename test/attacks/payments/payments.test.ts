import { afterAll, beforeAll, expect } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../../support/control-under-test.ts'
import { type FakeStripe, fakeStripe, type StripeObject } from '../../support/fake-stripe.ts'
import { attack, longAttack } from '../attack.ts'
import { readSettings } from '../settings.ts'

/* Payments with impossible amounts: what a provider or a shop signs, and what a payer orders. */

let control: ControlUnderTest
let stripe: FakeStripe
let admin: Asker

beforeAll(async () => {
  stripe = await fakeStripe()
  control = await controlUnderTest({ environment: { TOLLGATE_STRIPE_API_URL: stripe.url } })
  admin = await control.account({ role: 'admin' })
  const keys = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret }
  const set = { stripe: { on: true, currency: 'eur', per_usd: '0.95', invoices: false, ...keys } }
  expect((await admin.ask('PATCH', '/api/payment-settings', set)).status).toBe(200)
})
afterAll(async () => {
  expect((await control.store.ledger.prove()).disagreements).toEqual([])
  await control.close()
  await stripe.close()
})

/** Everything that JSON can have where an amount, a currency, an id or an object stands. */
const ODD: readonly unknown[] = JSON.parse(`[
  -1, -1000, 0, 0.5, 1000.5, 2147483648, 9007199254740991, 9007199254740992, 9223372036854775808, 1e15, 1e21, 1e300, 5e-324,
  "", "950", "-950", "1e3", "eur", "EUR", "xyz", "\\u0000", "ord_\\u0000", "__proto__", "' or 1=1", "${'x'.repeat(100_000)}",
  null, true, false, [], [950], {}, {"id": 7}, {"id": null}, [[[[]]]], {"amount": 950}
]`) as readonly unknown[]
const FIELDS = ['id', 'amount_total', 'amount', 'currency', 'payment_status', 'payment_intent', 'metadata', 'status']
const TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]

const report = (type: string, object: StripeObject) => {
  const { body, headers } = stripe.event(type, object, { at: control.clock.now() })
  return control.anonymous.ask('POST', '/api/payments/stripe', body, { ...headers })
}

/** Each odd value in each field of an event about an order of $10 for €9.50: none is a fault, and none credits another amount. */
async function attackWith(fields: readonly string[], types: readonly string[]): Promise<void> {
  const user = await control.account()
  const made = await user.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' })
  const paid = stripe.pay(stripe.session())
  const refund = { id: 're_odd', amount: 950, currency: 'eur', status: 'succeeded', metadata: {} }
  const cases = types.flatMap((type) => fields.flatMap((field) => ODD.map((odd) => ({ type, field, odd }))))
  for (const { type, field, odd } of cases) {
    const named = field === 'metadata' ? { tollgate_order: odd, tollgate_refund: odd } : odd
    const object = { ...paid, ...(type.startsWith('checkout') ? {} : refund), [field]: named }
    const { status, text } = await report(type, object)
    // Of a payment that nothing here knows, Stripe is asked, and knows nothing either.
    const isTaken = status < 500 || text.includes('payment_provider_failed')
    expect(isTaken, `${status} for ${type} with ${field} of ${JSON.stringify(odd).slice(0, 100)}`).toBe(true)
  }
  const { balance } = (await user.ask('GET', '/api/me')).body
  const { state, refunded } = (await user.ask('GET', `/api/orders/${made.body.id}`)).body
  // What was right but for a field that says nothing of money may have been credited and refunded, once.
  expect(['0', '10']).toContain(balance)
  expect(['open', 'cancelled', 'held', 'paid', 'refunded']).toContain(state)
  expect(['0.00', '9.50']).toContain(refunded)
}

attack('a signed event with an amount that cannot be is taken, and credits no other amount', () =>
  attackWith(['amount_total', 'amount'], ['checkout.session.completed', 'refund.created']),
)

longAttack('so is one with anything in any field', () => attackWith(FIELDS, TYPES))

attack('an order is made or refused in words, whatever it would cost', async () => {
  const user = await control.account()
  const rates = readSettings(process.env).isLong ? '0.000001 0.95 1 7.2 999999 999999.999999'.split(' ') : ['999999']
  const amounts = '0.000000001 0.01 1 9000 8999999999 9000000000 9000000001 -1 1e9 1,5'.split(' ')
  for (const per_usd of rates) {
    for (const currency of ['eur', 'jpy', 'krw']) {
      const set = { smallest: '0.000000001', largest: '9000000000', stripe: { per_usd, currency } }
      expect((await admin.ask('PATCH', '/api/payment-settings', set)).status).toBe(200)
      for (const amount of amounts) {
        const { status, text } = await user.ask('POST', '/api/orders', { provider: 'stripe', amount })
        expect([201, 422, 429], `${amount} at ${per_usd} ${currency}: ${text}`).toContain(status)
      }
      control.clock.advance(3_700_000)
    }
  }
})
