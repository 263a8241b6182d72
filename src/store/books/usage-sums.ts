import { type RawBuilder, sql } from 'kysely'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import type { UsageFigures } from '../schema/roll-up-tables.ts'

/** The sums of a roll-up's rows, as columns. */
export const FIGURE_SUMS = [
  sumOf('requests'),
  sumOf('failed'),
  sumOf('input_tokens'),
  sumOf('cache_read_tokens'),
  sumOf('output_tokens'),
  sumOf('cost_nano'),
  sumOf('balance_paid_nano'),
] as const

/** Sums of columns, 0 where there are no rows. PostgreSQL sums integers to numeric, which would come as text. */
export function addedUp(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint) as ${sql.ref(name)}`))
}

function sumOf<Column extends keyof UsageFigures>(column: Column) {
  return sql<UsageFigures[Column]>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)
}

export function totalsOf(row: UsageFigures): UsageTotals {
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

export const NO_USE: UsageTotals = {
  requests: 0,
  failed: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
  cost: ZERO_NANO_USD,
  balancePaid: ZERO_NANO_USD,
}

export function together(a: UsageTotals, b: UsageTotals): UsageTotals {
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

/** What is left of `a` without `b`. */
export function without(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    requests: a.requests - b.requests,
    failed: a.failed - b.failed,
    inputTokens: a.inputTokens - b.inputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cost: nanoUsd(a.cost - b.cost),
    balancePaid: nanoUsd(a.balancePaid - b.balancePaid),
  }
}
