import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { type FakeStripe, fakeStripe, type Sent, type StripeObject } from '../support/fake-stripe.ts'

/* Stripe Checkout by its official package, against a Stripe of our own that speaks its published API. */

let control: ControlUnderTest
let stripe: FakeStripe
let admin: Asker
let finance: Asker
let user: Awaited<ReturnType<ControlUnderTest['account']>>

beforeAll(async () => {
  stripe = await fakeStripe()
  control = await controlUnderTest({ environment: { TOLLGATE_STRIPE_API_URL: stripe.url } })
  admin = await control.account({ role: 'admin' })
  finance = await control.account({ role: 'finance' })
  await control.group('default')
  await admin.ask('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
})
afterAll(async () => {
  expect((await control.store.ledger.prove()).disagreements).toEqual([])
  await control.close()
  await stripe.close()
})
beforeEach(async () => {
  user = await control.account()
})

const send = ({ body, headers }: Sent) => control.anonymous.ask('POST', '/api/payments/stripe', body, { ...headers })
const sign = (type: string, object: StripeObject) => stripe.event(type, object, { at: control.clock.now() })
const report = (type: string, object: StripeObject) => send(sign(type, object))
const balance = async () => (await user.ask('GET', '/api/me')).body.balance
const read = async (id: string) => (await user.ask('GET', `/api/orders/${id}`)).body

/** A top-up of $10 for €9.50, whose page is open. */
async function topUp(): Promise<{ id: string; session: StripeObject }> {
  const made = await user.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' })
  expect(made.status, made.text).toBe(201)
  return { id: made.body.id, session: stripe.session() }
}

test('nothing is offered, ordered or taken before Stripe is set up whole', async () => {
  const refused = { status: 409, body: { code: 'payments_off' } }
  const off = async () => {
    expect((await user.ask('GET', '/api/payments')).body.providers).toEqual([])
    expect(await user.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' })).toMatchObject(refused)
    expect(await report('checkout.session.completed', {})).toMatchObject(refused)
  }
  await off()
  const set = (fields: object) => admin.ask('PATCH', '/api/payment-settings', { stripe: fields })
  await set({ on: true, currency: 'EUR', per_usd: '0.95', invoices: true })
  await off()
  await set({ secret_key: stripe.secretKey })
  await off()
  expect(await set({ webhook_secret: '' })).toMatchObject({ status: 422, body: { field: 'stripe.webhook_secret' } })
  const after = await set({ webhook_secret: stripe.webhookSecret })
  expect(after.body.stripe).toMatchObject({ on: true, currency: 'eur', has_secret_key: true, has_webhook_secret: true })
  expect(after.body.stripe.is_test).toBe(true)
  expect(after.text).not.toMatch(/sk_test|whsec/)
  expect(await control.store.settings.read('payments')).not.toMatch(/sk_test|whsec/)
  expect((await user.ask('GET', '/api/payments')).body.providers).toMatchObject([
    { name: 'stripe', currency: 'eur', is_test: true },
  ])
  expect((await set({ secret_key: 'sk_live_only_for_tests_0123456789' })).body.stripe.is_test).toBe(false)
  await set({ secret_key: stripe.secretKey })
})

test('a top-up is paid on Stripe’s page, credited once however often it is said, and has its invoice', async () => {
  const { id, session } = await topUp()
  expect(session).toMatchObject({ amount_total: 950, currency: 'eur', customer_email: user.account.email })
  expect(await read(id)).toMatchObject({ state: 'open', checkout_url: session['url'], price: { amount: '9.50' } })
  expect((await report('checkout.session.completed', session)).status).toBe(204)
  expect(await balance()).toBe('0')
  const paid = sign('checkout.session.completed', stripe.pay(session))
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(paid)))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204))
  expect(await balance()).toBe('10')
  expect(await read(id)).toMatchObject({
    state: 'paid',
    checkout_url: null,
    invoice_url: expect.stringMatching(/^https:\/\/invoice\.stripe\.com\/i\/in_/),
  })
})

