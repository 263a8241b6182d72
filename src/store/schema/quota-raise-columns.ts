import type { ColumnType, Selectable } from 'kysely'
import type { QuotaRaise } from '../../access/quota-raise.ts'
import { nanoUsd } from '../../core/money.ts'

/** A raise of a key's quota for a while; null: there is none. */
export interface QuotaRaiseColumns {
  quota_raise_json: ColumnType<unknown, string | null | undefined, string | null>
  /** When the raise ends, in a column of its own by which raises that are over are found. */
  quota_raise_ends_at: ColumnType<number | null, number | null | undefined, number | null>
}

/** nano-USD as text: JSON has no integers of 64 bits. */
interface StoredRaise {
  readonly from: string
  readonly to: string
  readonly by: string
}

export function quotaRaiseColumns(raise: QuotaRaise | undefined) {
  if (raise === undefined) return { quota_raise_json: null, quota_raise_ends_at: null }
  const { from, to, by, endsAt } = raise
  const stored: StoredRaise = { from: String(from), to: String(to), by }
  return { quota_raise_json: JSON.stringify(stored), quota_raise_ends_at: endsAt }
}

/** Absent where there is none, as in keys. */
export function quotaRaiseIn(row: Selectable<QuotaRaiseColumns>): { readonly quotaRaise?: QuotaRaise } {
  const { quota_raise_json: json, quota_raise_ends_at: endsAt } = row
  if (json === null || endsAt === null) return {}
  const { from, to, by } = json as StoredRaise
  return { quotaRaise: { from: nanoUsd(BigInt(from)), to: nanoUsd(BigInt(to)), endsAt, by } }
}
