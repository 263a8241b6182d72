import { formatUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { costOf } from '../../metering/cost.ts'
import type { LedgerProof } from '../../metering/ledger.ts'
import type { UsageRecord } from '../../metering/usage-record.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { Agreement, type Sides } from './agreement.ts'
import { availableIn, type StoredBudget } from './budget-rows.ts'
import { heldBy } from './charging.ts'
import { budgetsInChunks, entriesInChunks, leasesInChunks, recordsInChunks, type StoredEntry } from './reading.ts'
import { otherChargesOf, usageRecordOf } from './usage-rows.ts'

const DISAGREEMENTS_LIMIT = 100

/**
 * Compares every figure of the books that must agree. `transaction` sees one moment. Reads in chunks, once; a second time
 * only to name what disagrees.
 */
export async function proveBooks(transaction: TablesTransaction): Promise<LedgerProof> {
  const proof = new Proof()
  await proof.read(transaction)
  await proof.missingBalances(transaction)
  if (!proof.holds) {
    proof.beginAgain()
    await proof.read(transaction)
  }
  return proof.result()
}

class Proof {
  readonly #disagreements: string[] = []
  readonly #totals = { accounts: 0, entries: 0, records: 0, charged: 0n }
  #isFirstReading = true
  #previousEntry: StoredEntry | null = null

  readonly #limits = new Agreement()
  readonly #used = new Agreement()
  readonly #counts = new Agreement()
  readonly #payments = new Agreement()
  readonly #quotas = new Agreement()
  readonly #held = new Agreement()

  /** What is said of each name on which the sides of an agreement differ. */
  readonly #agreements: readonly (readonly [Agreement, (name: string, sides: Sides) => string])[] = [
    [
      this.#limits,
      (name, s) => `account ${name}: its entries but usage add up to ${usd(s.one)}, its balance says ${usd(s.other)}`,
    ],
    [
      this.#used,
      (name, s) => `account ${name}: its usage entries add up to ${usd(s.one)}, its balance says ${usd(s.other)}`,
    ],
    [this.#counts, (name, s) => `account ${name}: it has ${s.one} ledger entries, its balance says ${s.other}`],
    [
      this.#payments,
      (name, s) => `usage record ${name}: the balance paid ${usd(s.one)}, its ledger entry says ${usd(s.other)}`,
    ],
    [this.#quotas, (name, s) => `budget ${name}: records charged ${usd(s.one)} to it, it says ${usd(s.other)} is used`],
    [this.#held, (name, s) => `budget ${name}: its leases hold ${usd(s.one)}, it says ${usd(s.other)} is held`],
  ]

  get holds(): boolean {
    return this.#agreements.every(([agreement]) => agreement.holds)
  }

  beginAgain(): void {
    this.#isFirstReading = false
    for (const [agreement] of this.#agreements) agreement.beginAgain()
  }

  result(): LedgerProof {
    for (const [agreement, sentence] of this.#agreements) {
      for (const { name, sides } of agreement.differing()) this.#disagree(sentence(name, sides))
    }
    return { ...this.#totals, charged: nanoUsd(this.#totals.charged), disagreements: this.#disagreements }
  }

  async read(transaction: TablesTransaction): Promise<void> {
    for await (const budget of budgetsInChunks(transaction)) this.#readBudget(budget)
    for await (const lease of leasesInChunks(transaction)) {
      this.#held.one(lease.budget_id, heldBy(lease.granted_nano, lease.charged_nano))
    }
    this.#previousEntry = null
    for await (const entry of entriesInChunks(transaction)) this.#readEntry(entry)
    for await (const row of recordsInChunks(transaction)) {
      const record = usageRecordOf(row)
      this.#payments.one(paymentName(record.id, record.accountId), record.balancePaid)
      for (const { budgetId, cost } of otherChargesOf(row)) this.#quotas.one(budgetId, cost)
      if (this.#isFirstReading) this.#readRecord(record)
    }
  }

  async missingBalances(transaction: TablesTransaction): Promise<void> {
    const rows = await transaction
      .selectFrom('accounts')
      .select('id')
      .where((account) =>
        account.not(
          account.exists(
            account
              .selectFrom('budgets')
              .select('budgets.id')
              .whereRef('budgets.subject_id', '=', 'accounts.id')
              .where('budgets.kind', '=', 'balance'),
          ),
        ),
      )
      .limit(DISAGREEMENTS_LIMIT)
      .execute()
    for (const { id } of rows) this.#disagree(`account ${id}: it has no balance`)
  }

  #readBudget(budget: StoredBudget): void {
    this.#held.other(budget.id, budget.held_nano)
    if (budget.kind === 'key_quota') this.#quotas.other(budget.id, budget.used_nano)
    else {
      this.#limits.other(budget.subject_id, budget.limit_nano)
      this.#used.other(budget.subject_id, budget.used_nano)
      this.#counts.other(budget.subject_id, BigInt(budget.entries))
    }
    if (!this.#isFirstReading) return
    if (budget.kind === 'balance') this.#totals.accounts += 1
    const beyond = -availableIn(budget)
    if (beyond > budget.overrun_nano) {
      this.#disagree(
        `budget ${budget.id}: used and held are ${usd(beyond)} above its limit, of which overruns explain ${usd(budget.overrun_nano)}`,
      )
    }
  }

  #readEntry(entry: StoredEntry): void {
    this.#counts.one(entry.account_id, 1n)
    if (entry.kind === 'usage') {
      this.#used.one(entry.account_id, -entry.amount_nano)
      this.#payments.other(paymentName(entry.request_id ?? entry.id, entry.account_id), -entry.amount_nano)
    } else this.#limits.one(entry.account_id, entry.amount_nano)
    if (this.#isFirstReading) this.#followEntry(entry)
  }

  /** The entries of an account follow each other without a gap, and each says the balance after it. */
  #followEntry(entry: StoredEntry): void {
    const previous = this.#previousEntry?.account_id === entry.account_id ? this.#previousEntry : null
    this.#previousEntry = entry
    this.#totals.entries += 1
    const seq = (previous?.seq ?? 0) + 1
    if (entry.seq !== seq) this.#disagree(`ledger entry ${entry.id}: it is number ${entry.seq}, where ${seq} should be`)
    const balance = (previous?.balance_after_nano ?? 0n) + entry.amount_nano
    if (entry.balance_after_nano !== balance) {
      this.#disagree(
        `ledger entry ${entry.id}: it says a balance of ${usd(entry.balance_after_nano)}, where ${usd(balance)} is right`,
      )
    }
    if (entry.kind === 'usage' && entry.amount_nano >= 0n) {
      this.#disagree(`ledger entry ${entry.id}: a usage of ${usd(-entry.amount_nano)} is not more than nothing`)
    }
  }

  #readRecord(record: UsageRecord): void {
    this.#totals.records += 1
    this.#totals.charged += record.cost
    const cost = recordedCost(record)
    if (cost !== record.cost) {
      this.#disagree(
        `usage record ${record.id}: it says a cost of ${usd(record.cost)}, its tokens and prices make ${usd(cost)}`,
      )
    }
    if (record.balancePaid < 0n || record.balancePaid > record.cost) {
      this.#disagree(`usage record ${record.id}: the balance paid ${usd(record.balancePaid)} of ${usd(record.cost)}`)
    }
  }

  #disagree(sentence: string): void {
    if (this.#disagreements.length < DISAGREEMENTS_LIMIT) this.#disagreements.push(sentence)
  }
}

/** What the record's own tokens, prices and multiplier make. */
function recordedCost({ tokens, prices, multiplier }: UsageRecord): bigint {
  return prices === null || multiplier === null ? ZERO_NANO_USD : costOf(tokens, prices, multiplier)
}

function paymentName(requestId: string, accountId: string): string {
  return `${requestId} of ${accountId}`
}

function usd(amount: bigint): string {
  return `$${formatUsd(nanoUsd(amount))}`
}
