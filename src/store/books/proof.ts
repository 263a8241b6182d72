import { nanoUsd } from '../../core/money.ts'
import type { LedgerProof, OnProofProgress } from '../../metering/funds/ledger.ts'
import type { ArchivedRecords } from '../../metering/usage/retention.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { AlertProof } from './proof/alert-proof.ts'
import { BalanceProof } from './proof/balance-proof.ts'
import { BudgetProof } from './proof/budget-proof.ts'
import { COST_ROLL_UPS, CostProof } from './proof/cost-proof.ts'
import { Findings } from './proof/findings.ts'
import { HourProof } from './proof/hour-proof.ts'
import { OrderProof } from './proof/order-proof.ts'
import { ProofProgress } from './proof/proof-progress.ts'
import { RecordProof } from './proof/record-proof.ts'
import { RedeemProof } from './proof/redeem-proof.ts'
import { ArchivedDays } from './proof/archived-days.ts'
import { ArchivedProof, takenOut } from './proof/archived-proof.ts'
import { FURTHER_ROLL_UPS, RollUpProof } from './proof/roll-up-proof.ts'
import {
  alertPortions,
  budgetPortions,
  entryPortions,
  hourPortions,
  keyUsePortions,
  leasePortions,
  orderPortions,
  type ProvenRecord,
  recordPortions,
  redeemCodePortions,
  refundPortions,
  rollUpPortions,
} from './reading.ts'
import type { RollUp } from './roll-ups.ts'

const NAMED_LIMIT = 100

interface ProofOptions {
  readonly hasJournal: boolean
  readonly archive?: ArchivedRecords | null
  readonly onProgress?: OnProofProgress | null
}

/**
 * Compares every figure of the books that must agree. `transaction` sees one moment. Reads everything once, in portions; a
 * second time only to name what disagrees.
 */
export async function proveBooks(
  transaction: TablesTransaction,
  { hasJournal, archive = null, onProgress = null }: ProofOptions,
): Promise<LedgerProof> {
  const archived = await ArchivedDays.read(transaction, archive !== null)
  const proof = new Proof(archived, { archive, progress: new ProofProgress(onProgress) })
  if (hasJournal) await proof.refusedSettlements(transaction)
  await proof.read(transaction)
  await proof.missingBalances(transaction)
  if (!proof.sumsAgree) {
    proof.beginAgain()
    await proof.read(transaction)
  }
  return proof.result()
}

class Proof {
  readonly #findings = new Findings()
  readonly #archive: ArchivedRecords | null
  readonly #progress: ProofProgress
  readonly #archivedDays: ArchivedDays
  readonly #archived: ArchivedProof
  readonly #balances: BalanceProof
  readonly #budgets: BudgetProof
  readonly #records = new RecordProof(this.#findings)
  readonly #hours: HourProof
  readonly #rollUps: RollUpProof
  readonly #costs: readonly CostProof[]
  readonly #codes = new RedeemProof(this.#findings)
  readonly #orders = new OrderProof(this.#findings)
  readonly #alerts = new AlertProof(this.#findings)
  #totals = NOTHING

  constructor(
    archived: ArchivedDays,
    { archive, progress }: { readonly archive: ArchivedRecords | null; readonly progress: ProofProgress },
  ) {
    this.#archive = archive
    this.#progress = progress
    this.#archivedDays = archived
    this.#archived = new ArchivedProof(this.#findings, archived)
    this.#balances = new BalanceProof(this.#findings, archived)
    this.#budgets = new BudgetProof(this.#findings, archived)
    this.#hours = new HourProof(this.#findings, archived)
    this.#rollUps = new RollUpProof(this.#findings, archived)
    this.#costs = COST_ROLL_UPS.map((rollUp) => new CostProof(this.#findings, rollUp, archived))
  }

  get sumsAgree(): boolean {
    return this.#findings.sumsAgree
  }

  beginAgain(): void {
    this.#findings.beginAgain()
    this.#progress.beginAgain()
  }

