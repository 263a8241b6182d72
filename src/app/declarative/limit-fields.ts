import { z } from 'zod'
import type { SetLimits } from '../../core/account-limits.ts'
import { BOUNDS, type MoneyBound } from '../../core/bounds.ts'
import { COUNTED_LIMIT_FIELDS, forEachCount, setCountsOf } from '../../core/counted-limits.ts'
import { oncePerWindow, oneOf, usd, wholeNumber } from './fields.ts'

const count = () => wholeNumber(BOUNDS.account_limits.count).nullish()

/** The amounts of a limit on spending, as keys and accounts have it. */
export function spendLimits(bound: MoneyBound) {
  const spend = z.strictObject({ window: oneOf('5h', '1d', '7d'), usd: usd(bound) }, 'a map with window and usd')
  return oncePerWindow(spend, 'spend limits')
}

/** The fields of an account's limits as the contract writes them, for accounts and plans. null: no such limit. */
export const accountLimitFields = {
  ...forEachCount(count),
  spend: spendLimits(BOUNDS.account_limits.spend).nullish(),
  max_keys: wholeNumber(BOUNDS.account_limits.max_keys).nullish(),
  max_key_validity_days: wholeNumber(BOUNDS.account_limits.max_key_validity_days).nullish(),
} as const

/** Limits that are set: those that are written, also as null. */
export function accountLimits() {
  return z
    .strictObject(accountLimitFields, `a map with ${Object.keys(accountLimitFields).join(', ')}`)
    .transform((fields): SetLimits => ({
      ...setCountsOf(fields),
      ...(fields.spend === undefined ? {} : { spend: fields.spend ?? [] }),
      ...(fields.max_keys === undefined ? {} : { maxKeys: fields.max_keys }),
      ...(fields.max_key_validity_days === undefined ? {} : { maxKeyValidityDays: fields.max_key_validity_days }),
    }))
}

/** As objects have limits: absent where none is set. */
export function limitsWritten(limits: SetLimits | null | undefined): { readonly limits?: SetLimits } {
  return limits == null || Object.keys(limits).length === 0 ? {} : { limits }
}

/** For messages. */
export const RATE_LIMIT_FIELDS = `${COUNTED_LIMIT_FIELDS.join(', ')} or spend`
