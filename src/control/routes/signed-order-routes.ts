import { changesBetween } from '../../access/audit.ts'
import { order, signedOrder, signedPayment, signedRefund } from '../../contract/payments.ts'
import { isSameAmount } from '../../core/currency.ts'
import type { CreateAnswer, Order } from '../../metering/funds/order.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlStores } from '../parts.ts'
import { auditedOrder, creditOrder, noteRefund } from '../payments/credit.ts'
import { paidOrder, readPrice, refundedOrder } from '../payments/order-answers.ts'
import { orderGrant, readGrant } from '../payments/read-grant.ts'
import { requireSigned } from '../payments/signed-call.ts'
import { orderView } from '../views/order-view.ts'

const route = routesOf('Billing')

const SIGNED =
  'For a shop of your own. Signed: `x-tollgate-signature` is `v1=` and the hexadecimal HMAC-SHA-256 with the signing secret over the purpose, a line feed, `x-tollgate-timestamp` (seconds), a line feed, and the body.'

const createOrder = route('post /api/payments/orders', {
  summary: 'Create an order of a shop',
  description: `${SIGNED} The purpose is \`order.create\`. The same order of a shop is created once; what it grants and costs stays as it was.`,
  who: 'anyone',
  body: signedOrder,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'conflict'],
  example: {
    body: {
      provider: 'my-shop',
      order: '2026-1007',
      account: 'ada@example.com',
      amount: '10',
      price: { amount: '9.50', currency: 'eur' },
    },
  },
  async handle(call, parts) {
    await requireSigned(call, 'order.create', parts)
    const { store, newId } = parts
    const { body } = call
    const price = readPrice(body.price, 'price')
    const grants = orderGrant(await readGrant(body, store))
    const accountId = await findAccount(body.account, store)
    const wanted = { provider: body.provider, providerOrder: body.order, accountId, grants, price }
    const made = await call.change(async ({ orders }, audit) => {
      const answer = createdOrder(await orders.create({ ...wanted, id: newId('ord'), createdAt: call.nowMs }))
      if (answer.kind === 'existing') return answer.order
      const changes = changesBetween({}, { ...auditedOrder(answer.order), state: 'open' })
      await audit({ action: 'order.create', subject: answer.order.id, accountId, changes })
      return answer.order
    })
    if (!isSameOrder(made, wanted)) {
      throw new Problem('conflict', 'This order of the shop was created before, for something else or another price.')
    }
    return orderView(made, null)
  },
})

const payOrder = route('post /api/payments/paid', {
  summary: 'Credit an order of a shop that was paid',
  description: `${SIGNED} The purpose is \`order.paid\`. Once answered the order is credited; sent again it is answered alike, and nothing is credited twice.`,
  who: 'anyone',
  body: signedPayment,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'payment_held'],
  async handle(call, parts) {
    await requireSigned(call, 'order.paid', parts)
    const { provider, order: name, price, invoice_url: invoiceUrl } = call.body
    const found = await findOrder(provider, name, parts.store)
    const received = readPrice(price, 'price')
    const answer = await creditOrder(call, parts, { order: found, received, payment: null, invoiceUrl })
    return orderView(paidOrder(answer), null)
  },
})

const refundOrder = route('post /api/payments/refunded', {
  summary: 'Take back what an order of a shop granted',
  description: `${SIGNED} The purpose is \`order.refunded\`. Each refund of the shop counts once; it may come before the payment does.`,
  who: 'anyone',
  body: signedRefund,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'payment_differs'],
  async handle(call, parts) {
    await requireSigned(call, 'order.refunded', parts)
    const { provider, order: name, refund, price, failed } = call.body
    const found = await findOrder(provider, name, parts.store)
    const amount = readPrice(price, 'price')
    const notice = { order: found, providerRefund: refund, amount, isDone: !failed, refundId: null }
    const answer = await noteRefund(call, parts, notice)
    return orderView(refundedOrder(answer), null)
  },
})

export const signedOrderRoutes: readonly ApiRoute[] = [createOrder, payOrder, refundOrder]

async function findAccount(name: string, { accounts }: Pick<ControlStores, 'accounts'>): Promise<string> {
  const found = name.includes('@') ? await accounts.findByEmail(name) : await accounts.findById(name)
  if (found === null) throw notFound('account')
  return found.id
}

async function findOrder(provider: string, name: string, { orders }: Pick<ControlStores, 'orders'>): Promise<Order> {
  const found = await orders.findByProvider(provider, name)
  if (found === null) throw notFound('order')
  return found
}

function createdOrder(answer: CreateAnswer): Extract<CreateAnswer, { order: Order }> {
  if ('order' in answer) return answer
  if (answer.kind === 'unknown_account') throw notFound('account')
  throw fieldProblem('plan', 'The plan no longer exists: see GET /api/plans.')
}

function isSameOrder(made: Order, wanted: Pick<Order, 'accountId' | 'grants' | 'price'>): boolean {
  const { grants: a } = made
  const { grants: b } = wanted
  const isSameGrant =
    a.kind === 'balance' ? b.kind === 'balance' && a.amount === b.amount : b.kind === 'plan' && a.planId === b.planId
  return isSameGrant && made.accountId === wanted.accountId && isSameAmount(made.price, wanted.price)
}
