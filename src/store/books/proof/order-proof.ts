import type { TablesTransaction } from '../../engine/database.ts'
import type { Agreement } from '../agreement.ts'
import type { StoredEntry, ProvenOrder, ProvenRefund } from '../reading.ts'
import { type Findings, usd } from './findings.ts'

/** Every paid order granted what it is for, once; refunds took back what they say; and nothing was credited without an order. */
export class OrderProof {
  readonly #findings: Findings
  readonly #credited: Agreement
  readonly #taken: Agreement
  readonly #sums: Agreement

  constructor(findings: Findings) {
    this.#findings = findings
    this.#credited = findings.agreement(
      (name, { one, other }) => `order ${name}: it granted ${usd(one[0])}, ledger entries say ${usd(other[0])}`,
    )
    this.#taken = findings.agreement(
      (name, { one, other }) => `refund ${name}: it took back ${usd(one[0])}, ledger entries say ${usd(other[0])}`,
    )
    this.#sums = findings.agreement(
      (name, { one, other }) =>
        `order ${name}: it says that ${usd(one[1])} was taken back, its refunds say ${usd(other[1])}; or they differ in what was refunded`,
    )
  }

  async readOrders(orders: readonly ProvenOrder[], transaction: TablesTransaction): Promise<void> {
    for (const order of orders) {
      this.#sums.one(order.id, order.refunded_nano, order.taken_back_nano)
      if (order.state === 'paid' && order.amount_nano !== null) {
        this.#credited.one(`${order.id} for ${order.account_id}`, order.amount_nano)
      }
    }
    if (!this.#findings.isFirstReading) return
    const plans = orders.filter(({ state, plan_json }) => state === 'paid' && plan_json !== null)
    const sold = await subscriptionsOf(plans, transaction)
    for (const { id, account_id: accountId, subscription_id: subscription } of plans) {
      if (sold.has(`${accountId} ${subscription}`)) continue
      this.#findings.say(`order ${id} for ${accountId}: it is paid, and there is no subscription ${subscription}`)
    }
  }

  readRefunds(refunds: readonly ProvenRefund[]): void {
    for (const refund of refunds) {
      const isKept = refund.state !== 'failed' && refund.state !== 'held' && !refund.is_waiting
      const taken = isKept ? refund.taken_nano : 0n
      this.#sums.other(refund.order_id, isKept ? refund.amount_nano : 0n, taken)
      this.#taken.one(`${refund.id} for ${refund.account_id}`, taken)
    }
  }

  readEntry(entry: StoredEntry): void {
    const [, what, id] = /^(order|refund|refund-failed):(.+)$/.exec(entry.once ?? '') ?? []
    if (what === 'order') this.#credited.other(`${id} for ${entry.account_id}`, entry.amount_nano)
    else if (what !== undefined) this.#taken.other(`${id} for ${entry.account_id}`, -entry.amount_nano)
    else if (entry.kind === 'refund') {
      this.#findings.say(`ledger entry ${entry.id}: it is of a refund, and names none`)
    }
  }
}

async function subscriptionsOf(orders: readonly ProvenOrder[], transaction: TablesTransaction): Promise<Set<string>> {
  const ids = orders.flatMap(({ subscription_id: id }) => id ?? [])
  if (ids.length === 0) return new Set()
  const rows = await transaction
    .selectFrom('subscriptions')
    .select(['account_id', 'id'])
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ account_id: accountId, id }) => `${accountId} ${id}`))
}
