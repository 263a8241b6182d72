import { HOUR_MS } from '../../../core/durations.ts'
import type { TablesTransaction } from '../../engine/database.ts'
import { DAY_FIGURES, type DayFigure } from '../../schema/archive-tables.ts'
import type { Agreement } from '../agreement.ts'
import type { StoredBudget } from '../budget-rows.ts'
import type { ProvenRecord, StoredEntry, StoredHour, StoredRollUp } from '../reading.ts'
import { idOfLine, recordOfLine } from '../archived/archive-lines.ts'
import { type DaySums, daySumsOf } from '../archived/day-sums.ts'
import { CREDENTIAL_DAYS, dayOf, type RollUp, UPSTREAM_HOURS } from '../roll-ups.ts'
import { HOUR_FIGURES } from '../usage-hours.ts'
import { otherChargesOf } from '../usage-rows.ts'
import { differences, type Findings, usd } from './findings.ts'
import type { ArchivedDays } from './archived-days.ts'

/**
 * What the books still have of days whose records are gone agrees: the roll-ups of such a day are the sums that were kept of it
 * and the records that are left, the ledger of each account says hour by hour what its roll-up says was paid, and budgets
 * were charged what the sums say. With the archive, its records are what was taken out.
 */
export class ArchivedProof {
  readonly #days: ArchivedDays
  readonly #hours: Agreement
  readonly #upstreams: Agreement
  readonly #credentials: Agreement
  readonly #payments: Agreement
  readonly #charges: Agreement
  readonly #archived: Agreement
  readonly #archivedCharges: Agreement

  constructor(findings: Findings, days: ArchivedDays) {
    this.#days = days
    const ofDay = (what: string, figures: readonly DayFigure[]) =>
      findings.agreement((name, sides) => {
        const different = differences(figures, sides, (figure, [records, said]) => {
          return `${figure}: records and what was kept of those that are gone make ${records}, the roll-up says ${said}`
        })
        return `${what} of the day ${iso(name)}: ${different}`
      })
    this.#hours = ofDay('usage by keys', HOUR_FIGURES)
    this.#upstreams = ofDay('usage by upstreams', UPSTREAM_SUMS)
    this.#credentials = ofDay('usage by credentials', CREDENTIAL_SUMS)
    this.#archived = findings.agreement((name, sides) => {
      const different = differences(ARCHIVED, sides, (figure, [records, kept]) => {
        return `${figure}: its records make ${records}, what was kept of them is ${kept}`
      })
      return `archive of the day ${iso(name)}: ${different}`
    })
    this.#payments = findings.agreement((name, { one, other }) => {
      const [account, hour] = name.split(' ')
      return `account ${account}: in the hour of ${iso(hour)} its balance paid ${usd(one[0])}, its ledger entries say ${usd(other[0])}`
    })
    this.#charges = findings.agreement(
      (_, { one, other }) =>
        `records that are gone charged ${usd(one[0])} to quotas and windows, these say ${usd(other[0])}`,
    )
    this.#archivedCharges = findings.agreement(
      (name, { one, other }) =>
        `budget ${name}: records of the archive charged ${usd(one[0])} to it, it says ${usd(other[0])}`,
    )
  }

  /** Reads the days, before anything else. */
  readDays(): void {
    for (const [dayAt, sums] of this.#days.entries()) {
      this.#charges.one('all', figureOf(sums, 'other_charged_nano'))
      if (this.#days.isArchiveRead) this.#archived.other(String(dayAt), ...pick(sums, ARCHIVED))
      else this.#addDay(dayAt, sums)
    }
  }

  readBudget({ id, retired_nano: retired }: StoredBudget): void {
    if (retired === 0n) return
    this.#charges.other('all', retired)
    if (this.#days.isArchiveRead) this.#archivedCharges.other(id, retired)
  }

  readEntry({ kind, account_id: account, created_at: at, amount_nano: amount }: StoredEntry): void {
    if (kind === 'usage' && this.#days.keptOf(at) === 'sums') this.#payments.other(`${account} ${hourOf(at)}`, -amount)
  }

  /** Reads a record that is left. */
  readRecord(row: ProvenRecord): void {
    if (this.#days.keptOf(row.created_at) !== 'records') this.#addDay(dayOf(row.created_at), daySumsOf(row))
  }

  readArchived(row: ProvenRecord): void {
    this.#archived.one(String(dayOf(row.created_at)), ...pick(daySumsOf(row), ARCHIVED))
    for (const { budgetId, cost } of otherChargesOf(row)) this.#archivedCharges.one(budgetId, cost)
  }

  readHour(row: StoredHour): void {
    const kept = this.#days.keptOf(row.hour_at)
    if (kept === 'records') return
    this.#hours.other(String(dayOf(row.hour_at)), ...HOUR_FIGURES.map((name) => BigInt(row[name])))
    if (kept === 'sums' && row.balance_paid_nano !== 0n) {
      this.#payments.one(`${row.account_id} ${row.hour_at}`, row.balance_paid_nano)
    }
  }

  readCosts(rollUp: RollUp, row: StoredRollUp): void {
    const agreement = rollUp === UPSTREAM_HOURS ? this.#upstreams : this.#credentials
    const at = Number(row['hour_at'] ?? row['day_at'])
    if ((rollUp !== UPSTREAM_HOURS && rollUp !== CREDENTIAL_DAYS) || this.#days.keptOf(at) === 'records') return
    const figures: Readonly<Record<string, string | number | bigint>> = row
    agreement.other(String(dayOf(at)), ...UPSTREAM_SUMS.map((name) => BigInt(figures[name] ?? 0)))
  }

  #addDay(dayAt: number, sums: DaySums): void {
    this.#hours.one(String(dayAt), ...pick(sums, HOUR_FIGURES))
    this.#upstreams.one(String(dayAt), ...pick(sums, UPSTREAM_SUMS))
    this.#credentials.one(String(dayAt), ...pick(sums, CREDENTIAL_SUMS))
  }
}

/** The records of these lines that are not in the books: what was not taken out yet is in both. */
export async function takenOut(
  lines: readonly string[],
  transaction: TablesTransaction,
): Promise<readonly ProvenRecord[]> {
  const ids = lines.map(idOfLine)
  if (ids.length === 0) return []
  const rows = await transaction.selectFrom('usage_records').select('id').where('id', 'in', ids).execute()
  const present = new Set(rows.map(({ id }) => id))
  return lines.filter((_, at) => !present.has(ids[at] ?? '')).map(recordOfLine)
}

const UPSTREAM_SUMS = ['requests', 'failed', 'cost_nano', 'provider_cost_nano', 'costed_nano'] as const
const CREDENTIAL_SUMS = UPSTREAM_SUMS.map((name) => `credential_${name}` as const)
/** All but the count of records: one that was interrupted and became known later is in the archive twice, and counts once. */
const ARCHIVED = DAY_FIGURES.filter((name) => name !== 'records')

function figureOf(sums: DaySums, name: DayFigure): bigint {
  return sums[DAY_FIGURES.indexOf(name)] ?? 0n
}

function pick(sums: DaySums, names: readonly DayFigure[]): readonly bigint[] {
  return names.map((name) => figureOf(sums, name))
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS
}

function iso(ms: string | undefined): string {
  return new Date(Number(ms)).toISOString()
}
