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
const ODD: readonly unknown[] = [
  ...[-1, -1000, 0, 0.5, 1000.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e15, 1e21, 1e300, Number.MIN_VALUE],
  ...[
    '',
    '950',
    '-950',
    '1e3',
    'eur',
    'EUR',
    'xyz',
    '\u0000',
    'ord_\u0000',
    '__proto__',
    'x'.repeat(100_000),
    "' or 1=1",
  ],
  ...[null, true, false, [], [950], {}, { id: 7 }, { id: null }, [[[[]]]], { amount: 950 }],
]
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
  for (const type of types) {
    for (const field of fields) {
      for (const odd of ODD) {
        const object = { ...(type.startsWith('checkout') ? paid : { ...paid, ...refund }), [field]: odd }
        if (field === 'metadata') object['metadata'] = { tollgate_order: odd, tollgate_refund: odd }
        const { status } = await report(type, object)
        expect(status, `${type} with ${field} of ${JSON.stringify(odd)}`).toBeLessThan(500)
      }
    }
  }
  const { balance } = (await user.ask('GET', '/api/me')).body
  const { state, refunded } = (await user.ask('GET', `/api/orders/${made.body.id}`)).body
  // What was right but for a field that says nothing of money may have been credited and refunded, once.
  expect(['0', '10']).toContain(balance)
  expect(['open', 'cancelled', 'held', 'paid', 'refunded']).toContain(state)
  expect(['0.00', '9.50']).toContain(refunded)
}

attack('a signed event with an amount that cannot be is no fault, and credits no other amount', () =>
  attackWith(['amount_total', 'amount'], ['checkout.session.completed', 'refund.created']),
)

longAttack('so is one with anything in any field', () => attackWith(FIELDS, TYPES))

attack('no order is a fault, whatever it would cost', async () => {
  const user = await control.account()
  const rates = readSettings(process.env).isLong
    ? ['0.000001', '0.95', '1', '7.2', '999999', '999999.999999']
    : ['999999']
  const amounts = ['0.000000001', '0.01', '1', '9000', '8999999999', '9000000000', '9000000001', '-1', '1e9', '1,5', '']
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
