import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signatureOf, type SignedPurpose } from '../../src/payments/signature.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

/*
 * Orders of a shop that signs what it sends. What is refused here are the payment holes of other gateways: an empty secret, a
 * signature of another route, an old one, another amount or currency, a payment that is sent twice, another’s order.
 */

const PATHS = { 'order.create': 'orders', 'order.paid': 'paid', 'order.refunded': 'refunded' } as const

let control: ControlUnderTest
let admin: Asker
let secret: string
let user: Awaited<ReturnType<ControlUnderTest['account']>>
let names = 0

beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

/** Sends a body as a shop does; `signed`: what is signed otherwise than it is sent. */
function send(purpose: SignedPurpose, body: object, signed: Partial<Parameters<typeof signatureOf>[0]> = {}) {
  const text = JSON.stringify(body)
  const timestamp = signed.timestamp ?? String(Math.floor(control.clock.now() / 1000))
  const signature = signatureOf({ purpose, body: text, secret, ...signed, timestamp })
  const headers = { 'x-tollgate-timestamp': timestamp, 'x-tollgate-signature': signature }
  return control.anonymous.ask('POST', `/api/payments/${PATHS[purpose]}`, text, headers)
}

const price = { amount: '9.50', currency: 'eur' }
const anOrder = () => ({
  provider: 'my-shop',
  order: `order-${++names}`,
  account: user.account.id,
  amount: '10',
  price,
})
const balance = async () => (await user.ask('GET', '/api/me')).body.balance

test('while there is no secret nothing is taken, signed or not', async () => {
  user = await control.account()
  secret = 'a-secret-that-is-not-the-server’s-own'
  for (const purpose of ['order.create', 'order.paid', 'order.refunded'] as const) {
    const { order, provider } = anOrder()
    const body =
      purpose === 'order.create'
        ? anOrder()
        : { provider, order, price, ...(purpose === 'order.paid' ? {} : { refund: 'r' }) }
    expect(await send(purpose, body)).toMatchObject({ status: 409, body: { code: 'payments_off' } })
    const bare = await control.anonymous.ask('POST', `/api/payments/${PATHS[purpose]}`, body)
    expect(bare.body.code).toBe('payments_off')
  }
})

