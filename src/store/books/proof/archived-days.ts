import type { TablesTransaction } from '../../engine/database.ts'
import { DAY_FIGURES } from '../../schema/archive-tables.ts'
import type { DaySums } from '../archived/day-sums.ts'
import { dayOf } from '../roll-ups.ts'

/**
 * What is in the books of a day: all its records; all but refusals, which cost nothing and are in nothing but counts; or no more
 * than sums of what went.
 */
export type KeptDetail = 'records' | 'costs' | 'sums'

/** The days, UTC, of which records were taken out of the books, with their sums. One row for each day and kind: a few thousand. */
export class ArchivedDays {
  readonly #days: ReadonlyMap<number, { readonly sums: DaySums; readonly kept: KeptDetail }>
  /** Every record that was taken out is read from the archive: all days have all their records. */
  readonly isArchiveRead: boolean

  private constructor(days: ReadonlyMap<number, { sums: DaySums; kept: KeptDetail }>, isArchiveRead: boolean) {
    this.#days = days
    this.isArchiveRead = isArchiveRead
  }

  static async read(transaction: TablesTransaction, isArchiveRead: boolean): Promise<ArchivedDays> {
    const rows = await transaction.selectFrom('retired_days').selectAll().execute()
    const days = new Map<number, { sums: DaySums; kept: KeptDetail }>()
    for (const row of rows) {
      const known = days.get(row.day_at)
      const sums = DAY_FIGURES.map((name, at) => BigInt(row[name]) + (known?.sums[at] ?? 0n))
      days.set(row.day_at, { sums, kept: row.kind === 'usage' || known?.kept === 'sums' ? 'sums' : 'costs' })
    }
    return new ArchivedDays(days, isArchiveRead)
  }

  keptOf(ms: number): KeptDetail {
    if (this.isArchiveRead || this.#days.size === 0) return 'records'
    return this.#days.get(dayOf(ms))?.kept ?? 'records'
  }

  /** What went of each day. */
  entries(): Iterable<readonly [dayAt: number, sums: DaySums]> {
    return [...this.#days].map(([dayAt, { sums }]) => [dayAt, sums] as const)
  }

  /** How many records were taken out, which are not read, and what they cost. */
  get totals(): { readonly retired: number; readonly charged: bigint } {
    if (this.isArchiveRead) return { retired: 0, charged: 0n }
    const total = (figure: (typeof DAY_FIGURES)[number]) =>
      [...this.#days.values()].reduce((sum, { sums }) => sum + (sums[DAY_FIGURES.indexOf(figure)] ?? 0n), 0n)
    return { retired: Number(total('records')), charged: total('cost_nano') }
  }
}
