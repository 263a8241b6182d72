import type { Selectable } from 'kysely'
import type { PlanTerms } from '../../access/subscription.ts'
import type { Currency } from '../../core/currency.ts'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd } from '../../core/money.ts'
import type { Order, OrderGrant, OrderRefund } from '../../metering/funds/order.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { OrderRefundRow, OrderRow } from '../schema/control-rows.ts'
import { limitsIn, limitsJson } from '../schema/limits-json.ts'
import { quotasJson, quotasOf } from '../schema/quotas-json.ts'

/** Orders and their refunds between rows and objects. */

export type StoredOrder = Selectable<OrderRow>
export type StoredRefund = Selectable<OrderRefundRow>

export async function readOrder(transaction: TablesTransaction, id: string): Promise<Order> {
  const row = await transaction.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return orderOf(row)
}

export function orderOf(row: StoredOrder): Order {
  return {
    id: row.id,
    accountId: row.account_id,
    provider: row.provider,
    providerOrder: row.provider_order,
    grants: grantsOf(row),
    price: { currency: row.currency as Currency, nano: row.price_nano },
    state: row.state,
    trouble: row.trouble,
    payment: row.payment,
    checkoutUrl: row.checkout_url,
    invoiceUrl: row.invoice_url,
    refundedNano: row.refunded_nano,
    takenBack: nanoUsd(row.taken_back_nano),
    subscriptionId: row.subscription_id,
    createdAt: row.created_at,
    paidAt: row.paid_at,
  }
}

export function refundOf(row: StoredRefund): OrderRefund {
  return {
    id: row.id,
    orderId: row.order_id,
    providerRefund: row.provider_refund,
    amountNano: row.amount_nano,
    taken: nanoUsd(row.taken_nano),
    state: row.state,
    reason: row.reason,
    actor: row.actor,
    createdAt: row.created_at,
  }
}

function grantsOf(row: StoredOrder): OrderGrant {
  if (row.plan_json === null) return { kind: 'balance', amount: nanoUsd(row.amount_nano ?? 0n) }
  const { id, name } = planIn(row)
  return { kind: 'plan', planId: id, planName: name }
}

/** The columns of a plan as it is sold now. */
export function planJson({ id, name, groupIds, opensGroups, days, quotas, limits }: Plan): string {
  const money = { quotas: quotasJson(quotas), limits: limitsJson(limits) }
  return JSON.stringify({ id, name, groupIds, opensGroups, days, ...money } satisfies StoredPlan)
}

export function planIn({ id, plan_json: json }: StoredOrder): PlanTerms {
  invariant(json !== null, `the order ${id} grants no plan`)
  const { quotas, limits, opensGroups = true, ...terms } = json as StoredPlan
  return {
    ...terms,
    opensGroups,
    quotas: quotasOf(JSON.parse(quotas)),
    ...limitsIn(limits === null ? null : JSON.parse(limits)),
  }
}

interface StoredPlan {
  readonly id: string
  readonly name: string
  readonly groupIds: readonly string[]
  /** Absent in orders from before there was a choice: it opens them. */
  readonly opensGroups?: boolean
  readonly days: number
  readonly quotas: string
  readonly limits: string | null
}
