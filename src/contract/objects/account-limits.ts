import { z } from '@hono/zod-openapi'
import type { AccountLimits, SetLimits } from '../../core/account-limits.ts'
import { type Bound, BOUNDS } from '../../core/bounds.ts'
import { COUNTED_LIMITS, type CountedLimits } from '../../core/counted-limits.ts'
import { formatUsd, parseUsd } from '../../core/money.ts'
import type { SpendWindow } from '../../core/quota-window.ts'
import { usd, usdAmount, wholeNumber } from '../wire-values.ts'
import { type FieldType, orNull, plainType, wholeType } from './field-types.ts'
import { field, patchShape, writtenOf } from './object-fields.ts'

export const spendWindow = z.enum(['5h', '1d', '7d'])

type SpendOnWire = { window: SpendWindow; usd: string }[]

const spendShown = z.array(z.object({ window: spendWindow, usd }))

/** Amounts by their windows; null: none. */
const SPEND: FieldType<SpendOnWire | null, AccountLimits['spend']> = {
  shown: spendShown,
  sent: z
    .array(z.object({ window: spendWindow, usd: usdAmount }).strict())
    .max(spendWindow.options.length)
    .nullable()
    .describe('each window at most once; null or empty: no such limit'),
  read: (sent) => (sent ?? []).map((each) => ({ ...each, usd: parseUsd(each.usd) })),
  write: (held) => held.map((each) => ({ window: each.window, usd: formatUsd(each.usd) })),
}

/** The fields of the limits of an account, all of its keys together. */
export const ACCOUNT_LIMITS = {
  ...countFields(),
  spend: field('spend', SPEND, { shown: spendShown }),
  max_keys: field('maxKeys', orNull(described(BOUNDS.account_limits.max_keys, 'keys that are not deleted'))),
  max_key_validity_days: field(
    'maxKeyValidityDays',
    orNull(
      described(
        BOUNDS.account_limits.max_key_validity_days,
        'days from the creation of a key until its end, at most; a key without an end is refused then',
      ),
    ),
  ),
}

type Limits = typeof ACCOUNT_LIMITS

/**
 * Limits of an account for all of its keys together, as one source sets them. A limit that is left out is left to the next
 * source: the account's own, else its running subscriptions' (the most generous), else the installation's. null: no limit.
 */
export const setLimits = z.object(patchShape(ACCOUNT_LIMITS)).strict().openapi('SetLimits')

export type SentLimits = z.output<typeof setLimits>

/** The held values of those limits that are set, under the properties of `SetLimits`. Undefined values are not set. */
export function limitsSet(held: { readonly [Name in keyof Limits]?: unknown }): SetLimits {
  const given = Object.entries(ACCOUNT_LIMITS).flatMap(([name, { at }]) => {
    const value = held[name as keyof Limits]
    return value === undefined ? [] : [[at, value]]
  })
  return Object.fromEntries(given) as SetLimits
}

/** Reads what the schema let through. undefined: nothing is set. */
export function setLimitsOf(sent: SentLimits | null | undefined): SetLimits | undefined {
  const given = Object.entries(sent ?? {}).filter(([, value]) => value !== undefined)
  if (given.length === 0) return undefined
  return limitsSet(Object.fromEntries(given.map(([name, value]) => [name, typeOf(name).read(value)])))
}

/** All limits that hold. */
export function accountLimitsOnWire(limits: AccountLimits) {
  return writtenOf(ACCOUNT_LIMITS, limits)
}

/** The limits that are set; null: none. */
export function setLimitsOnWire(limits: SetLimits | undefined): SentLimits | null {
  if (limits === undefined) return null
  const set = Object.entries(ACCOUNT_LIMITS).filter(([, { at }]) => limits[at] !== undefined)
  return Object.fromEntries(set.map(([name, { at }]) => [name, typeOf(name).write(limits[at])]))
}

function typeOf(name: string): FieldType<unknown, unknown> {
  return ACCOUNT_LIMITS[name as keyof Limits].type
}

function countFields() {
  const rows = Object.entries(COUNTED_LIMITS).map(([at, { field: name }]) => [
    name,
    field(at, orNull(wholeType(BOUNDS.account_limits.count))),
  ])
  return Object.fromEntries(rows) as {
    readonly [Name in keyof CountedLimits as (typeof COUNTED_LIMITS)[Name]['field']]: {
      readonly at: Name
      readonly type: FieldType<number | null, number | null>
    }
  }
}

function described(bound: Bound, text: string): FieldType<number, number> {
  return plainType(wholeNumber(bound).describe(text), { is: 'whole', bound })
}
