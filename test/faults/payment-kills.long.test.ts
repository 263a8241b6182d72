import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedPurpose, signatureOf } from '../../src/payments/signature.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'

/*
 * A gateway that is killed while payments and refunds of a shop come in: what it answered is in the books, what it did not
 * answer is sent again, as providers do, and everything is there once.
 */

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const ORDERS = 24
/** The numbers of answers of a round after which the gateway is killed. */
const KILLED_AFTER = [1, 6, 15]
const PRICE = { amount: '9.50', currency: 'eur' }
const HALF = { amount: '4.75', currency: 'eur' }

let root: string
let gateway: GatewayProcess
let environment: Readonly<Record<string, string>>
let secret: string
let accountId: string
let orders: readonly string[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-payment-kills-'))
  environment = gatewayEnvironment(join(root, 'data'), { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN })
  gateway = await startGatewayProcess(environment)
  secret = (await admin('POST', '/api/payment-settings/signing-secret', {}))['secret'] ?? ''
  accountId = (await admin('POST', '/api/accounts', { email: 'ada@example.test' }))['id'] ?? ''
})
afterAll(async () => {
  await gateway.stop()
  await rm(root, { recursive: true, force: true })
})

async function admin(method: string, path: string, body?: object) {
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as Readonly<Record<string, string>>
}

/** Sends a notice as a shop does; resolves with the order’s state, or null where no answer came. */
async function send(purpose: SignedPurpose, path: string, sent: object): Promise<string | null> {
  const body = JSON.stringify(sent)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf({ purpose, timestamp, body, secret })
  const headers = {
    'content-type': 'application/json',
    'x-tollgate-timestamp': timestamp,
    'x-tollgate-signature': signature,
  }
  try {
    const response = await fetch(`${gateway.origin}/api/payments/${path}`, { method: 'POST', headers, body })
    const answer = (await response.json()) as { state?: string }
    return response.status === 200 ? (answer.state ?? null) : null
  } catch {
    return null
  }
}

async function stateOf(order: string): Promise<string> {
  const { data } = (await admin('GET', `/api/orders?account_id=${accountId}&limit=200`)) as unknown as {
    data: readonly { provider_order: string; state: string }[]
  }
  return data.find(({ provider_order: name }) => name === order)?.state ?? 'none'
}

/** Sends one step of every order at once, kills the gateway after some answers, and starts it again. */
async function killedAmid(after: number, step: (order: string) => Promise<string | null>): Promise<Set<string>> {
  const answered = new Set<string>()
  let killing: Promise<void> | null = null
  await Promise.all(
    orders.map(async (order) => {
      if ((await step(order)) === null) return
      answered.add(order)
      if (answered.size >= after) killing ??= gateway.kill()
    }),
  )
  await (killing ?? gateway.kill())
  gateway = await startGatewayProcess(environment)
  return answered
}

test.for(KILLED_AFTER)(
  'killed after %d answers, nothing that was answered is lost, and nothing is there twice',
  async (after) => {
    orders = Array.from({ length: ORDERS }, (_, i) => `${after}-${i}`)
    const before = Number((await admin('GET', `/api/accounts/${accountId}`))['balance'])
    for (const order of orders) {
      const made = { provider: 'shop', order, account: accountId, amount: '10', price: PRICE }
      expect(await send('order.create', 'orders', made)).toBe('open')
    }
    const pay = (order: string) => send('order.paid', 'paid', { provider: 'shop', order, price: PRICE })
    const refund = (order: string) =>
      send('order.refunded', 'refunded', { provider: 'shop', order, refund: 'r1', price: HALF })
    const paid = await killedAmid(after, pay)
    expect(paid.size).toBeGreaterThanOrEqual(after)
    for (const order of paid) expect(await stateOf(order)).toBe('paid')
    for (const order of orders) expect(await pay(order)).toBe('paid')
    const back = await killedAmid(after, refund)
    for (const order of back) expect(await stateOf(order)).toBe('partly_refunded')
    for (const order of orders) expect(await refund(order)).toBe('partly_refunded')
    const account = await admin('GET', `/api/accounts/${accountId}`)
    expect(Number(account['balance']) - before).toBe(ORDERS * 5)
  },
)

test('the books agree', async () => {
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  })
})
