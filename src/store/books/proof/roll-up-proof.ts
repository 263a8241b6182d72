import type { Agreement } from '../agreement.ts'
import type { ProvenRecord, StoredHour, StoredKeyUse, StoredRollUp } from '../reading.ts'
import { KEY_HOURS, ROLL_UPS, type RollUp } from '../roll-ups.ts'
import { HOUR_FIGURES, isUseOfKey } from '../usage-hours.ts'
import { COST_ROLL_UPS } from './cost-proof.ts'
import { type Findings, usd } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'
import type { ArchivedDays } from './archived-days.ts'
import { sentenceOf, sumName } from './sum-names.ts'

/** The roll-ups that are the sums of a key's hours. These, and what providers cost, have proofs of their own. */
export const FURTHER_ROLL_UPS: readonly RollUp[] = ROLL_UPS.filter(
  (rollUp) => rollUp !== KEY_HOURS && !COST_ROLL_UPS.includes(rollUp),
)

const COST = HOUR_FIGURES.indexOf('cost_nano')

/** Sums by account, over all, and by day say what the hours of keys say; so does what a key spent. It was used last when it was. */
export class RollUpProof {
  readonly #findings: Findings
  readonly #archived: ArchivedDays
  readonly #sums: readonly { readonly rollUp: RollUp; readonly agreement: Agreement; readonly hours: GatheredSums }[]
  readonly #spent: Agreement
  readonly #hoursOfKeys: GatheredSums
  /** When the newest request of each key began. There are far fewer keys than records. */
  readonly #usedAt = new Map<string, number>()

  constructor(findings: Findings, archived: ArchivedDays) {
    this.#findings = findings
    this.#archived = archived
    this.#sums = FURTHER_ROLL_UPS.map((rollUp) => {
      const agreement = findings.agreement((name, sides) => sentenceOf(rollUp, name, { of: 'hours', sides }))
      return { rollUp, agreement, hours: new GatheredSums((name, figures) => agreement.one(name, ...figures)) }
    })
    this.#spent = findings.agreement(
      (name, { one, other }) => `${name}: its hours cost ${usd(one[0])}, it says ${usd(other[0])} was spent`,
    )
    this.#hoursOfKeys = new GatheredSums((name, figures) => this.#spent.one(name, ...figures))
  }

  readRecord(row: ProvenRecord): void {
    if (!this.#findings.isFirstReading || row.outcome === 'interrupted' || !isUseOfKey(row.fault)) return
    if (row.created_at > (this.#usedAt.get(row.key_id) ?? 0)) this.#usedAt.set(row.key_id, row.created_at)
  }

  readHour(row: StoredHour): void {
    const figures = HOUR_FIGURES.map((name) => BigInt(row[name]))
    const { key_id: keyId, account_id: accountId, hour_at: hourAt, group_id: groupId, model } = row
    const of = { upstream: '', credential: '', fault: '', usedAt: 0 }
    const hour = { keyId, accountId, hourAt, groupId, model, figures, ...of }
    for (const { rollUp, hours } of this.#sums) hours.add(sumName(rollUp, rollUp.valuesOf(hour, 0) ?? []), figures)
    this.#hoursOfKeys.add(keyName(row), [figures[COST] ?? 0n])
  }

  endHours(): void {
    for (const { hours } of this.#sums) hours.flush()
    this.#hoursOfKeys.flush()
  }

  readRow(rollUp: RollUp, row: StoredRollUp): void {
    const said = this.#sums.find((each) => each.rollUp === rollUp)
    const values = rollUp.columns.map(([column]) => String(row[column]))
    said?.agreement.other(sumName(rollUp, values), ...HOUR_FIGURES.map((name) => BigInt(row[name] ?? 0)))
  }

  readKeyUse(row: StoredKeyUse): void {
    this.#spent.other(keyName(row), row.spent_nano)
    if (!this.#findings.isFirstReading) return
    this.#compareUse(keyName(row), { usedAt: this.#usedAt.get(row.key_id) ?? 0, saidAt: row.last_used_at })
    this.#usedAt.delete(row.key_id)
  }

  /** Reports what is left: keys of which no use was reported. */
  endKeyUses(): void {
    for (const [keyId, usedAt] of this.#usedAt) this.#compareUse(`key ${keyId}`, { usedAt, saidAt: 0 })
    this.#usedAt.clear()
  }

  #compareUse(name: string, { usedAt, saidAt }: { usedAt: number; saidAt: number }): void {
    if (usedAt === saidAt) return
    // The record that says it is in the books no more.
    if (saidAt > usedAt && this.#archived.keptOf(saidAt) !== 'records') return
    this.#findings.say(
      `${name}: its newest request began ${moment(usedAt)}, it says it was used last ${moment(saidAt)}`,
    )
  }
}

function keyName(row: { readonly key_id: string; readonly account_id: string }): string {
  return `key ${row.key_id} of ${row.account_id}`
}

function moment(ms: number): string {
  return ms === 0 ? 'never' : `at ${new Date(ms).toISOString()}`
}
