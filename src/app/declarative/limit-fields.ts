import { z } from 'zod'
import type { SetLimits } from '../../core/account-limits.ts'
import { ACCOUNT_LIMITS, limitsSet } from '../../contract/objects/account-limits.ts'
import { BOUNDS, type MoneyBound } from '../../core/bounds.ts'
import { COUNTED_LIMIT_FIELDS } from '../../core/counted-limits.ts'
import { oncePerWindow, oneOf, usd } from './fields.ts'
import { fileShape } from './file-shape.ts'

/** The amounts of a limit on spending, as keys and accounts have it. */
export function spendLimits(bound: MoneyBound) {
  const spend = z.strictObject({ window: oneOf('5h', '1d', '7d'), usd: usd(bound) }, 'a map with window and usd')
  return oncePerWindow(spend, 'spend limits')
}

const shape = fileShape(ACCOUNT_LIMITS, { spend: spendLimits(BOUNDS.account_limits.spend) })

const nullish: [string, z.ZodType][] = Object.entries<z.ZodType>(shape).map(([name, schema]) => [
  name,
  schema.nullish(),
])

/** The fields of an account's limits as the contract writes them, for accounts and plans. null: no such limit. */
export const accountLimitFields = Object.fromEntries(nullish) as Record<keyof typeof shape, z.ZodType>

/** Limits that are set: those that are written, also as null. */
export function accountLimits() {
  return z
    .strictObject(accountLimitFields, `a map with ${Object.keys(accountLimitFields).join(', ')}`)
    .transform(({ spend, ...fields }): SetLimits =>
      limitsSet({ ...fields, ...(spend === undefined ? {} : { spend: spend ?? [] }) }),
    )
}

/** The limits of an object, absent where none is set. */
export function limitsWritten(limits: SetLimits | null | undefined): { readonly limits?: SetLimits } {
  return limits == null || Object.keys(limits).length === 0 ? {} : { limits }
}

/** The names of the fields of a key's limits, for messages. */
export const RATE_LIMIT_FIELDS = `${COUNTED_LIMIT_FIELDS.join(', ')} or spend`
