import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'

/** The books as they stand in the database, read past the product. Integers are bigint; money is nano-USD. */
export interface WrittenBooks {
  readonly records: readonly WrittenRecord[]
  readonly entries: readonly WrittenEntry[]
  readonly budgets: readonly WrittenBudget[]
  readonly leases: readonly WrittenLease[]
  readonly openRequests: readonly { readonly id: string }[]
  readonly subscriptions: readonly { readonly id: string; readonly account_id: string }[]
}

export interface WrittenRecord {
  readonly id: string
  /** Epoch milliseconds, by the gateway's clock. */
  readonly created_at: bigint
  readonly total_ms: bigint
  readonly account_id: string
  readonly key_id: string
  readonly group_name: string | null
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
  /** `[[id, nano-USD as text], …]`; null: none. */
  readonly subscriptions_paid_json: string | null
  readonly other_charges_json: string | null
  readonly attempts_json: string
  readonly client: string | null
  /** What is missing and where, as JSON; null: nothing of the kind is known. */
  readonly fault_facts: string | null
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
}

/** Where a database is. `databaseUrl` null: embedded, in the data directory. */
export interface BooksPlace {
  readonly dataDirectory: string
  readonly databaseUrl: string | null
}

/** Everything of one moment, also beside a running gateway. */
export async function readBooks(place: BooksPlace): Promise<WrittenBooks> {
  return asking(place, async (ask) => {
    await ask('begin')
    return {
      records: await ask<WrittenRecord>('select * from usage_records order by id'),
      entries: await ask<WrittenEntry>('select * from ledger_entries order by account_id, seq'),
      budgets: await ask<WrittenBudget>('select * from budgets order by id'),
      leases: await ask<WrittenLease>('select * from leases order by id'),
      openRequests: await ask<{ id: string }>('select id from open_requests order by id'),
      subscriptions: await ask<{ id: string; account_id: string }>('select id, account_id from subscriptions'),
    }
  })
}

/** Leases of any node but that of this process. */
export function leasesOfOthers(place: BooksPlace, processId: number): Promise<readonly WrittenLease[]> {
  const own = `select id from nodes where process_id = ${processId}`
  return asking(place, (ask) => ask<WrittenLease>(`select * from leases where node_id not in (${own})`))
}

/** The ids of accounts by email address, and of keys by name. */
export function readIds(place: BooksPlace): Promise<{ accounts: Map<string, string>; keys: Map<string, string> }> {
  return asking(place, async (ask) => {
    const accounts = await ask<{ id: string; email: string }>('select id, email from accounts')
    const keys = await ask<{ id: string; name: string }>('select id, name from api_keys')
    return {
      accounts: new Map(accounts.map(({ id, email }) => [email, id])),
      keys: new Map(keys.map(({ id, name }) => [name, id])),
    }
  })
}

type Ask = <Row>(sql: string) => Promise<Row[]>

async function asking<Answer>(place: BooksPlace, questions: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  return place.databaseUrl === null ? askingFile(place, questions) : askingServer(place.databaseUrl, questions)
}

/**
 * What was settled a moment ago stands in a journal, as does what a killed gateway left: in a form of the product's own,
 * which it is asked to bring into the books.
 */
async function foldJournals(dataDirectory: string): Promise<void> {
  const store = await openStore({ databaseUrl: null, dataDirectory, clock: systemClock })
  await store.close()
}

async function askingFile<Answer>(
  { dataDirectory }: BooksPlace,
  questions: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  await foldJournals(dataDirectory)
  const database = new DatabaseSync(join(dataDirectory, 'tollgate.db'), { readOnly: true, timeout: 5_000 })
  try {
    return await questions(async <Row>(sql: string) => {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all() as Row[]
    })
  } finally {
    database.close()
  }
}

/** What PostgreSQL calls a truth is a number in the embedded database, and so is every integer here. */
const READERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1n : 0n),
  20: BigInt,
  21: BigInt,
  23: BigInt,
}

async function askingServer<Answer>(url: string, questions: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const types = { getTypeParser: (type: number) => READERS[type] ?? String }
  const client = new pg.Client({ connectionString: url, types })
  // A server that is killed meanwhile: the question that is under way says so.
  client.on('error', () => {})
  await client.connect()
  try {
    return await questions(async <Row>(sql: string) => {
      const text = sql === 'begin' ? 'begin isolation level repeatable read read only' : sql
      return (await client.query(text)).rows as Row[]
    })
  } finally {
    await client.end()
  }
}
