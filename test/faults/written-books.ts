import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'

/** The books as they stand in the embedded database, read past the product. Integers are bigint; money is nano-USD. */
export interface WrittenBooks {
  readonly records: readonly WrittenRecord[]
  readonly entries: readonly WrittenEntry[]
  readonly budgets: readonly WrittenBudget[]
  readonly leases: readonly WrittenLease[]
}

export interface WrittenRecord {
  readonly id: string
  readonly account_id: string
  readonly key_id: string
  readonly model: string | null
  readonly wire: string
  readonly is_stream: bigint
  readonly outcome: string
  readonly fault: string | null
  readonly http_status: bigint | null
  readonly input_tokens: bigint | null
  readonly cache_read_tokens: bigint | null
  readonly cache_write_tokens: bigint | null
  readonly cache_write_1h_tokens: bigint | null
  readonly output_tokens: bigint | null
  readonly reasoning_tokens: bigint | null
  readonly usage_source: string
  readonly is_capped: bigint
  readonly price_input_nano: bigint | null
  readonly price_output_nano: bigint | null
  readonly price_cache_read_nano: bigint | null
  readonly price_cache_write_nano: bigint | null
  readonly multiplier_ppm: bigint | null
  readonly cost_nano: bigint
  readonly balance_paid_nano: bigint
  readonly attempts_json: string
  readonly client: string | null
}

export interface WrittenEntry {
  readonly account_id: string
  readonly seq: bigint
  readonly kind: string
  readonly amount_nano: bigint
  readonly balance_after_nano: bigint
  readonly request_id: string | null
}

export interface WrittenBudget {
  readonly id: string
  readonly kind: string
  readonly subject_id: string
  readonly limit_nano: bigint
  readonly used_nano: bigint
  readonly held_nano: bigint
}

export interface WrittenLease {
  readonly id: string
  readonly budget_id: string
  readonly node_id: string
  /** Epoch milliseconds. */
  readonly expires_at: bigint
}

/** Everything of one moment, also beside a running gateway. */
export function readBooks(dataDirectory: string): WrittenBooks {
  const database = open(dataDirectory)
  try {
    database.exec('begin')
    return {
      records: rows<WrittenRecord>(database, 'select * from usage_records order by id'),
      entries: rows<WrittenEntry>(database, 'select * from ledger_entries order by account_id, seq'),
      budgets: rows<WrittenBudget>(database, 'select * from budgets order by id'),
      leases: rows<WrittenLease>(database, 'select * from leases order by id'),
    }
  } finally {
    database.close()
  }
}

/** Leases of any node but that of this process. */
export function leasesOfOthers(dataDirectory: string, processId: number): readonly WrittenLease[] {
  const database = open(dataDirectory)
  try {
    return rows<WrittenLease>(database, `select * from leases where ${OF_OTHERS}`, processId)
  } finally {
    database.close()
  }
}

const OF_OTHERS = 'node_id not in (select id from nodes where process_id = ?)'

/** The ids of accounts by e-mail address, and of keys by name. */
export function readIds(dataDirectory: string): { accounts: Map<string, string>; keys: Map<string, string> } {
  const database = open(dataDirectory)
  try {
    const accounts = rows<{ id: string; email: string }>(database, 'select id, email from accounts')
    const keys = rows<{ id: string; name: string }>(database, 'select id, name from api_keys')
    return {
      accounts: new Map(accounts.map(({ id, email }) => [email, id])),
      keys: new Map(keys.map(({ id, name }) => [name, id])),
    }
  } finally {
    database.close()
  }
}

function open(dataDirectory: string): DatabaseSync {
  return new DatabaseSync(join(dataDirectory, 'tollgate.db'), { readOnly: true, timeout: 5_000 })
}

function rows<Row>(database: DatabaseSync, sql: string, ...values: number[]): Row[] {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all(...values) as Row[]
}
