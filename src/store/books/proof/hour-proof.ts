import { totalInput, totalOutput } from '../../../core/tokens.ts'
import type { Agreement } from '../agreement.ts'
import type { ProvenRecord, StoredHour } from '../reading.ts'
import { KEY_HOURS } from '../roll-ups.ts'
import { HOUR_FIGURES, hourOf } from '../usage-hours.ts'
import { pricedTokensOf } from '../usage-rows.ts'
import type { Findings } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'
import type { ArchivedDays } from './archived-days.ts'
import { sentenceOf, sumName } from './sum-names.ts'

/** The hours of usage are the sums of their records. */
export class HourProof {
  readonly #hours: Agreement
  readonly #counted: GatheredSums
  readonly #archived: ArchivedDays

  constructor(findings: Findings, archived: ArchivedDays) {
    this.#archived = archived
    this.#hours = findings.agreement((name, sides) => sentenceOf(KEY_HOURS, name, { of: 'records', sides }))
    this.#counted = new GatheredSums((name, figures) => this.#hours.one(name, ...figures))
  }

  readRecord(row: ProvenRecord): void {
    const kept = this.#archived.keptOf(row.created_at)
    if (row.outcome === 'interrupted' || kept === 'sums') return
    const isCounted = kept === 'records'
    const { tokens } = pricedTokensOf(row)
    const { key_id: keyId, account_id: accountId, created_at: createdAt, group_id: group, fault } = row
    const { hourAt, groupId, model } = hourOf({ createdAt, groupId: group, model: row.model, fault })
    this.#counted.add(sumName(KEY_HOURS, [keyId, hourAt, groupId, model, accountId]), [
      isCounted ? 1n : 0n,
      isCounted && fault !== null ? 1n : 0n,
      BigInt(totalInput(tokens) ?? 0),
      BigInt(tokens.cacheRead ?? 0),
      BigInt(totalOutput(tokens) ?? 0),
      row.cost_nano,
      row.balance_paid_nano,
    ])
  }

  endRecords(): void {
    this.#counted.flush()
  }

  readHour(row: StoredHour): void {
    const { key_id: keyId, account_id: accountId, hour_at: hourAt, group_id: groupId, model } = row
    const kept = this.#archived.keptOf(hourAt)
    if (kept === 'sums') return
    const figures = HOUR_FIGURES.map((name) => (kept === 'costs' && COUNTS.has(name) ? 0n : BigInt(row[name])))
    this.#hours.other(sumName(KEY_HOURS, [keyId, hourAt, groupId, model, accountId]), ...figures)
  }
}

/** What refusals are counted in, and nothing else of the hours. */
const COUNTS: ReadonlySet<string> = new Set(['requests', 'failed'])
