import { costOf } from '../../../metering/prices/cost.ts'
import type { TablesTransaction } from '../../engine/database.ts'
import { quotasOf } from '../../schema/quotas-json.ts'
import type { ProvenRecord } from '../reading.ts'
import { otherChargesOf, pricedTokensOf, subscriptionsPaidOf } from '../usage-rows.ts'
import { type Findings, usd } from './findings.ts'

/** A subscription as it was sold: nothing of this changes. */
interface Terms {
  readonly accountId: string
  /** Names of windows. */
  readonly windows: readonly string[]
}

/** Each record's cost follows from its tokens and prices, and is what its payers paid and its quotas counted. */
export class RecordProof {
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  async readRecords(rows: readonly ProvenRecord[], transaction: TablesTransaction): Promise<void> {
    if (!this.#findings.isFirstReading) return
    const terms = await termsOf(rows, transaction)
    for (const row of rows) this.#readRecord(row, terms)
  }

  #readRecord(row: ProvenRecord, terms: ReadonlyMap<string, Terms>): void {
    const say = (sentence: string) => this.#findings.say(`usage record ${row.id}: ${sentence}`)
    const cost = recordedCost(row)
    if (cost !== row.cost_nano) {
      say(`it says a cost of ${usd(row.cost_nano)}, its tokens and prices make ${usd(cost)}`)
    }
    const paid = subscriptionsPaidOf(row)
    const fromPlans = paid.reduce((sum, payment) => sum + payment.paid, 0n)
    if (row.balance_paid_nano + fromPlans !== row.cost_nano || row.balance_paid_nano < 0n) {
      say(`the balance paid ${usd(row.balance_paid_nano)} and subscriptions ${usd(fromPlans)} of ${usd(row.cost_nano)}`)
    }
    if (row.other_charges_json === null && paid.length === 0) return
    this.#readCharges(row, { paid: new Map(paid.map((each) => [each.subscriptionId, each.paid])), terms, say })
  }

  #readCharges(
    row: ProvenRecord,
    { paid, terms, say }: { paid: Map<string, bigint>; terms: ReadonlyMap<string, Terms>; say: (text: string) => void },
  ): void {
    const charged = chargedByBudget(row)
    for (const [budget, amount] of charged.caps) {
      if (amount !== row.cost_nano) say(`${usd(amount)} of its ${usd(row.cost_nano)} was charged to ${budget}`)
    }
    for (const [subscriptionId, amount] of paid) {
      const sold = terms.get(subscriptionId)
      if (sold?.accountId !== row.account_id) {
        say(`subscription ${subscriptionId}, which paid for it, is not one of account ${row.account_id}`)
        continue
      }
      for (const window of sold.windows) {
        const budget = `sub:${subscriptionId}:${window}`
        const counted = charged.windows.get(budget) ?? 0n
        if (counted !== amount) {
          say(`subscription ${subscriptionId} paid ${usd(amount)}, and ${usd(counted)} was charged to ${budget}`)
        }
      }
    }
    for (const budget of charged.windows.keys()) {
      const [, subscriptionId = '', window = ''] = budget.split(':')
      const isSold = terms.get(subscriptionId)?.windows.includes(window)
      if (!paid.has(subscriptionId)) say(`${budget} was charged, and subscription ${subscriptionId} paid nothing`)
      else if (isSold === false) say(`${budget} was charged, and subscription ${subscriptionId} has no such quota`)
    }
  }
}

/** What a record charged, by budget, whatever windows it ran through: to caps of its key, and to windows of subscriptions. */
function chargedByBudget(row: ProvenRecord): {
  readonly caps: ReadonlyMap<string, bigint>
  readonly windows: ReadonlyMap<string, bigint>
} {
  const caps = new Map<string, bigint>()
  const windows = new Map<string, bigint>()
  for (const { budgetId, cost } of otherChargesOf(row)) {
    const [kind = '', subject = '', period = ''] = budgetId.split(':', 3)
    const sums = kind === 'sub' ? windows : caps
    const budget = `${kind}:${subject}:${period}`
    sums.set(budget, (sums.get(budget) ?? 0n) + cost)
  }
  return { caps, windows }
}

async function termsOf(
  rows: readonly ProvenRecord[],
  transaction: TablesTransaction,
): Promise<ReadonlyMap<string, Terms>> {
  const ids = new Set(rows.flatMap((row) => subscriptionsPaidOf(row).map(({ subscriptionId }) => subscriptionId)))
  if (ids.size === 0) return new Map()
  const found = await transaction
    .selectFrom('subscriptions')
    .select(['id', 'account_id', 'quotas_json'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    found.map((row) => [
      row.id,
      { accountId: row.account_id, windows: quotasOf(row.quotas_json).map(({ window }) => window) },
    ]),
  )
}

/** What the record's own tokens, prices and multiplier make. */
function recordedCost(row: ProvenRecord): bigint {
  const { tokens, prices, multiplier } = pricedTokensOf(row)
  return prices === null || multiplier === null ? 0n : costOf(tokens, prices, multiplier)
}
