import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Stripe's API as far as payments use it, from its published reference (docs.stripe.com/api): Checkout sessions, payment
 * intents, refunds and invoices, idempotency keys, error objects, and signed events. Amounts are in the smallest unit.
 */

export interface FakeStripe {
  readonly url: string
  readonly webhookSecret: string
  readonly secretKey: string
  /** What was asked for, oldest first: method and path. */
  readonly calls: readonly string[]
  readonly refunds: readonly StripeObject[]
  /** The newest session. */
  session(): StripeObject
  /** The payer pays the session: the object of the event that says so. */
  pay(session: StripeObject, fields?: StripeObject): StripeObject
  /** An event as it is sent: its body, and the header that signs it. */
  event(type: string, object: StripeObject, signed?: { at: number; secret?: string }): Sent
  /** Answers the next request like `POST /v1/refunds` with this status, and does nothing. */
  failNext(call: string, status: number): void
  /** Does what the next two such requests ask for (the package tries again), and answers them with 500. */
  loseNextAnswer(call: string): void
  close(): Promise<void>
}

export type StripeObject = Readonly<Record<string, unknown>>
export interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const SECRET_KEY = 'sk_test_only_for_tests_0123456789'
const WEBHOOK_SECRET = 'whsec_only_for_tests_0123456789'

export async function fakeStripe(): Promise<FakeStripe> {
  const objects = new Map<string, StripeObject>()
  const answered = new Map<string, { readonly sent: string; readonly answer: StripeObject }>()
  const calls: string[] = []
  const failures = new Map<string, readonly number[]>()
  let made = 0
  const newId = (prefix: string) => `${prefix}_${++made}`
  const keep = (object: StripeObject) => {
    objects.set(String(object['id']), object)
    return object
  }
  const ofKind = (kind: string) => [...objects.values()].filter(({ object }) => object === kind)

  function make(path: string, form: URLSearchParams): StripeObject {
    const metadata = nested(form, 'metadata')
    if (path === '/v1/checkout/sessions') {
      const intent = keep({
        id: newId('pi'),
        object: 'payment_intent',
        metadata: nested(form, 'payment_intent_data[metadata]'),
      })
      const id = newId('cs_test')
      return keep({
        id,
        object: 'checkout.session',
        amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]'),
        client_reference_id: form.get('client_reference_id'),
        customer_email: form.get('customer_email'),
        metadata,
        payment_status: 'unpaid',
        status: 'open',
        payment_intent: null,
        intent: intent['id'],
        wants_invoice: form.get('invoice_creation[enabled]') === 'true',
        invoice: null,
        success_url: form.get('success_url'),
        url: `https://checkout.stripe.com/c/pay/${id}`,
      })
    }
    const payment = String(form.get('payment_intent'))
    const paid = ofKind('checkout.session').find(({ intent }) => intent === payment)
    const amount = Number(form.get('amount') ?? paid?.['amount_total'])
    const before = ofKind('refund').filter(({ payment_intent: of }) => of === payment)
    const refunded = before.reduce((sum, each) => sum + Number(each['amount']), 0)
    if (paid === undefined || refunded + amount > Number(paid['amount_total'])) {
      throw new Refused(400, 'invalid_request_error', 'Refund amount is greater than unrefunded amount on charge')
    }
    const fields = { amount, currency: paid['currency'], payment_intent: payment, metadata, status: 'succeeded' }
    return keep({ id: newId('re'), object: 'refund', ...fields })
  }

  function read(path: string, query: URLSearchParams): StripeObject {
    if (path === '/v1/refunds') {
      const data = ofKind('refund').filter(({ payment_intent: of }) => of === query.get('payment_intent'))
      return { object: 'list', data, has_more: false, url: path }
    }
    const found = objects.get(path.split('/').at(-1) ?? '')
    if (found === undefined) throw new Refused(404, 'invalid_request_error', 'No such object')
    return found
  }

  function answer(request: IncomingMessage, body: string): StripeObject {
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      throw new Refused(401, 'invalid_request_error', 'Invalid API Key provided')
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe.test')
    if (request.method === 'GET') return read(pathname, searchParams)
    const key = String(request.headers['idempotency-key'])
    const known = answered.get(key)
    if (known !== undefined && known.sent !== body)
      throw new Refused(400, 'idempotency_error', 'Keys can only be used once')
    const given = known?.answer ?? make(pathname, new URLSearchParams(body))
    answered.set(key, { sent: body, answer: given })
    return given
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://stripe.test').pathname
      const call = `${request.method} ${path}`
      calls.push(call)
      const [failure, ...later] = failures.get(call) ?? []
      failures.set(call, later)
      const say = (status: number, object: StripeObject) =>
        response
          .writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
          .end(JSON.stringify(object))
      if (failure !== undefined && failure > 0) return say(failure, { error: { type: 'api_error', message: 'fake' } })
      try {
        const object = answer(request, Buffer.concat(chunks).toString())
        if (failure === 0) say(500, { error: { type: 'api_error', message: 'it was done, and is not said' } })
        else say(200, object)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        say(error.status, { error: { type: error.type, message: error.message } })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    webhookSecret: WEBHOOK_SECRET,
    secretKey: SECRET_KEY,
    calls,
    get refunds() {
      return ofKind('refund')
    },
    session() {
      const [newest] = ofKind('checkout.session').toReversed()
      if (newest === undefined) throw new Error('no session was made')
      return newest
    },
    pay(session, fields = {}) {
      const invoice = session['wants_invoice'] === true ? newId('in') : null
      if (invoice !== null) {
        keep({ id: invoice, object: 'invoice', hosted_invoice_url: `https://invoice.stripe.com/i/${invoice}` })
      }
      const paid = { payment_status: 'paid', status: 'complete', payment_intent: session['intent'], invoice }
      return keep({ ...session, ...paid, ...fields })
    },
    event(type, object, signed) {
      const at = signed?.at ?? Date.now()
      const body = JSON.stringify({
        id: newId('evt'),
        object: 'event',
        type,
        api_version: '2026-10-28',
        data: { object },
      })
      const time = Math.floor(at / 1000)
      const mac = createHmac('sha256', signed?.secret ?? WEBHOOK_SECRET)
        .update(`${time}.${body}`)
        .digest('hex')
      return { body, headers: { 'stripe-signature': `t=${time},v1=${mac}`, 'content-type': 'application/json' } }
    },
    failNext: (call, status) => void failures.set(call, [status]),
    loseNextAnswer: (call) => void failures.set(call, [0, 0]),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class Refused extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** `name[key]=value` as an object. */
function nested(form: URLSearchParams, name: string): Readonly<Record<string, string>> {
  const inside = [...form].filter(([field]) => field.startsWith(`${name}[`))
  return Object.fromEntries(inside.map(([field, value]) => [field.slice(name.length + 1, -1), value]))
}
