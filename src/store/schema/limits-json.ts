import type { ColumnType } from 'kysely'
import type { LimitRaise } from '../../access/limits-in-force.ts'
import type { SetLimits } from '../../core/account-limits.ts'
import { nanoUsd } from '../../core/money.ts'
import type { SpendWindow } from '../../core/quota-window.ts'

/** A `limits_json` column: of an account, a plan or a subscription; null: none is set. */
export type LimitsColumn = ColumnType<unknown, string | null, string | null>

interface StoredLimits extends Omit<SetLimits, 'spend'> {
  /** nano-USD as text: JSON has no integers of 64 bits. */
  readonly spend?: readonly { readonly window: SpendWindow; readonly usdNano: string }[]
}

/** Writes the limits that are set. */
export function limitsJson(limits: SetLimits | undefined): string | null {
  if (limits === undefined || Object.keys(limits).length === 0) return null
  const { spend, ...others } = limits
  const amounts = spend?.map(({ window, usd }) => ({ window, usdNano: String(usd) }))
  return JSON.stringify({ ...others, ...(amounts === undefined ? {} : { spend: amounts }) } satisfies StoredLimits)
}

/** `parsed`: the content of the column. Absent where none is set, as in the objects that have limits. */
export function limitsIn(parsed: unknown): { readonly limits?: SetLimits } {
  if (parsed === null) return {}
  const { spend, ...others } = parsed as StoredLimits
  if (spend === undefined) return { limits: others }
  const amounts = spend.map(({ window, usdNano }) => ({ window, usd: nanoUsd(BigInt(usdNano)) }))
  return { limits: { ...others, spend: amounts } }
}

/** Writes the `raise_json` column of an account; null: none was given. */
export function raiseJson(raise: LimitRaise | undefined): string | null {
  return raise === undefined ? null : `{"endsAt":${raise.endsAt},"limits":${limitsJson(raise.limits)}}`
}

export function raiseIn(parsed: unknown): { readonly raise?: LimitRaise } {
  if (parsed === null) return {}
  const { endsAt, limits } = parsed as { readonly endsAt: number; readonly limits: unknown }
  return { raise: { limits: limitsIn(limits).limits ?? {}, endsAt } }
}
