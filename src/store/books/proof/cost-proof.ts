import type { Agreement, Sides } from '../agreement.ts'
import type { ProvenRecord, StoredRollUp } from '../reading.ts'
import { CREDENTIAL_DAYS, type RollUp, UPSTREAM_HOURS } from '../roll-ups.ts'
import { hourOf } from '../usage-hours.ts'
import type { Findings } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'
import type { ArchivedDays } from './archived-days.ts'
import { differencesOf, partsOfSumName, sumName } from './sum-names.ts'

/** The roll-ups that say what providers cost. */
export const COST_ROLL_UPS: readonly RollUp[] = [UPSTREAM_HOURS, CREDENTIAL_DAYS]

/** A roll-up of what providers cost is the sum of the records that it counts. */
export class CostProof {
  readonly rollUp: RollUp
  readonly #figures: RollUp['figures']
  readonly #said: Agreement
  readonly #counted: GatheredSums
  readonly #archived: ArchivedDays

  constructor(findings: Findings, rollUp: RollUp, archived: ArchivedDays) {
    this.#archived = archived
    this.rollUp = rollUp
    this.#figures = rollUp.proven ?? rollUp.figures
    this.#said = findings.agreement((name, sides) => this.#sentenceOf(name, sides))
    this.#counted = new GatheredSums((name, figures) => this.#said.one(name, ...figures))
  }

  readRecord(row: ProvenRecord): void {
    const kept = this.#archived.keptOf(row.created_at)
    if (row.outcome === 'interrupted' || kept === 'sums') return
    const isCounted = kept === 'records'
    const { fault, model, group_id: groupId, created_at: createdAt } = row
    const values = this.rollUp.valuesOf(
      {
        ...hourOf({ createdAt, groupId, model, fault }),
        ...NO_KEY,
        upstream: row.upstream_name ?? '',
        credential: row.credential_name ?? '',
        fault: fault ?? '',
      },
      0,
    )
    if (values === null) return
    const cost = row.provider_cost_nano
    const costed = cost === null ? 0n : row.cost_nano
    this.#counted.add(sumName(this.rollUp, values), [
      isCounted ? 1n : 0n,
      isCounted && fault !== null ? 1n : 0n,
      row.cost_nano,
      cost ?? 0n,
      costed,
    ])
  }

  endRecords(): void {
    this.#counted.flush()
  }

  readRow(row: StoredRollUp): void {
    const kept = this.#archived.keptOf(Number(row['hour_at'] ?? row['day_at']))
    if (kept === 'sums') return
    const values = this.rollUp.columns.map(([column]) => String(row[column]))
    const figures: Readonly<Record<string, string | number | bigint>> = row
    const isSaid = (figure: string) => kept === 'records' || (figure !== 'requests' && figure !== 'failed')
    this.#said.other(
      sumName(this.rollUp, values),
      ...this.#figures.map((figure) => (isSaid(figure) ? BigInt(figures[figure] ?? 0) : 0n)),
    )
  }

  /** Says in words of what a row is the sum. */
  #wordsOf(name: string): string {
    const said = partsOfSumName(this.rollUp, name)
    const span = said.has('credential') ? 'day' : 'hour'
    const time = new Date(Number(said.get('hour_at') ?? said.get('day_at'))).toISOString()
    const at = `${span} of ${time} at ${said.get('upstream') || 'no upstream'}`
    const fault = said.get('fault')
    const how = fault === '' ? 'without a fault' : `with ${fault}`
    if (said.has('credential')) return `${at} by its credential ${said.get('credential')} ${how}`
    return `${at} in ${said.get('group_id') || 'no group'} for ${said.get('model') || 'no model'} ${how}`
  }

  #sentenceOf(name: string, sides: Sides): string {
    return `usage in the ${this.#wordsOf(name)}: ${differencesOf('records', this.#figures, sides)}`
  }
}

/** What these roll-ups do not look at. */
const NO_KEY = { keyId: '', accountId: '', figures: [], usedAt: 0 }