test('a plan is bought, and ends with its refund', async () => {
  const made = await user.ask('POST', '/api/orders', { provider: 'stripe', plan: 'pro' })
  expect(made.body).toMatchObject({ kind: 'plan', plan: 'pro', price: { amount: '19.00', currency: 'eur' } })
  await report('checkout.session.completed', stripe.pay(stripe.session()))
  expect((await user.ask('GET', '/api/subscriptions')).body.data).toMatchObject([{ plan: 'pro', status: 'running' }])
  const back = await finance.ask('POST', `/api/orders/${made.body.id}/refund`, { reason: 'asked' })
  expect(back.body, back.text).toMatchObject({ state: 'refunded' })
  expect((await user.ask('GET', '/api/subscriptions')).body.data).toMatchObject([{ status: 'cancelled' }])
})

test('an event that is forged, old, of another secret or of another amount credits nothing', async () => {
  const { id, session } = await topUp()
  const paid = stripe.pay(session)
  const at = control.clock.now()
  const type = 'checkout.session.completed'
  const { body } = sign(type, paid)
  for (const event of [
    stripe.event(type, paid, { at: at - 301_000 }),
    stripe.event(type, paid, { at, secret: 'whsec_another_secret_of_tests' }),
    stripe.event(type, paid, { at, secret: '' }),
    { ...sign(type, paid), body: body.replace('950', '951') },
    { body, headers: { 'content-type': 'application/json' } },
    { body, headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=' } },
  ]) {
    expect(await send(event)).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
  }
  await report(type, { ...paid, id: 'cs_of_another_link' })
  expect(await balance()).toBe('0')
  for (const other of [{ amount_total: 1 }, { currency: 'usd' }]) {
    expect((await report(type, { ...paid, ...other })).status).toBe(204)
    expect(await read(id)).toMatchObject({ state: 'held', trouble: 'amount_differs' })
  }
  expect(await balance()).toBe('0')
  await report(type, paid)
  expect(await balance()).toBe('10')
})

test('a session that expires cancels its order; a late payment by bank counts, before or after', async () => {
  const { id, session } = await topUp()
  await report('checkout.session.expired', session)
  expect(await read(id)).toMatchObject({ state: 'cancelled', checkout_url: null })
  await report('checkout.session.async_payment_succeeded', stripe.pay(session))
  await report('checkout.session.expired', session)
  expect(await read(id)).toMatchObject({ state: 'paid' })
  expect(await balance()).toBe('10')
})

test('a refund made at Stripe counts once, also when it comes before its payment, and is given back when it fails', async () => {
  const { id, session } = await topUp()
  const paid = stripe.pay(session)
  const refund = { id: 're_early', amount: 475, currency: 'eur', payment_intent: paid['payment_intent'], metadata: {} }
  await report('refund.created', { ...refund, status: 'pending' })
  expect(await balance()).toBe('0')
  await report('checkout.session.completed', paid)
  expect(await balance()).toBe('5')
  for (const type of ['refund.updated', 'refund.created']) await report(type, { ...refund, status: 'succeeded' })
  expect(await balance()).toBe('5')
  await report('refund.failed', { ...refund, status: 'failed' })
  await report('refund.updated', { ...refund, status: 'succeeded' })
  expect(await balance()).toBe('10')
  const dispute = { id: 'dp_1', amount: 950, currency: 'eur', payment_intent: paid['payment_intent'] }
  await report('charge.dispute.funds_withdrawn', dispute)
  expect(await read(id)).toMatchObject({ state: 'refunded' })
  await report('charge.dispute.funds_reinstated', dispute)
  expect(await balance()).toBe('10')
})

test('a dispute of more than is left of an order, and money that cannot be credited, are said to admins', async () => {
  const { id, session } = await topUp()
  const paid = stripe.pay(session)
  await report('checkout.session.completed', paid)
  const of = { currency: 'eur', payment_intent: paid['payment_intent'] }
  await report('refund.created', { id: 're_half', amount: 475, status: 'succeeded', metadata: {}, ...of })
  for (let i = 0; i < 2; i++) {
    expect((await report('charge.dispute.funds_withdrawn', { id: 'dp_all', amount: 950, ...of })).status).toBe(204)
  }
  expect(await balance()).toBe('5')
  const other = await topUp()
  await report('checkout.session.completed', { ...stripe.pay(other.session), amount_total: 1 })

  const about = async (path: string, order: string) => {
    const { data } = (await admin.ask('GET', path)).body
    return data.filter((each: StripeObject) => [each['order'], each['subject'], each['subject_name']].includes(order))
  }
  const email = user.account.email
  expect(await about('/api/attention', id)).toMatchObject([
    { kind: 'refund_held', account: { email }, detail: expect.stringContaining('dp_all') },
  ])
  expect(await about('/api/attention', other.id)).toMatchObject([{ kind: 'payment_held', account: { email } }])
  const actions = async (order: string) =>
    (await about(`/api/audit?subject=${order}`, order)).map((each: StripeObject) => each['action'])
  expect((await actions(id)).filter((action: string) => action === 'order.refund_held')).toHaveLength(1)
  expect(await actions(other.id)).toContain('order.held')
  const kinds = async (order: string) => (await about('/api/alerts', order)).map((each: StripeObject) => each['kind'])
  expect(await kinds(id)).toEqual(['refund_held'])
  expect(await kinds(other.id)).toEqual(['payment_held'])
})

test('a refund that begins here is paid once, and its event changes nothing more', async () => {
  const { id, session } = await topUp()
  await report('checkout.session.completed', stripe.pay(session))
  const refund = (fields: object = {}) =>
    finance.ask('POST', `/api/orders/${id}/refund`, { reason: 'asked', ...fields })
  expect((await refund({ amount: '4.75' })).body).toMatchObject({ state: 'partly_refunded', taken_back: '5' })
  await report('refund.created', stripe.refunds.at(-1) ?? {})
  expect(await balance()).toBe('5')
  const before = stripe.refunds.length
  // It is made, and the answer is lost: the next try finds it.
  stripe.loseNextAnswer('POST /v1/refunds')
  expect(await refund()).toMatchObject({ status: 502, body: { code: 'payment_provider_failed' } })
  expect(await balance()).toBe('0')
  for (const other of [{ reason: 'another' }, { amount: '1' }, { amount: '4.7' }]) {
    const refused = await refund(other)
    expect(refused).toMatchObject({ status: 409, body: { code: 'refund_unsettled' } })
    expect(refused.body.detail).toContain('4.75 EUR with the reason "asked"')
  }
  expect((await refund({ amount: '4.75' })).body).toMatchObject({ state: 'refunded', taken_back: '10' })
  expect(stripe.refunds.length).toBe(before + 1)
  expect((await refund()).body.code).toBe('payment_differs')
})

test('while half of an order waits for the provider, the other half is refused and not taken for it', async () => {
  const { id, session } = await topUp()
  await report('checkout.session.completed', stripe.pay(session))
  const refund = (fields: object) => finance.ask('POST', `/api/orders/${id}/refund`, { reason: 'half', ...fields })
  stripe.loseNextAnswer('POST /v1/refunds')
  expect((await refund({ amount: '4.75' })).status).toBe(502)
  expect((await refund({})).body.code).toBe('refund_unsettled')
  expect((await refund({ amount: '4.75' })).body.state).toBe('partly_refunded')
  expect((await refund({})).body.state).toBe('refunded')
})

test('where Stripe refuses a refund the balance is as before', async () => {
  const { id, session } = await topUp()
  await report('checkout.session.completed', stripe.pay(session))
  stripe.failNext('POST /v1/refunds', 400)
  expect((await finance.ask('POST', `/api/orders/${id}/refund`, { reason: 'asked' })).status).toBe(502)
  expect(await balance()).toBe('10')
  expect(await read(id)).toMatchObject({ state: 'paid', refunded: '0.00' })
})

test('where Stripe makes no page the order is cancelled, and twenty unpaid ones in an hour are enough', async () => {
  stripe.failNext('POST /v1/checkout/sessions', 402)
  const failed = await user.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' })
  expect(failed).toMatchObject({ status: 502, body: { code: 'payment_provider_failed' } })
  expect((await user.ask('GET', '/api/orders')).body.data).toMatchObject([{ state: 'cancelled' }])
  for (const amount of ['0.5', '1001']) {
    const outside = await user.ask('POST', '/api/orders', { provider: 'stripe', amount })
    expect(outside).toMatchObject({ status: 422, body: { field: 'amount' } })
  }
  // At once: each counts for the next.
  const asks = Array.from({ length: 40 }, () => user.ask('POST', '/api/orders', { provider: 'stripe', amount: '10' }))
  const statuses = (await Promise.all(asks)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(19)
  expect(statuses.filter((status) => status === 429)).toHaveLength(21)
})

test.each([-1000, 1000.5, 2 ** 63, 1e300, '1000', null, {}, [1000], 'a currency', 'a missing currency'])(
  'a signed payment or refund of %j is taken, credits nothing, and is held for an admin',
  async (amount) => {
    const { id, session } = await topUp()
    const money =
      typeof amount === 'string' && amount.startsWith('a ')
        ? { currency: amount === 'a currency' ? 'xyz' : undefined }
        : { amount_total: amount, amount }
    expect((await report('checkout.session.completed', { ...stripe.pay(session), ...money })).status).toBe(204)
    expect(await read(id)).toMatchObject({ state: 'held', trouble: 'amount_differs' })
    expect(await balance()).toBe('0')
    expect((await report('checkout.session.completed', stripe.pay(session))).status).toBe(204)
    expect(await balance()).toBe('10')
    const payment = { id: `re_${id}`, payment_intent: stripe.pay(session)['payment_intent'], status: 'succeeded' }
    const refund = { ...payment, currency: 'eur', amount: 100, ...money }
    for (const type of ['refund.created', 'charge.dispute.funds_withdrawn']) {
      expect((await report(type, { ...refund, id: `${type}_${id}` })).status).toBe(204)
    }
    expect([await balance(), (await read(id)).refunded]).toEqual(['10', '0.00'])
    const troubles = (await control.store.orders.troubles(0, 100)).filter(({ order }) => order.id === id)
    expect(troubles.map(({ refund: held }) => held?.state)).toEqual(['held', 'held'])
  },
)

test.each([
  ['no object', null],
  ['a list', []],
  ['an order that is none', { payment_status: 'paid', metadata: { tollgate_order: { id: 7 } } }],
  ['an order with a null in it', { payment_status: 'paid', metadata: { tollgate_order: 'ord_\u0000' } }],
  ['metadata of another type', { payment_status: 'paid', metadata: 'tollgate_order' }],
  ['a payment of another type', { payment_intent: 5, amount: 100, currency: 'eur' }],
] as const)('a signed event about %s is taken, and changes nothing', async (_, object) => {
  for (const type of ['checkout.session.completed', 'checkout.session.expired', 'refund.created', 'refund.failed']) {
    expect((await report(type, object as unknown as StripeObject)).status, type).toBe(204)
  }
})

test('an order that would cost more than can be paid is refused in words', async () => {
  const set = (fields: object) => admin.ask('PATCH', '/api/payment-settings', fields)
  await set({ largest: '8999999999', stripe: { per_usd: '999999' } })
  const refused = await user.ask('POST', '/api/orders', { provider: 'stripe', amount: '8999999999' })
  expect(refused).toMatchObject({ status: 422, body: { field: 'amount' } })
  expect(refused.body.detail).toContain('9000000000 EUR')
  await admin.ask('POST', '/api/plans', { name: 'dear', groups: ['default'], days: 30, price: '8999999999' })
  expect(await user.ask('POST', '/api/orders', { provider: 'stripe', plan: 'dear' })).toMatchObject({
    status: 422,
    body: { field: 'plan' },
  })
  await set({ largest: '1000', stripe: { per_usd: '0.95' } })
})

test('an account that was imported without an email address is not named to Stripe by what stands for it', async () => {
  await control.store.accounts.updateCredentials(user.account.id, { email: 'user7@new-api.invalid' })
  const { session } = await topUp()
  expect(session['customer_email']).toBeNull()
})
