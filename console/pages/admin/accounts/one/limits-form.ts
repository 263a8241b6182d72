import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LimitsReport } from '../../../../../src/contract/account-limits.ts'
import { nanoOf, usdOf } from '../../../../format/decimal.ts'
import { amountOf, amountOrNone, countOf } from '../../../../forms/typed-numbers.ts'

const COUNTS = ['concurrency', 'requests_per_minute', 'tokens_per_minute', 'max_keys'] as const
export const DAYS = 'max_key_validity_days'
const WINDOWS = ['5h', '1d', '7d'] as const
export const FIELDS = [...COUNTS, ...WINDOWS, DAYS] as const

export type LimitField = (typeof FIELDS)[number]
type Window = (typeof WINDOWS)[number]
type Limits = NonNullable<AccountView['limits']>

/** The limits as typed. Empty: not set here. `∞`: no limit. */
export type LimitsForm = Readonly<Record<LimitField, string>>

const NONE = '∞'
const NO_LIMIT = new Set([NONE, 'none', '无', '不限'])
const COUNT = { least: 0, most: 999_999_999_999 } as const
const KEY_DAYS = { least: 1, most: 99_999 } as const

export function toForm(limits: AccountView['limits']): LimitsForm {
  const text = (value: number | null | undefined): string =>
    value === undefined ? '' : value === null ? NONE : `${value}`
  const windowText = (window: Window): string => {
    const spend = limits?.spend
    if (spend === undefined) return ''
    return spend?.find((each) => each.window === window)?.usd ?? NONE
  }
  const fields = FIELDS.map((field) => [field, isWindow(field) ? windowText(field) : text(limits?.[field])])
  return Object.fromEntries(fields) as LimitsForm
}

/** The fields that cannot be read, with what they take. */
export function validate(form: LimitsForm): Readonly<Partial<Record<LimitField, 'count' | 'amount' | 'days'>>> {
  const wrong = (field: LimitField): boolean => {
    const text = form[field].trim()
    return text !== '' && !isNone(text) && limitIn(field, text) === null
  }
  const formOf = (field: LimitField) => (isWindow(field) ? 'amount' : field === DAYS ? 'days' : 'count')
  return Object.fromEntries(FIELDS.filter(wrong).map((field) => [field, formOf(field)]))
}

/**
 * What is set, as the API takes it, of a valid form; null: nothing. One window that is set takes the place of all
 * windows of other sources.
 */
export function limitsOf(form: LimitsForm): AccountView['limits'] {
  const count = (field: (typeof COUNTS)[number] | typeof DAYS) => {
    if (isNone(form[field])) return { [field]: null }
    const limit = countOf(form[field], COUNT)
    return limit === null ? {} : { [field]: limit }
  }
  const isSet = WINDOWS.some((window) => form[window].trim() !== '')
  const spend = WINDOWS.flatMap((window) => {
    const usd = isNone(form[window]) ? null : amountOrNone(form[window])
    return usd === null ? [] : [{ window, usd }]
  })
  const limits: Limits = {
    ...Object.assign({}, ...COUNTS.map(count), count(DAYS)),
    ...(isSet ? { spend } : {}),
  }
  return Object.keys(limits).length === 0 ? null : limits
}

export interface Below {
  readonly field: LimitField
  readonly used: string
  readonly limit: string
}

/** Limits that are set at or below what is used already, as far as it is counted: it is asked what is meant. */
export function belowUse(form: LimitsForm, { counted, spend, keys }: LimitsReport): readonly Below[] {
  const usedOf = (field: LimitField): string | undefined =>
    field === 'max_keys'
      ? `${keys.used}`
      : (spend.find(({ window }) => window === field)?.used ??
        counted.find(({ type }) => type === field)?.used.toString())
  return FIELDS.flatMap((field) => {
    const limit = limitIn(field, form[field])
    const used = usedOf(field)
    if (used === undefined || limit === null) return []
    const isBelow = isWindow(field) ? nanoOf(limit) <= nanoOf(used) && nanoOf(used) > 0n : nanoOf(limit) < nanoOf(used)
    return isBelow ? [{ field, used, limit }] : []
  })
}

/** Adds what is used already to the limits, so that what was typed can still be spent. */
export function beyondUse(form: LimitsForm, below: readonly Below[]): LimitsForm {
  const raised = below
    .filter(({ field }) => isWindow(field))
    .map(({ field, used, limit }) => [field, usdOf(nanoOf(used) + nanoOf(limit))])
  return { ...form, ...Object.fromEntries(raised) }
}

/** A limit as a plain decimal; null: it is none, or cannot be read. */
function limitIn(field: LimitField, text: string): string | null {
  if (isWindow(field)) return amountOf(text)
  return countOf(text, field === DAYS ? KEY_DAYS : COUNT)?.toString() ?? null
}

function isNone(text: string): boolean {
  return NO_LIMIT.has(text.trim().toLowerCase())
}

export function isWindow(field: LimitField): field is Window {
  return (WINDOWS as readonly string[]).includes(field)
}
