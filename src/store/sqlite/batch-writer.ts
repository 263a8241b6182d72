import type { StatementSync } from 'node:sqlite'
import type { NewAlert } from '../books/alert-lines.ts'
import { chargeBatch, type UsageEntry } from '../books/charging.ts'
import type { OpenBudget, OpenLease } from '../books/open-books.ts'
import { CHARGE_WIDTH, PAYMENT_WIDTH, type SettlementRows, STORED_RESPONSE_WIDTH } from '../engine/settlement-rows.ts'
import { ON_KNOWN_RECORD, USAGE_COLUMNS, USAGE_WIDTH } from '../books/usage-columns.ts'
import { addingTo, keyUses, ROLL_UPS, sumsFor, valuesOfSum } from '../books/roll-ups.ts'
import type { HourSum } from '../books/usage-hours.ts'
import type { FileConnection } from './file-connection.ts'
import { MISMATCH } from './sqlite-failure.ts'

/** Writes batches of settlements, one transaction each, with statements that stay prepared. */
export class BatchWriter {
  readonly #connection: FileConnection
  readonly #commit: StatementSync
  readonly #insertRecord: StatementSync
  readonly #insertEntry: StatementSync
  readonly #insertAlert: StatementSync
  /** The statement of each of `ROLL_UPS`. */
  readonly #addToRollUp: readonly StatementSync[]
  readonly #noteUse: StatementSync
  readonly #readBudget: StatementSync
  readonly #readLease: StatementSync
  readonly #writeBudget: StatementSync
  readonly #writeLease: StatementSync
  readonly #storeResponse: StatementSync

  constructor(connection: FileConnection) {
    this.#connection = connection
    this.#commit = connection.prepare('commit')
    this.#insertRecord = connection.prepare(INSERT_RECORD)
    this.#insertEntry = connection.prepare(INSERT_ENTRY)
    this.#insertAlert = connection.prepare(INSERT_ALERT)
    this.#addToRollUp = ROLL_UPS.map((rollUp) => {
      const signs = [...rollUp.columns, ...rollUp.figures].map(() => '?')
      return connection.prepare(addingTo(rollUp, `values (${signs.join(', ')})`))
    })
    this.#noteUse = connection.prepare(NOTE_USE)
    this.#readBudget = connection.prepare(READ_BUDGET)
    this.#readLease = connection.prepare('select budget_id, granted_nano, charged_nano from leases where id = ?')
    this.#readBudget.setReturnArrays(true)
    this.#readLease.setReturnArrays(true)
    this.#writeBudget = connection.prepare(WRITE_BUDGET)
    this.#writeLease = connection.prepare('update leases set charged_nano = ? where id = ?')
    this.#storeResponse = connection.prepare(STORE_RESPONSE)
  }

  /** Returns the overruns. Throws what SQLite says (a full disk, say) with nothing of the batch stored. */
  write(batch: SettlementRows): number {
    try {
      this.#connection.begin()
      const overruns = this.writeInside(batch)
      this.#commit.run()
      return overruns
    } catch (error) {
      this.#connection.rollBack()
      throw error
    }
  }

  /** Writes a batch within a transaction that has begun. */
  writeInside(batch: SettlementRows): number {
    try {
      const overruns = this.#charge(batch, this.#insertRecords(batch))
      this.#storeResponses(batch)
      return overruns
    } catch (error) {
      throw named(error)
    }
  }

  /** Returns which of them were not there before, or only as interrupted. */
  #insertRecords(batch: SettlementRows): Uint8Array {
    const isNew = new Uint8Array(batch.count)
    for (let index = 0; index < batch.count; index++) {
      const start = index * USAGE_WIDTH
      const { changes } = this.#insertRecord.run(...batch.records.slice(start, start + USAGE_WIDTH))
      isNew[index] = Number(changes)
    }
    return isNew
  }

  #charge(batch: SettlementRows, isNew: Uint8Array): number {
    const budgets = new Map<string, OpenBudget>()
    const leases = new Map<string, OpenLease>()
    for (let at = 0; at < batch.charges.length; at += CHARGE_WIDTH) {
      this.#loadBudget(batch.charges[at + 1] as string, budgets)
      this.#loadLease(batch.charges[at + 2] as string | null, leases)
    }
    for (let at = 0; at < batch.payments.length; at += PAYMENT_WIDTH) {
      this.#loadBudget(batch.payments[at + 1] as string, budgets)
    }
    const { entries, alerts, hours, overruns } = chargeBatch(batch, (index) => isNew[index] === 1, { budgets, leases })
    for (const entry of entries) this.#insert(entry)
    this.#addUp(hours)
    for (const alert of alerts) this.#tell(alert)
    for (const [id, { used, held, overrun, overruns: count, entries: written, endsAt }] of budgets) {
      this.#writeBudget.run(used, held, overrun, count, written, endsAt, id)
    }
    for (const [id, { charged }] of leases) this.#writeLease.run(charged, id)
    return overruns
  }

  #storeResponses({ storedResponses: values }: SettlementRows): void {
    for (let at = 0; at < values.length; at += STORED_RESPONSE_WIDTH) {
      this.#storeResponse.run(...values.slice(at, at + STORED_RESPONSE_WIDTH))
    }
  }

  #loadBudget(id: string, budgets: Map<string, OpenBudget>): void {
    if (budgets.has(id)) return
    const row = this.#readBudget.get(id) as unknown as BudgetColumns | undefined
    if (row === undefined) return
    const [kind, subjectId, limit, used, held, overrun, overruns, entries, endsAt, windowMs] = row
    budgets.set(id, { kind, subjectId, limit, used, held, overrun, overruns, entries, endsAt, windowMs })
  }

  #loadLease(id: string | null, leases: Map<string, OpenLease>): void {
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

  #addUp(hours: readonly HourSum[]): void {
    for (const [index, rollUp] of ROLL_UPS.entries()) {
      for (const sum of sumsFor(rollUp, hours, ONLY_LANE)) this.#addToRollUp[index]?.run(...valuesOfSum(sum))
    }
    for (const { accountId, keyId, usedAt, spent } of keyUses(hours)) this.#noteUse.run(accountId, keyId, usedAt, spent)
  }

  #tell({ id, kind, subjectId, percent, limit, used, windowMs, resetsAt, createdAt }: NewAlert): void {
    this.#insertAlert.run(id, kind, subjectId, percent, limit, used, windowMs, resetsAt, createdAt)
  }
}

