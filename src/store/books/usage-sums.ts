import { type RawBuilder, sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
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

export const NO_USE: UsageTotals = totalsOf({
  requests: 0,
  failed: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  output_tokens: 0,
  cost_nano: 0n,
  balance_paid_nano: 0n,
})

export function together(a: UsageTotals, b: UsageTotals): UsageTotals {
  return combined(a, b, 1)
}

/** What is left of `a` without `b`. */
export function without(a: UsageTotals, b: UsageTotals): UsageTotals {
  return combined(a, b, -1)
}

function combined(a: UsageTotals, b: UsageTotals, sign: 1 | -1): UsageTotals {
  return {
    requests: a.requests + sign * b.requests,
    failed: a.failed + sign * b.failed,
    inputTokens: a.inputTokens + sign * b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + sign * b.cacheReadTokens,
    outputTokens: a.outputTokens + sign * b.outputTokens,
    cost: nanoUsd(a.cost + BigInt(sign) * b.cost),
    balancePaid: nanoUsd(a.balancePaid + BigInt(sign) * b.balancePaid),
  }
}
