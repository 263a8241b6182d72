// Rows of the tables that say what was taken out of the books (`books/archived/`).
import type { Archive, ArchivedKind } from '../../metering/usage/retention.ts'
import type { RowOf } from './row-of.ts'

/** The sums over usage records that are kept of a day when its records go. */
export const DAY_FIGURES = [
  'records',
  'requests',
  'failed',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'cost_nano',
  'balance_paid_nano',
  'other_charged_nano',
  'provider_cost_nano',
  'costed_nano',
  'credential_requests',
  'credential_failed',
  'credential_cost_nano',
  'credential_provider_cost_nano',
  'credential_costed_nano',
] as const

export type DayFigure = (typeof DAY_FIGURES)[number]

/** What was taken out of one day, UTC: the sums of it, in whole numbers. */
export interface ArchivedDayRow extends Record<DayFigure, bigint | number> {
  day_at: number
  kind: ArchivedKind
}

/** A file that was written before what it has was taken out. */
export type ArchiveRow = RowOf<Archive>
