import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { type FakeStripe, fakeStripe, type Sent } from '../support/fake-stripe.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

/*
 * A gateway that is killed while Stripe and an epay gateway send what became of payments. They send again what was not
 * answered, and some of it twice or out of order: in the end everything is in the books, and once.
 */

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` }
const SECRET = 'a-secret-that-is-only-for-tests-of-32-bytes'
const EPAY_KEY = 'a-key-of-an-epay-gateway-in-tests'
/** The number of orders of one account; each provider has as many. */
const ORDERS = 5
/** The numbers of answers after which the gateway is killed. */
const KILLED_AFTER = [1, 4]

interface Notice {
  readonly order: string
  /** Resolves to whether it was answered as taken. */
  send(): Promise<boolean>
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let stripe: FakeStripe
  let gateway: GatewayProcess
  let environment: Readonly<Record<string, string>>
  let accountId: string
  let cookie: string

  beforeAll(async () => {
    stripe = await fakeStripe()
    const database = engine === 'postgres' ? { DATABASE_URL: (await testPostgres()).url } : {}
    environment = gatewayEnvironment(await temporaryDirectory(), {
      ...database,
      TOLLGATE_SECRET: SECRET,
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      TOLLGATE_STRIPE_API_URL: stripe.url,
      TOLLGATE_PUBLIC_URL: 'http://gateway.example.test',
    })
    gateway = await startGatewayProcess(environment)
    const stripeKeys = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret }
    const epay = { on: true, url: 'https://pay.example.test/', pid: '1001', ways: ['alipay'], per_usd: '7.2' }
    await ask('PATCH /api/payment-settings', {
      stripe: { on: true, currency: 'eur', per_usd: '0.95', invoices: false, ...stripeKeys },
      epay: { ...epay, key: EPAY_KEY },
    })
  })
  afterAll(async () => {
    await gateway.stop()
    await stripe.close()
  })

  async function ask(call: string, body?: object, who: Readonly<Record<string, string>> = ADMIN) {
    const [method = '', path = ''] = call.split(' ')
    const response = await fetch(`${gateway.origin}${path}`, {
      method,
      headers: { ...who, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text === '' ? '{}' : text)
  }

  /** An account that is signed in, and orders. */
  async function newAccount(): Promise<void> {
    const email = `payer-${Math.floor(performance.now() * 1_000)}@example.test`
    const password = 'correct horse battery staple'
    accountId = (await ask('POST /api/accounts', { email, password })).id
    const signedIn = await fetch(`${gateway.origin}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gateway.origin },
      body: JSON.stringify({ email, password }),
    })
    expect(signedIn.status).toBe(200)
    cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  }

  const payer = () => ({ cookie, origin: gateway.origin })

  const isTaken = async (answer: () => Promise<Response>, said: (text: string, status: number) => boolean) => {
    try {
      const response = await answer()
      return said(await response.text(), response.status)
    } catch {
      return false
    }
  }

  const byStripe = ({ body, headers }: Sent) =>
    isTaken(
      () => fetch(`${gateway.origin}/api/payments/stripe`, { method: 'POST', body, headers }),
      (_, status) => status === 204,
    )

  const byEpay = (parameters: Readonly<Record<string, string>>) => {
    const text = Object.keys(parameters)
      .toSorted()
      .map((name) => `${name}=${parameters[name]}`)
      .join('&')
    const sign = createHash('md5')
      .update(text + EPAY_KEY)
      .digest('hex')
    const query = new URLSearchParams({ ...parameters, sign, sign_type: 'MD5' }).toString()
    return isTaken(
      () => fetch(`${gateway.origin}/api/payments/epay?${query}`),
      (said, status) => status === 200 && said === 'success',
    )
  }

  /** Orders that are paid at their provider, with what it sends of each: of Stripe also a refund of half, sent before. */
  async function paidOrders(): Promise<{ readonly payments: readonly Notice[]; readonly refunds: readonly Notice[] }> {
    const payments: Notice[] = []
    const refunds: Notice[] = []
    for (let i = 0; i < ORDERS; i++) {
      const { id } = await ask('POST /api/orders', { provider: 'stripe', amount: '10' }, payer())
      const paid = stripe.pay(stripe.session())
      payments.push({ order: id, send: () => byStripe(stripe.event('checkout.session.completed', paid)) })
      const refund = { id: `re_${id}`, amount: 475, currency: 'eur', payment_intent: paid['payment_intent'] }
      const event = () => stripe.event('refund.created', { ...refund, status: 'succeeded', metadata: {} })
      refunds.push({ order: id, send: () => byStripe(event()) })
      const epay = await ask('POST /api/orders', { provider: 'epay', amount: '10', way: 'alipay' }, payer())
      const notice = { pid: '1001', trade_no: `t-${epay.id}`, out_trade_no: epay.id, type: 'alipay', name: '$10' }
      payments.push({
        order: epay.id,
        send: () => byEpay({ ...notice, money: '72.00', trade_status: 'TRADE_SUCCESS' }),
      })
    }
    return { payments, refunds }
  }

  /** Sends all at once, each twice, kills the gateway after some answers, and starts it again. */
  async function killedAmid(after: number, notices: readonly Notice[]): Promise<ReadonlySet<string>> {
    const answered = new Set<string>()
    let killing: Promise<void> | null = null
    await Promise.all(
      [...notices, ...notices].map(async ({ order, send }) => {
        if (!(await send())) return
        answered.add(order)
        if (answered.size >= after) killing ??= gateway.kill()
      }),
    )
    await (killing ?? gateway.kill())
    gateway = await startGatewayProcess(environment)
    return answered
  }

  const states = async (): Promise<ReadonlyMap<string, string>> => {
    const { data } = await ask(`GET /api/orders?account_id=${accountId}&limit=100`)
    return new Map(data.map(({ id, state }: { id: string; state: string }) => [id, state]))
  }

  test.for(KILLED_AFTER)(
    'killed after %d answers, what was answered is in the books, and what is sent again is there once',
    async (after) => {
      await newAccount()
      const { payments, refunds } = await paidOrders()
      // Half of the refunds are known before their payments.
      const early = refunds.filter((_, at) => at % 2 === 0)
      await killedAmid(after, early)
      const paid = await killedAmid(after, payments)
      expect(paid.size).toBeGreaterThanOrEqual(after)
      const known = await states()
      for (const order of paid) expect(known.get(order)).toMatch(/^(?:paid|partly_refunded)$/)
      for (let again = 0; again < 2; again++) {
        for (const { send } of [...early, ...payments]) expect(await send()).toBe(true)
      }
      const back = await killedAmid(after, refunds)
      expect(back.size).toBeGreaterThanOrEqual(after)
      for (const { send } of [...refunds, ...payments]) expect(await send()).toBe(true)
      const { balance } = await ask(`GET /api/accounts/${accountId}`)
      expect(balance).toBe(String(ORDERS * 5 + ORDERS * 10))
    },
  )

  test('the books agree', async () => {
    expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok: /),
    })
  })
})
