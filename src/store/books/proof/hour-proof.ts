import { totalInput, totalOutput } from '../../../core/tokens.ts'
import type { Agreement, Sides } from '../agreement.ts'
import type { ProvenRecord, StoredHour } from '../reading.ts'
import { HOUR_FIGURES, hourOf } from '../usage-hours.ts'
import { pricedTokensOf } from '../usage-rows.ts'
import { type Findings, usd } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'
import type { ArchivedDays } from './archived-days.ts'

/** The hours of usage are the sums of their records. */
export class HourProof {
  readonly #hours: Agreement
  readonly #counted: GatheredSums
  readonly #archived: ArchivedDays

  constructor(findings: Findings, archived: ArchivedDays) {
    this.#archived = archived
    this.#hours = findings.agreement(sentenceOf)
    this.#counted = new GatheredSums((name, figures) => this.#hours.one(name, ...figures))
  }

  readRecord(row: ProvenRecord): void {
    const kept = this.#archived.keptOf(row.created_at)
    if (row.outcome === 'interrupted' || kept === 'sums') return
    const isCounted = kept === 'records'
    const { tokens } = pricedTokensOf(row)
    const { hourAt, groupId, model } = hourOf({
      createdAt: row.created_at,
      groupId: row.group_id,
      model: row.model,
      fault: row.fault,
    })
    this.#counted.add(nameOf({ keyId: row.key_id, accountId: row.account_id, hourAt, groupId, model }), [
      isCounted ? 1n : 0n,
      isCounted && row.fault !== null ? 1n : 0n,
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
    this.#hours.other(nameOf({ keyId, accountId, hourAt, groupId, model }), ...figures)
  }
}

/** What refusals are counted in, and nothing else of the hours. */
const COUNTS: ReadonlySet<string> = new Set(['requests', 'failed'])

interface HourName {
  readonly keyId: string
  readonly accountId: string
  readonly hourAt: number
  readonly groupId: string
  readonly model: string
}

function nameOf({ keyId, accountId, hourAt, groupId, model }: HourName): string {
  return `${hourAt} ${keyId} of ${accountId} in ${groupId || 'no group'} for ${model || 'no model'}`
}

function sentenceOf(name: string, { one, other }: Sides): string {
  const space = name.indexOf(' ')
  const hour = new Date(Number(name.slice(0, space))).toISOString()
  const differences = HOUR_FIGURES.flatMap((figure, at) => {
    if (one[at] === other[at]) return []
    const [records, said] = figure.endsWith('_nano') ? [usd(one[at]), usd(other[at])] : [one[at], other[at]]
    return [`${figure.replace('_nano', '').replaceAll('_', ' ')} of its records are ${records}, it says ${said}`]
  })
  return `usage in the hour of ${hour} by ${name.slice(space + 1)}: ${differences.join('; ')}`
}
