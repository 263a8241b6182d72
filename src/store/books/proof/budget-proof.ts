import type { Agreement } from '../agreement.ts'
import { availableIn, type StoredBudget } from '../budget-rows.ts'
import { heldBy } from '../charging.ts'
import type { ProvenRecord, StoredLease } from '../reading.ts'
import { otherChargesOf } from '../usage-rows.ts'
import { type Findings, usd } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'
import type { ArchivedDays } from './archived-days.ts'

/** What budgets say is used and held is what records charged and leases hold, no limit is passed, and windows are in order. */
export class BudgetProof {
  readonly #findings: Findings
  readonly #archived: ArchivedDays
  readonly #used: Agreement
  readonly #held: Agreement
  readonly #charged: GatheredSums
  /** The row before, when it is a window that has not opened. */
  #unopened: StoredBudget | null = null

  constructor(findings: Findings, archived: ArchivedDays) {
    this.#findings = findings
    this.#archived = archived
    this.#used = findings.agreement(
      (name, { one, other }) =>
        `budget ${name}: records charged ${usd(one[0])} to it, it says ${usd(other[0])} is used`,
    )
    this.#held = findings.agreement(
      (name, { one, other }) => `budget ${name}: its leases hold ${usd(one[0])}, it says ${usd(other[0])} is held`,
    )
    this.#charged = new GatheredSums((name, figures) => this.#used.one(name, ...figures))
  }

  /** Budgets come in the order of their ids, so the windows of one follow each other. */
  readBudget(budget: StoredBudget): void {
    if (budget.held_nano !== 0n) this.#held.other(budget.id, budget.held_nano)
    // What a balance paid is in the ledger, and what was used before an import in the books of another gateway.
    const gone = this.#archived.isArchiveRead ? 0n : budget.retired_nano
    if (budget.kind !== 'balance') this.#used.other(budget.id, budget.used_nano - budget.brought_nano - gone)
    if (!this.#findings.isFirstReading) return
    this.#checkLimit(budget)
    if (budget.window_ms !== null) this.#checkWindow(budget)
  }

  readLease(lease: StoredLease): void {
    this.#held.one(lease.budget_id, heldBy(lease.granted_nano, lease.charged_nano))
  }

  readRecord(row: ProvenRecord): void {
    for (const { budgetId, cost } of otherChargesOf(row)) this.#charged.add(budgetId, [cost])
  }

  endRecords(): void {
    this.#charged.flush()
  }

  #checkLimit(budget: StoredBudget): void {
    const beyond = -availableIn(budget)
    if (beyond <= budget.overrun_nano) return
    const explained = `of which overruns explain ${usd(budget.overrun_nano)}`
    this.#findings.say(`budget ${budget.id}: used and held are ${usd(beyond)} above its limit, ${explained}`)
  }

  #checkWindow(budget: StoredBudget): void {
    const hasOpened = budget.ends_at !== null
    const isUsed = budget.used_nano !== 0n
    if (isUsed && !hasOpened) {
      this.#findings.say(`budget ${budget.id}: ${usd(budget.used_nano)} of it is used, and its window has no end`)
    }
    if (hasOpened && !isUsed)
      this.#findings.say(`budget ${budget.id}: nothing of it is used, and its window has an end`)
    const before = this.#unopened
    if (before !== null && windowsOf(before.id) === windowsOf(budget.id)) {
      this.#findings.say(`budget ${before.id}: its window has no end, and ${budget.id} follows it`)
    }
    this.#unopened = hasOpened ? null : budget
  }
}

/** The budget that a window's row belongs to. */
function windowsOf(rowId: string): string {
  return rowId.slice(0, rowId.lastIndexOf(':'))
}
