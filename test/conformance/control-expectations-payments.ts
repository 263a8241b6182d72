import { type Currency } from '../../src/core/currency.ts'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import type { Expectation, Making } from './control-expectation.ts'
import { adminOnly, allAlike, ofOwner, type Statuses } from './control-statuses.ts'

/** What programs sign has no asker: who they are is in the signature, and control-payments.test.ts looks at it. */
const unsigned = (): Statuses => ({ anonymous: 422, other: 422, owner: 422, admin: 422, adminToken: 422 })

const unset = (): Statuses => ({ anonymous: 409, other: 409, owner: 409, admin: 409, adminToken: 409 })

export const EXPECTATIONS_OF_PAYMENTS: Readonly<Record<string, Expectation>> = {
  'GET /api/orders': { statuses: allAlike() },
  'GET /api/orders.csv': { statuses: allAlike() },
  'GET /api/orders.ndjson': { statuses: allAlike() },
  'GET /api/orders/{id}': { statuses: ofOwner(), make: anOrder },
  'POST /api/orders/{id}/refund': { statuses: adminOnly(), make: anOrder, body: { reason: 'walked' } },
  'GET /api/payments': { statuses: allAlike() },
  // Nothing is set up.
  'POST /api/orders': { statuses: { ...allAlike(409), adminToken: 422 }, body: { provider: 'stripe', amount: '5' } },
  'POST /api/payments/stripe': { statuses: unset(), body: {} },
  'POST /api/payments/epay': { statuses: unset(), body: {} },
  'GET /api/payments/epay': { statuses: unset() },
  'PATCH /api/payment-settings': { statuses: adminOnly(), body: { smallest: '2' } },
  'POST /api/payments/orders': { statuses: unsigned(), body: {} },
  'POST /api/payments/paid': { statuses: unsigned(), body: {} },
  'POST /api/payments/refunded': { statuses: unsigned(), body: {} },
  'GET /api/payment-settings': { statuses: adminOnly() },
  'POST /api/payment-settings/signing-secret': { statuses: adminOnly(201), body: {} },
}

/** Paid, and not spent. */
async function anOrder({ control, owner }: Making): Promise<{ readonly id: string }> {
  const nowMs = control.clock.now()
  const id = newId('ord', nowMs)
  const price = { currency: 'eur' as Currency, nano: 9_500_000_000n }
  const grants = { kind: 'balance', amount: parseUsd('1') } as const
  const order = {
    id,
    accountId: owner.account.id,
    provider: 'shop',
    providerOrder: id,
    grants,
    price,
    createdAt: nowMs,
  }
  await control.store.orders.create(order)
  const ids = { entryId: newId('led', nowMs), subscriptionId: newId('sub', nowMs) }
  await control.store.orders.pay({
    orderId: id,
    received: price,
    payment: null,
    invoiceUrl: null,
    nowMs,
    actor: 'payment',
    ...ids,
  })
  return { id }
}