  result(): LedgerProof {
    const { charged, ...counts } = this.#totals
    return { ...counts, charged: nanoUsd(charged), disagreements: this.#findings.sentences() }
  }

  async read(transaction: TablesTransaction): Promise<void> {
    this.#totals = { ...NOTHING, ...this.#archivedDays.totals }
    this.#archived.readDays()
    await this.#readBudgets(transaction)
    await this.#readEntries(transaction)
    await this.#readRecords(transaction)
    await this.#readRollUps(transaction)
    for await (const codes of this.#progress.ofTable(transaction, 'redeem_codes', redeemCodePortions))
      await this.#codes.readCodes(codes, transaction)
    for await (const orders of this.#progress.ofTable(transaction, 'orders', orderPortions))
      await this.#orders.readOrders(orders, transaction)
    for await (const refunds of this.#progress.ofTable(transaction, 'order_refunds', refundPortions))
      this.#orders.readRefunds(refunds)
    for await (const alerts of this.#progress.ofTable(transaction, 'alerts', alertPortions))
      await this.#alerts.readAlerts(alerts, transaction)
  }

  /** What is durable, and was not taken into the books. */
  async refusedSettlements(transaction: TablesTransaction): Promise<void> {
    const rows = await transaction
      .selectFrom('settle_journal')
      .select(['id', 'refusal'])
      .where('refusal', 'is not', null)
      .limit(NAMED_LIMIT)
      .execute()
    for (const { id, refusal } of rows) this.#findings.say(`settlement ${id} of the journal is in no book: ${refusal}`)
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
      .limit(NAMED_LIMIT)
      .execute()
    for (const { id } of rows) this.#findings.say(`account ${id}: it has no balance`)
  }

  async #readBudgets(transaction: TablesTransaction): Promise<void> {
    for await (const budgets of this.#progress.ofTable(transaction, 'budgets', budgetPortions)) {
      for (const budget of budgets) {
        if (budget.kind === 'balance') this.#totals.accounts += 1
        this.#totals.overruns += budget.overruns
        this.#balances.readBudget(budget)
        this.#budgets.readBudget(budget)
        this.#archived.readBudget(budget)
      }
    }
    for await (const leases of this.#progress.ofTable(transaction, 'leases', leasePortions)) {
      for (const lease of leases) this.#budgets.readLease(lease)
    }
  }

  async #readEntries(transaction: TablesTransaction): Promise<void> {
    for await (const entries of this.#progress.ofTable(transaction, 'ledger_entries', entryPortions)) {
      this.#totals.entries += entries.length
      for (const entry of entries) {
        this.#balances.readEntry(entry)
        this.#archived.readEntry(entry)
        this.#codes.readEntry(entry)
        this.#orders.readEntry(entry)
      }
    }
    this.#balances.endEntries()
  }

  async #readRecords(transaction: TablesTransaction): Promise<void> {
    for await (const records of this.#progress.ofTable(transaction, 'usage_records', recordPortions)) {
      await this.#readPortion(records, transaction)
      for (const record of records) this.#archived.readRecord(record)
    }
    if (this.#archive !== null) {
      for await (const lines of this.#progress.of('archived records', this.#archive.count, this.#archive.lines())) {
        const records = await takenOut(lines, transaction)
        await this.#readPortion(records, transaction)
        for (const record of records) this.#archived.readArchived(record)
      }
    }
    this.#budgets.endRecords()
    this.#hours.endRecords()
    for (const costs of this.#costs) costs.endRecords()
  }

  async #readPortion(records: readonly ProvenRecord[], transaction: TablesTransaction): Promise<void> {
    this.#totals.records += records.length
    await this.#records.readRecords(records, transaction)
    for (const record of records) {
      this.#totals.charged += record.cost_nano
      this.#balances.readRecord(record)
      this.#budgets.readRecord(record)
      this.#hours.readRecord(record)
      this.#rollUps.readRecord(record)
      for (const costs of this.#costs) costs.readRecord(record)
    }
  }

  #rowsOf(transaction: TablesTransaction, rollUp: RollUp) {
    return this.#progress.ofTable(transaction, rollUp.table, rollUpPortions(rollUp))
  }

  async #readRollUps(transaction: TablesTransaction): Promise<void> {
    for await (const hours of this.#progress.ofTable(transaction, 'usage_hours', hourPortions)) {
      for (const hour of hours) {
        this.#hours.readHour(hour)
        this.#rollUps.readHour(hour)
        this.#archived.readHour(hour)
      }
    }
    this.#rollUps.endHours()
    for (const rollUp of FURTHER_ROLL_UPS) {
      for await (const rows of this.#rowsOf(transaction, rollUp)) {
        for (const row of rows) this.#rollUps.readRow(rollUp, row)
      }
    }
    for (const costs of this.#costs) {
      for await (const rows of this.#rowsOf(transaction, costs.rollUp)) {
        for (const row of rows) {
          costs.readRow(row)
          this.#archived.readCosts(costs.rollUp, row)
        }
      }
    }
    for await (const uses of this.#progress.ofTable(transaction, 'key_activity', keyUsePortions)) {
      for (const use of uses) this.#rollUps.readKeyUse(use)
    }
    this.#rollUps.endKeyUses()
  }
}

const NOTHING = { accounts: 0, entries: 0, records: 0, retired: 0, charged: 0n, overruns: 0 }
