import type { StatementSync } from 'node:sqlite'
import { type BudgetState, chargeBatch, type LeaseState, type UsageEntry } from '../books/charging.ts'
import {
  CHARGE_WIDTH,
  ID_COLUMN,
  PAYMENT_WIDTH,
  type SettlementRows,
  USAGE_COLUMNS,
  USAGE_WIDTH,
} from '../books/settlement-rows.ts'
import type { FileConnection } from './file-connection.ts'

/** Writes batches of settlements, one transaction each, with statements that stay prepared. */
export class BatchWriter {
  readonly #connection: FileConnection
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #insertRecord: StatementSync
  readonly #insertEntry: StatementSync
  readonly #readBudget: StatementSync
  readonly #readLease: StatementSync
  readonly #writeBudget: StatementSync
  readonly #writeLease: StatementSync

  constructor(connection: FileConnection) {
    this.#connection = connection
    this.#begin = connection.prepare('begin immediate')
    this.#commit = connection.prepare('commit')
    const columns = USAGE_COLUMNS.map(([name]) => name)
    this.#insertRecord = connection.prepare(
      `insert into usage_records (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
       on conflict (id) do nothing`,
    )
    this.#insertEntry = connection.prepare(
      `insert into ledger_entries
         (account_id, seq, id, created_at, kind, amount_nano, balance_after_nano, request_id, reason, actor, once)
       values (?, ?, ?, ?, 'usage', ?, ?, ?, '', 'gateway', null)`,
    )
    this.#readBudget = connection.prepare(
      'select limit_nano, used_nano, held_nano, overrun_nano, overruns, entries from budgets where id = ?',
    )
    this.#readLease = connection.prepare('select budget_id, granted_nano, charged_nano from leases where id = ?')
    this.#readBudget.setReturnArrays(true)
    this.#readLease.setReturnArrays(true)
    this.#writeBudget = connection.prepare(
      'update budgets set used_nano = ?, held_nano = ?, overrun_nano = ?, overruns = ?, entries = ? where id = ?',
    )
    this.#writeLease = connection.prepare('update leases set charged_nano = ? where id = ?')
  }

  /** Answers the overruns. Throws what SQLite says (a full disk, say) with nothing of the batch stored. */
  write(batch: SettlementRows): number {
    try {
      this.#connection.rollBack()
      this.#begin.run()
      const overruns = this.#charge(batch, this.#insertRecords(batch))
      this.#commit.run()
      return overruns
    } catch (error) {
      this.#connection.rollBack()
      throw error
    }
  }

  /** Answers which of them were not there before. */
  #insertRecords(batch: SettlementRows): Uint8Array {
    const isNew = new Uint8Array(batch.count)
    for (let index = 0; index < batch.count; index++) {
      const start = index * USAGE_WIDTH
      const { changes } = this.#insertRecord.run(...batch.records.slice(start + ID_COLUMN, start + USAGE_WIDTH))
      isNew[index] = Number(changes)
    }
    return isNew
  }

  #charge(batch: SettlementRows, isNew: Uint8Array): number {
    const budgets = new Map<string, BudgetState>()
    const leases = new Map<string, LeaseState>()
    for (let at = 0; at < batch.charges.length; at += CHARGE_WIDTH) {
      this.#loadBudget(batch.charges[at + 1] as string, budgets)
      this.#loadLease(batch.charges[at + 2] as string | null, leases)
    }
    for (let at = 0; at < batch.payments.length; at += PAYMENT_WIDTH) {
      this.#loadBudget(batch.payments[at + 1] as string, budgets)
    }
    const { entries, overruns } = chargeBatch(batch, (index) => isNew[index] === 1, { budgets, leases })
    for (const entry of entries) this.#insert(entry)
    for (const [id, { used, held, overrun, overruns: count, entries: written }] of budgets) {
      this.#writeBudget.run(used, held, overrun, count, written, id)
    }
    for (const [id, { charged }] of leases) this.#writeLease.run(charged, id)
    return overruns
  }

  #loadBudget(id: string, budgets: Map<string, BudgetState>): void {
    if (budgets.has(id)) return
    const row = this.#readBudget.get(id) as unknown as
      | readonly [bigint, bigint, bigint, bigint, bigint, bigint]
      | undefined
    if (row === undefined) return
    const [limit, used, held, overrun, overruns, entries] = row
    budgets.set(id, { limit, used, held, overrun, overruns, entries })
  }

  #loadLease(id: string | null, leases: Map<string, LeaseState>): void {
    if (id === null || leases.has(id)) return
    const row = this.#readLease.get(id) as unknown as readonly [string, bigint, bigint] | undefined
    if (row === undefined) return
    const [budgetId, granted, charged] = row
    leases.set(id, { budgetId, granted, charged })
  }

  #insert(entry: UsageEntry): void {
    const { accountId, seq, id, createdAt, amount, balanceAfter, requestId } = entry
    this.#insertEntry.run(accountId, seq, id, createdAt, amount, balanceAfter, requestId)
  }
}