type BudgetColumns = readonly [
  OpenBudget['kind'],
  string,
  bigint,
  bigint,
  bigint,
  bigint,
  bigint,
  bigint,
  bigint | null,
  bigint | null,
]

const INSERT_RECORD = `
  insert into usage_records (${USAGE_COLUMNS.map(([name]) => name).join(', ')})
  values (${USAGE_COLUMNS.map(() => '?').join(', ')}) ${ON_KNOWN_RECORD}`

const INSERT_ENTRY = `
  insert into ledger_entries
    (account_id, seq, id, created_at, kind, amount_nano, balance_after_nano, request_id, reason, actor, once)
  values (?, ?, ?, ?, 'usage', ?, ?, ?, '', 'gateway', null)`

const INSERT_ALERT = `
  insert into alerts (id, kind, subject_id, percent, limit_nano, used_nano, window_ms, resets_at, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`

/** Here one settles at a time. */
const ONLY_LANE = 0

const NOTE_USE = `
  insert into key_activity (account_id, key_id, last_used_at, spent_nano) values (?, ?, ?, ?)
  on conflict (account_id, key_id) do update set
    last_used_at = max(last_used_at, excluded.last_used_at), spent_nano = spent_nano + excluded.spent_nano`

const READ_BUDGET = `
  select kind, subject_id, limit_nano, used_nano, held_nano, overrun_nano, overruns, entries, ends_at, window_ms
  from budgets where id = ?`

const WRITE_BUDGET = `
  update budgets set used_nano = ?, held_nano = ?, overrun_nano = ?, overruns = ?, entries = ?, ends_at = ? where id = ?`

const STORE_RESPONSE = `
  insert into stored_responses (account_id, response_id, upstream_id, created_at) values (?, ?, ?, ?)
  on conflict (account_id, response_id) do nothing`

/** What could not even be bound has no result code of SQLite's. */
function named(error: unknown): unknown {
  const isUnbindable = error instanceof TypeError || error instanceof RangeError
  return isUnbindable && !('errcode' in error) ? Object.assign(error, { errcode: MISMATCH }) : error
}
