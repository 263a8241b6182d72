import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { quotaPeriod, type QuotaReset } from '../../core/quota-period.ts'
import type { QuotaWindow } from '../../core/quota-window.ts'
import type { ImportNotes } from '../import-plan.ts'
import { floorOf, minus, type Rational, times, wholeOf, NANO, NOTHING } from '../rational.ts'
import { decimalIn, integerIn, momentIn, type Row, textIn, words } from '../source.ts'

/** Columns of the budget of a key, a user, a team, and of the budgets that stand by themselves. */
export const BUDGET_COLUMNS = words(
  'max_budget budget_duration budget_reset_at max_parallel_requests tpm_limit rpm_limit',
)

/** Money of the database, which has it as floating-point numbers: each is taken as the decimal that it is written as. */
export class LitellmMoney {
  readonly #notes: ImportNotes
  readonly #rounded = new Map<string, number>()

  constructor(notes: ImportNotes) {
    this.#notes = notes
  }

  /** null where there is nothing. What is finer than a nano-USD is rounded down, and has to be accepted. */
  usd(table: string, amount: Rational | null): NanoUsd | null {
    if (amount === null) return null
    const nano = times(amount, NANO)
    if (wholeOf(nano) === null) this.#rounded.set(table, (this.#rounded.get(table) ?? 0) + 1)
    return nanoUsd(floorOf(nano))
  }

  /** Says how many amounts were rounded, once all are read. */
  finish(): void {
    for (const [table, count] of this.#rounded) this.#notes.approximate('rounding', `${count} amounts of ${table}`)
  }
}

/** What a row may spend, and has spent. */
export interface LitellmBudget {
  readonly max: NanoUsd
  /** What was used since it began anew. */
  readonly used: NanoUsd
  /** What is left, which may be below zero. */
  readonly left: NanoUsd
  /** The duration as it is written; empty: it never begins anew. */
  readonly duration: string
  /** When it begins anew; null: the source does not say. */
  readonly resetsAt: number | null
}

/** The budget of a row, else the one that `linked` has for it; null: it has none. */
export function budgetOf(
  table: string,
  row: Row,
  { money, nowMs, linked = {} }: { readonly money: LitellmMoney; readonly nowMs: number; readonly linked?: Row },
): LitellmBudget | null {
  const own = decimalIn(row, 'max_budget')
  const terms = own === null ? linked : row
  const most = own ?? decimalIn(linked, 'max_budget')
  const max = money.usd(table, most)
  if (max === null || most === null) return null
  const duration = durationIn(terms)
  const resetsAt = momentIn(terms, 'budget_reset_at')
  // One whose time has come begins anew with the next look of the source.
  const spent =
    duration !== '' && resetsAt !== null && resetsAt <= nowMs ? NOTHING : (decimalIn(row, 'spend') ?? NOTHING)
  const used = money.usd(table, spent) ?? ZERO_NANO_USD
  return { max, used, left: money.usd(table, minus(most, spent)) ?? ZERO_NANO_USD, duration, resetsAt }
}

function durationIn(row: Row): string {
  const text = textIn(row, 'budget_duration').trim().toLowerCase()
  return text === 'none' || text === 'null' ? '' : text
}

const RESETS: Readonly<Record<string, QuotaReset>> = {
  '1d': 'daily',
  '24h': 'daily',
  '7d': 'weekly',
  '1w': 'weekly',
  '30d': 'monthly',
  '1mo': 'monthly',
}
const WINDOWS: Readonly<Record<string, QuotaWindow>> = {
  '5h': '5h',
  '1d': '1d',
  '24h': '1d',
  '7d': '7d',
  '1w': '7d',
  '30d': '30d',
  '1mo': '30d',
}

/** The calendar by which a budget begins anew here at the very moments of there; null: there is none. */
export function resetOf({ duration, resetsAt }: LitellmBudget, nowMs: number): QuotaReset | null {
  const reset = RESETS[duration]
  if (reset === undefined || resetsAt === null) return null
  const isNext = resetsAt === quotaPeriod(reset, nowMs).endsAt
  const isPast = resetsAt <= nowMs && resetsAt === quotaPeriod(reset, resetsAt).startsAt
  return isNext || isPast ? reset : null
}

/** The window that lasts as long; null: there is none. */
export function windowOf({ duration }: LitellmBudget): QuotaWindow | null {
  return WINDOWS[duration] ?? null
}

/** A limit of a row, else of the one that `linked` has for it; null: none. */
function limitIn(row: Row, column: string, linked: Row = {}): number | null {
  const limit = integerIn(row, column) ?? integerIn(linked, column)
  return limit === null || limit < 0n || limit > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(limit)
}

const COUNTS = {
  concurrency: 'max_parallel_requests',
  requestsPerMinute: 'rpm_limit',
  tokensPerMinute: 'tpm_limit',
} as const
type BudgetCounts = { readonly [Name in keyof typeof COUNTS]: number | null }

/** `isShut`: one of them is 0, which lets nothing through there, and cannot be set here. */
export function countsOf(row: Row, linked: Row = {}): { readonly counts: BudgetCounts; readonly isShut: boolean } {
  const read = (name: keyof BudgetCounts) => limitIn(row, COUNTS[name], linked)
  const all = {
    concurrency: read('concurrency'),
    requestsPerMinute: read('requestsPerMinute'),
    tokensPerMinute: read('tokensPerMinute'),
  }
  const above = (limit: number | null) => (limit === 0 ? null : limit)
  return {
    counts: {
      concurrency: above(all.concurrency),
      requestsPerMinute: above(all.requestsPerMinute),
      tokensPerMinute: above(all.tokensPerMinute),
    },
    isShut: Object.values(all).includes(0),
  }
}

/** The tables of LiteLLM’s database that are read, in the lower case in which sources name them. */
export const KEYS = 'litellm_verificationtoken'
export const USERS = 'litellm_usertable'
export const TEAMS = 'litellm_teamtable'
export const BUDGETS = 'litellm_budgettable'
