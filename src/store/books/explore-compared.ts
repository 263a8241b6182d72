import { nanoUsd } from '../../core/money.ts'
import type { ExploredSums } from '../../metering/usage/explore.ts'
import type { PlainExplored, PlainSums } from './explore-records.ts'

/** Sums with those of the time before. */
export type ComparedSums = PlainSums & Pick<ExploredSums, 'before'>

export interface Sums {
  readonly total: ComparedSums
  /** The rows by their ids as JSON. */
  readonly rows: ReadonlyMap<string, ComparedSums>
}

/** What was there only before stands last, where there is room; null: nothing is compared. */
export function withBefore(now: PlainExplored, before: PlainExplored | null, rowsLimit: number): Sums {
  const beforeOf = (sums: PlainSums | undefined): ExploredSums['before'] =>
    before === null
      ? null
      : { requests: sums?.requests ?? 0, failed: sums?.failed ?? 0, charged: nanoUsd(sums?.charged ?? 0n) }
  const rows = new Map([...now.rows].map(([ids, sums]) => [ids, { ...sums, before: beforeOf(before?.rows.get(ids)) }]))
  for (const [ids, sums] of before?.rows ?? []) {
    if (rows.size >= rowsLimit) break
    if (!rows.has(ids)) rows.set(ids, { ...NONE, before: beforeOf(sums) })
  }
  return { total: { ...now.total, before: beforeOf(before?.total) }, rows }
}

const NONE: PlainSums = {
  requests: 0,
  failed: 0,
  charged: nanoUsd(0n),
  tokens: { input: 0, cacheRead: 0, output: 0 },
  costs: { costed: nanoUsd(0n), providerCost: nanoUsd(0n) },
}
