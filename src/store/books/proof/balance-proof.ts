import type { Agreement } from '../agreement.ts'
import type { StoredBudget } from '../budget-rows.ts'
import type { ProvenRecord, StoredEntry } from '../reading.ts'
import { type Findings, usd } from './findings.ts'
import type { ArchivedDays } from './archived-days.ts'

/** Balances are the sums of their ledger entries, and every payment from a balance has its entry. */
export class BalanceProof {
  readonly #findings: Findings
  readonly #archived: ArchivedDays
  /** Limits, uses and numbers of entries, by account: the entries' side first. */
  readonly #balances: Agreement
  readonly #payments: Agreement
  #previous: StoredEntry | null = null
  #account = { id: '', limit: 0n, used: 0n, entries: 0n }

  constructor(findings: Findings, archived: ArchivedDays) {
    this.#findings = findings
    this.#archived = archived
    this.#balances = findings.agreement((name, { one, other }) => sentenceOf(name, one, other))
    this.#payments = findings.agreement(
      (name, { one, other }) =>
        `usage record ${name}: the balance paid ${usd(one[0])}, its ledger entry says ${usd(other[0])}`,
    )
  }

  readBudget(budget: StoredBudget): void {
    if (budget.kind !== 'balance') return
    this.#balances.other(budget.subject_id, budget.limit_nano, budget.used_nano, BigInt(budget.entries))
  }

  readRecord({ id, account_id, created_at, balance_paid_nano }: ProvenRecord): void {
    if (balance_paid_nano !== 0n && this.#archived.keptOf(created_at) !== 'sums')
      this.#payments.one(paymentName(id, account_id), balance_paid_nano)
  }

  /** Entries come account by account, oldest first. */
  readEntry(entry: StoredEntry): void {
    if (entry.account_id !== this.#account.id) this.#nextAccount(entry.account_id)
    this.#account.entries += 1n
    if (entry.kind === 'usage') {
      this.#account.used -= entry.amount_nano
      if (this.#archived.keptOf(entry.created_at) !== 'sums') {
        this.#payments.other(paymentName(entry.request_id ?? entry.id, entry.account_id), -entry.amount_nano)
      }
    } else this.#account.limit += entry.amount_nano
    if (this.#findings.isFirstReading) this.#followEntry(entry)
    this.#previous = entry
  }

  endEntries(): void {
    this.#nextAccount('')
  }

  #nextAccount(id: string): void {
    const { limit, used, entries } = this.#account
    if (entries > 0n) this.#balances.one(this.#account.id, limit, used, entries)
    this.#account = { id, limit: 0n, used: 0n, entries: 0n }
    this.#previous = null
  }

  /** The entries of an account follow each other without a gap, and each says the balance after it. */
  #followEntry(entry: StoredEntry): void {
    const seq = (this.#previous?.seq ?? 0) + 1
    const name = `ledger entry ${entry.id}`
    if (entry.seq !== seq) this.#findings.say(`${name}: it is number ${entry.seq}, where ${seq} should be`)
    const balance = (this.#previous?.balance_after_nano ?? 0n) + entry.amount_nano
    const said = entry.balance_after_nano
    if (said !== balance) {
      this.#findings.say(`${name}: it says a balance of ${usd(said)}, where ${usd(balance)} is right`)
    }
    if (entry.kind === 'usage' && entry.amount_nano >= 0n) {
      this.#findings.say(`${name}: a usage of ${usd(-entry.amount_nano)} is not more than nothing`)
    }
  }
}

function sentenceOf(accountId: string, entries: readonly bigint[], balance: readonly bigint[]): string {
  const differences = [
    entries[0] !== balance[0] &&
      `its entries but usage add up to ${usd(entries[0])}, its balance says ${usd(balance[0])}`,
    entries[1] !== balance[1] && `its usage entries add up to ${usd(entries[1])}, its balance says ${usd(balance[1])}`,
    entries[2] !== balance[2] && `it has ${entries[2]} ledger entries, its balance says ${balance[2]}`,
  ]
  return `account ${accountId}: ${differences.filter((each) => each !== false).join('; ')}`
}

function paymentName(requestId: string, accountId: string): string {
  return `${requestId} of ${accountId}`
}
