import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

/* An epay gateway as its public descriptions have it: a signed address to pay at, and a notice signed with MD5. */

const PUBLIC = 'http://gateway.example.test'
const KEY = 'a-key-of-an-epay-gateway-in-tests'

let control: ControlUnderTest
let admin: Asker
let user: Awaited<ReturnType<ControlUnderTest['account']>>

beforeAll(async () => {
  control = await controlUnderTest({ environment: { TOLLGATE_PUBLIC_URL: PUBLIC } })
  admin = await control.account({ role: 'admin' })
  user = await control.account()
  const epay = { on: true, url: 'https://pay.example.test/', pid: '1001', ways: ['alipay', 'wxpay'], per_usd: '7.2' }
  const made = await admin.ask('PATCH', '/api/payment-settings', { epay: { ...epay, key: KEY } })
  expect(made.body.epay).toEqual({ ...epay, currency: 'cny', has_key: true })
})
afterAll(() => control.close())

const signOf = (parameters: Readonly<Record<string, string>>, key = KEY) => {
  const names = Object.keys(parameters).filter(
    (name) => !['sign', 'sign_type'].includes(name) && parameters[name] !== '',
  )
  const text = names
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}
const order = async () => {
  const made = await user.ask('POST', '/api/orders', { provider: 'epay', amount: '10', way: 'wxpay' })
  expect(made.status, made.text).toBe(201)
  return made.body
}
const notice = (id: string, over: Readonly<Record<string, string>> = {}) => ({
  pid: '1001',
  trade_no: `2026-${id}`,
  out_trade_no: id,
  type: 'wxpay',
  name: '$10',
  money: '72.00',
  trade_status: 'TRADE_SUCCESS',
  ...over,
})
const send = (parameters: Readonly<Record<string, string>>, sign = signOf(parameters)) =>
  control.anonymous.ask(
    'GET',
    `/api/payments/epay?${new URLSearchParams({ ...parameters, sign, sign_type: 'MD5' }).toString()}`,
  )
const balance = async () => (await user.ask('GET', '/api/me')).body.balance

test('the payer is sent to a signed page with the price in its currency', async () => {
  const { checkout_url: url, price, id } = await order()
  expect(price).toEqual({ amount: '72.00', currency: 'cny' })
  const page = new URL(url)
  const parameters = Object.fromEntries(page.searchParams)
  expect(`${page.origin}${page.pathname}`).toBe('https://pay.example.test/submit.php')
  expect(parameters).toMatchObject({ pid: '1001', type: 'wxpay', out_trade_no: id, money: '72.00', sign_type: 'MD5' })
  expect(parameters['notify_url']).toBe(`${PUBLIC}/api/payments/epay`)
  expect(parameters['sign']).toBe(signOf(parameters))
  expect(url).not.toContain(KEY)
})

test('a notice credits once, by GET or as a form, and is answered "success"', async () => {
  const { id } = await order()
  for (let i = 0; i < 3; i++) expect(await send(notice(id))).toMatchObject({ status: 200, text: 'success' })
  const form = { ...notice(id), sign: signOf(notice(id)), sign_type: 'MD5' }
  const posted = await control.anonymous.ask('POST', '/api/payments/epay', new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(posted).toMatchObject({ status: 200, text: 'success' })
  expect(await balance()).toBe('10')
})

test('what is not signed, not of this merchant, not paid or another amount credits nothing', async () => {
  const { id } = await order()
  const before = await balance()
  const good = notice(id)
  expect(await send(good, '')).toMatchObject({ status: 403, text: 'fail' })
  expect((await send(good, signOf(good, ''))).status).toBe(403)
  expect((await send(good, signOf(good, `${KEY}x`))).status).toBe(403)
  expect((await send({ ...good, money: '0.01' }, signOf(good))).status).toBe(403)
  expect((await send(notice(id, { pid: '1002' }))).status).toBe(403)
  expect((await send(notice('ord_none'))).status).toBe(404)
  expect(await send(notice(id, { trade_status: 'TRADE_CLOSED' }))).toMatchObject({ status: 200 })
  expect(await balance()).toBe(before)
  for (const money of ['71.99', '0', 'abc', '-72', '1e300', '72,00', '720000000000000']) {
    expect(await send(notice(id, { money }))).toMatchObject({ status: 200, text: 'success' })
  }
  expect(await balance()).toBe(before)
  expect((await user.ask('GET', `/api/orders/${id}`)).body).toMatchObject({ state: 'held', trouble: 'amount_differs' })
  await send(good)
  expect(Number(await balance()) - Number(before)).toBe(10)
})

test('another gateway is given no key that was for the one before', async () => {
  const moved = { epay: { url: 'https://another.example.test/' } }
  expect(await admin.ask('PATCH', '/api/payment-settings', moved)).toMatchObject({
    status: 422,
    body: { field: 'epay.key' },
  })
})

test('the address for notices is the configured one, whatever host the payer names, and without one nothing is sold', async () => {
  for (const [name, value] of [
    ['host', 'evil.example.test'],
    ['x-forwarded-host', 'evil.example.test'],
  ] as const) {
    const made = await user.ask('POST', '/api/orders', { provider: 'epay', amount: '10' }, { [name]: value })
    expect(made.body.checkout_url).not.toContain('evil')
  }
  const bare = await controlUnderTest()
  try {
    const [root, payer] = [await bare.account({ role: 'admin' }), await bare.account()]
    const epay = { url: 'https://pay.example.test/', pid: '1001', ways: ['alipay'], per_usd: '7.2', key: KEY }
    const refused = await root.ask('PATCH', '/api/payment-settings', { epay: { ...epay, on: true } })
    expect(refused).toMatchObject({ status: 422, body: { field: 'epay.on' } })
    expect(refused.body.detail).toContain('TOLLGATE_PUBLIC_URL')
    // Stored before the variable was taken away.
    expect((await root.ask('PATCH', '/api/payment-settings', { epay: { ...epay, on: false } })).status).toBe(200)
    const stored = JSON.parse((await bare.store.settings.read('payments')) ?? '{}') as { epay: object }
    await bare.store.settings.write('payments', JSON.stringify({ ...stored, epay: { ...stored.epay, on: true } }))
    expect((await payer.ask('GET', '/api/payments')).body.providers).toEqual([])
    const made = await payer.ask('POST', '/api/orders', { provider: 'epay', amount: '10' })
    expect(made).toMatchObject({ status: 409, body: { code: 'payments_off' } })
    expect(made.body.detail).toContain('TOLLGATE_PUBLIC_URL')
  } finally {
    await bare.close()
  }
})
