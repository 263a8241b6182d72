import { sql } from 'kysely'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { UsageRecord } from '../../metering/usage-record.ts'
import type { UsageStore, UsageTotals } from '../../metering/usage-store.ts'
import type { Database } from '../engine/database.ts'
import { usageRecordOf } from './usage-rows.ts'

const HOUR_MS = 3_600_000

export class SqlUsageStore implements UsageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async record(id: string): Promise<UsageRecord | null> {
    const row = await this.#database.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : usageRecordOf(row)
  }

  async totalsOfKey(keyId: string, sinceMs: number): Promise<{ since: UsageTotals; ever: UsageTotals }> {
    const hourAt = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
    const rows = await this.#database.kysely
      .selectFrom('usage_hours')
      .select([
        sql<boolean>`cast(case when hour_at >= ${hourAt} then 1 else 0 end as bigint)`.as('is_since'),
        sumOf('requests'),
        sumOf('failed'),
        sumOf('input_tokens'),
        sumOf('cache_read_tokens'),
        sumOf('output_tokens'),
        sumOf('cost_nano'),
        sumOf('balance_paid_nano'),
      ])
      .where('key_id', '=', keyId)
      // By its place: each mention of the moment would be a parameter of its own, and so another expression.
      .groupBy(sql`1`)
      .execute()
    const parts = rows.map((row) => ({ isSince: row.is_since, totals: totalsOf(row) }))
    const since = parts.find(({ isSince }) => isSince)?.totals ?? NOTHING
    const before = parts.find(({ isSince }) => !isSince)?.totals ?? NOTHING
    return { since, ever: together(since, before) }
  }
}

/** PostgreSQL sums integers to numeric, which would come as text. */
function sumOf<Column extends keyof SummedRow>(column: Column) {
  return sql<SummedRow[Column]>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)
}

interface SummedRow {
  readonly requests: number
  readonly failed: number
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly output_tokens: number
  readonly cost_nano: bigint
  readonly balance_paid_nano: bigint
}

function totalsOf(row: SummedRow): UsageTotals {
  return {
    requests: row.requests,
    failed: row.failed,
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens,
    outputTokens: row.output_tokens,
    cost: nanoUsd(row.cost_nano),
    balancePaid: nanoUsd(row.balance_paid_nano),
  }
}

const NOTHING: UsageTotals = {
  requests: 0,
  failed: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
  cost: ZERO_NANO_USD,
  balancePaid: ZERO_NANO_USD,
}

function together(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    requests: a.requests + b.requests,
    failed: a.failed + b.failed,
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cost: nanoUsd(a.cost + b.cost),
    balancePaid: nanoUsd(a.balancePaid + b.balancePaid),
  }
}
