import type { AccountLimits, SetLimits } from '../core/account-limits.ts'
import { type CountedLimitField, countsOnWire, setCountsOf, setCountsOnWire } from '../core/counted-limits.ts'
import { formatUsd, parseUsd } from '../core/money.ts'
import type { SpendWindow } from '../core/quota-window.ts'

interface SpendOnWire {
  readonly window: SpendWindow
  readonly usd: string
}

/** Limits as the contract's JSON writes them; what is absent is not set. */
export interface SentLimits extends Readonly<Partial<Record<CountedLimitField, number | null | undefined>>> {
  readonly spend?: readonly SpendOnWire[] | null | undefined
  readonly max_keys?: number | null | undefined
  readonly max_key_validity_days?: number | null | undefined
}

/** Reads what the contract's schema let through. undefined: nothing is set. */
export function setLimitsOf(sent: SentLimits | null | undefined): SetLimits | undefined {
  if (sent == null) return undefined
  const { spend, max_keys: maxKeys, max_key_validity_days: maxKeyValidityDays } = sent
  const limits: SetLimits = {
    ...setCountsOf(sent),
    ...(spend === undefined ? {} : { spend: (spend ?? []).map((each) => ({ ...each, usd: parseUsd(each.usd) })) }),
    ...(maxKeys === undefined ? {} : { maxKeys }),
    ...(maxKeyValidityDays === undefined ? {} : { maxKeyValidityDays }),
  }
  return Object.keys(limits).length === 0 ? undefined : limits
}

/** All limits that hold. */
export function accountLimitsOnWire(limits: AccountLimits) {
  return {
    ...countsOnWire(limits),
    spend: amounts(limits.spend),
    max_keys: limits.maxKeys,
    max_key_validity_days: limits.maxKeyValidityDays,
  }
}

/** The limits that are set; null: none. */
export function setLimitsOnWire(limits: SetLimits | undefined): Partial<ReturnType<typeof accountLimitsOnWire>> | null {
  if (limits === undefined) return null
  const { spend, maxKeys, maxKeyValidityDays } = limits
  return {
    ...setCountsOnWire(limits),
    ...(spend === undefined ? {} : { spend: amounts(spend) }),
    ...(maxKeys === undefined ? {} : { max_keys: maxKeys }),
    ...(maxKeyValidityDays === undefined ? {} : { max_key_validity_days: maxKeyValidityDays }),
  }
}

function amounts(spend: AccountLimits['spend']) {
  return spend.map(({ window, usd }) => ({ window, usd: formatUsd(usd) }))
}