describe('with a signing secret', () => {
  beforeAll(async () => {
    const made = await admin.ask('POST', '/api/payment-settings/signing-secret', {})
    secret = made.body.secret
    expect((await admin.ask('GET', '/api/payment-settings')).body).toMatchObject({ has_signing_secret: true })
    expect(await control.store.settings.read('payments')).not.toContain(secret)
  })
  beforeEach(async () => {
    user = await control.account()
  })

  test('an order is created, paid and refunded, each as often as it is sent and once in the books', async () => {
    const body = anOrder()
    for (let i = 0; i < 3; i++) {
      const made = await send('order.create', body)
      expect(made, made.text).toMatchObject({ status: 200, body: { state: 'open', amount: '10', price } })
    }
    expect(await balance()).toBe('0')
    const { provider, order } = body
    const paid = { provider, order, price, invoice_url: 'https://shop.example.test/invoice/1' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('order.paid', paid)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await balance()).toBe('10')
    const refund = { provider, order, refund: 'r1', price: { amount: '4.75', currency: 'eur' } }
    for (let i = 0; i < 2; i++) expect((await send('order.refunded', refund)).body.state).toBe('partly_refunded')
    expect(await balance()).toBe('5')
    await send('order.refunded', { ...refund, failed: true })
    expect(await balance()).toBe('10')
    const own = await user.ask('GET', '/api/orders')
    expect(own.body.data).toMatchObject([
      { state: 'paid', invoice_url: paid.invoice_url, account_email: null, uncollected: null, refunded: '0.00' },
    ])
    const ledger = (await user.ask('GET', '/api/ledger')).body.data
    expect(ledger.map(({ kind, actor }: Record<string, string>) => `${kind} ${actor}`)).toEqual([
      'refund payment',
      'refund payment',
      'credit payment',
    ])
  })

  test('a refund that comes before its payment is taken back with it', async () => {
    const body = anOrder()
    await send('order.create', body)
    const { provider, order } = body
    expect((await send('order.refunded', { provider, order, refund: 'r1', price })).status).toBe(200)
    expect((await send('order.paid', { provider, order, price })).body.state).toBe('refunded')
    expect(await balance()).toBe('0')
  })

  test('what is signed for one step, long ago, with another secret or over another body does nothing', async () => {
    const body = anOrder()
    await send('order.create', body)
    const { provider, order } = body
    const paid = { provider, order, price }
    const old = String(Math.floor(control.clock.now() / 1000) - 301)
    for (const signed of [
      { purpose: 'order.create' },
      { purpose: 'order.refunded' },
      { timestamp: old },
      { secret: secret.replace('tgpay_', 'tgpay-') },
      { body: JSON.stringify({ ...paid, price: { amount: '9.51', currency: 'eur' } }) },
    ] as const) {
      expect(await send('order.paid', paid, signed)).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
    }
    const bare = await control.anonymous.ask('POST', '/api/payments/paid', paid)
    expect(bare.body.code).toBe('signature_invalid')
    expect(await balance()).toBe('0')
    const before = secret
    secret = (await admin.ask('POST', '/api/payment-settings/signing-secret', {})).body.secret
    expect((await send('order.paid', paid, { secret: before })).status).toBe(401)
    expect((await send('order.paid', paid)).status).toBe(200)
  })

  test.for([
    { amount: '9.49', currency: 'eur' },
    { amount: '9500', currency: 'eur' },
    { amount: '9.50', currency: 'usd' },
  ])('%j is not the price: nothing is credited, and the order is held until the right amount comes', async (other) => {
    const body = anOrder()
    await send('order.create', body)
    const { provider, order } = body
    const held = await send('order.paid', { provider, order, price: other })
    expect(held).toMatchObject({ status: 409, body: { code: 'payment_held' } })
    expect(await balance()).toBe('0')
    const list = await admin.ask('GET', `/api/orders?account_id=${user.account.id}&state=held`)
    expect(list.body.data).toMatchObject([{ trouble: 'amount_differs', account_email: user.account.email }])
    await send('order.paid', { provider, order, price: { amount: '9.5', currency: 'EUR' } })
    expect(await balance()).toBe('10')
  })

  test('an order stays as it was made: another account, amount or price under its name is refused', async () => {
    const body = anOrder()
    await send('order.create', body)
    const other = await control.account()
    for (const changed of [
      { account: other.account.id },
      { amount: '1000' },
      { price: { amount: '0.01', currency: 'eur' } },
    ]) {
      expect(await send('order.create', { ...body, ...changed })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
    }
    await send('order.paid', { provider: body.provider, order: body.order, price })
    expect(await balance()).toBe('10')
    expect((await other.ask('GET', '/api/me')).body.balance).toBe('0')
  })

  test.for([
    [{ provider: 'stripe' }, 'provider'],
    [{ provider: 'epay' }, 'provider'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '-5' }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ plan: 'pro' }, 'amount'],
    [{ price: { amount: '0', currency: 'eur' } }, 'price.amount'],
    [{ price: { amount: '1.001', currency: 'eur' } }, 'price.amount'],
    [{ price: { amount: '999999999999', currency: 'usd' } }, 'price.amount'],
    [{ price: { amount: '9000000001', currency: 'jpy' } }, 'price.amount'],
    [{ amount: '9000000001' }, 'amount'],
    [{ price: { amount: '1.5', currency: 'jpy' } }, 'price.amount'],
    [{ price: { amount: '1', currency: 'xxx' } }, 'price.currency'],
  ] as const)('no order is made of %j', async ([changed, field]) => {
    expect(await send('order.create', { ...anOrder(), ...changed })).toMatchObject({ status: 422, body: { field } })
  })

  test.for(['999999999999', '9000000000.01', '0', '1.001'])(
    'a payment or refund of %s is refused in words',
    async (amount) => {
      const body = anOrder()
      await send('order.create', body)
      const { provider, order } = body
      const impossible = { amount, currency: 'eur' }
      const refused = { status: 422, body: { field: 'price.amount' } }
      expect(await send('order.paid', { provider, order, price: impossible })).toMatchObject(refused)
      expect(await send('order.refunded', { provider, order, refund: 'r', price: impossible })).toMatchObject(refused)
      expect(await balance()).toBe('0')
    },
  )

  test('of another’s order nothing is seen, and a role without rights to the books refunds none', async () => {
    const body = anOrder()
    const { id } = (await send('order.create', body)).body
    const other = await control.account()
    expect((await other.ask('GET', `/api/orders/${id}`)).status).toBe(404)
    expect((await other.ask('GET', `/api/orders?account_id=${user.account.id}`)).status).toBe(403)
    expect((await other.ask('GET', '/api/orders?account_id=*')).status).toBe(403)
    expect((await user.ask('GET', `/api/orders/${id}`)).status).toBe(200)
    await send('order.paid', { provider: body.provider, order: body.order, price })
    for (const role of ['user', 'auditor', 'operator'] as const) {
      const asker = await control.account({ role })
      expect((await asker.ask('POST', `/api/orders/${id}/refund`, { reason: 'mine' })).status).toBe(403)
    }
  })

  test('finance refunds a part and the rest; nothing of what is spent is taken twice', async () => {
    const body = anOrder()
    const { id } = (await send('order.create', body)).body
    const finance = await control.account({ role: 'finance' })
    const refund = (fields: object = {}) =>
      finance.ask('POST', `/api/orders/${id}/refund`, { reason: 'asked', ...fields })
    expect((await refund()).body.code).toBe('conflict')
    await send('order.paid', { provider: body.provider, order: body.order, price })
    expect((await refund({ amount: '9.51' })).body.code).toBe('payment_differs')
    expect((await refund({ amount: '4.75' })).body).toMatchObject({ state: 'partly_refunded', taken_back: '5' })
    expect(await balance()).toBe('5')
    await admin.ask('POST', `/api/accounts/${user.account.id}/ledger`, {
      amount: '-1',
      reason: 'x',
      kind: 'adjustment',
    })
    expect((await refund()).body.code).toBe('balance_insufficient')
    expect((await refund({ amount: '3.80' })).body).toMatchObject({
      refunded: '8.55',
      taken_back: '9',
      uncollected: '0',
    })
    expect(await balance()).toBe('0')
  })

  test('the books agree with all of it', async () => {
    expect((await control.store.ledger.prove()).disagreements).toEqual([])
  })
})
