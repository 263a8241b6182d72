import type { Agreement, Sides } from '../agreement.ts'
import type { ProvenRecord, StoredRollUp } from '../reading.ts'
import { UPSTREAM_HOURS } from '../roll-ups.ts'
import { hourOf } from '../usage-hours.ts'
import { type Findings, usd } from './findings.ts'
import { GatheredSums } from './gathered-sums.ts'

/** The hours of upstreams, with what those cost, are the sums of their records. */
export class UpstreamProof {
  readonly #hours: Agreement
  readonly #counted: GatheredSums

  constructor(findings: Findings) {
    this.#hours = findings.agreement(sentenceOf)
    this.#counted = new GatheredSums((name, figures) => this.#hours.one(name, ...figures))
  }

  readRecord(row: ProvenRecord): void {
    if (row.outcome === 'interrupted') return
    const { fault, model: named, group_id: group, created_at: createdAt } = row
    const { hourAt, groupId, model } = hourOf({ createdAt, groupId: group, model: named, fault })
    const cost = row.provider_cost_nano
    this.#counted.add(nameOf({ hourAt, upstream: row.upstream_name ?? '', groupId, model, fault: fault ?? '' }), [
      1n,
      fault === null ? 0n : 1n,
      row.cost_nano,
      cost ?? 0n,
      cost === null ? 0n : row.cost_nano,
    ])
  }

  endRecords(): void {
    this.#counted.flush()
  }

  readRow(row: StoredRollUp): void {
    const { hour_at: hourAt, upstream, group_id: groupId, model, fault } = row
    const name = nameOf({
      hourAt: Number(hourAt),
      upstream: String(upstream),
      groupId: String(groupId),
      model: String(model),
      fault: String(fault),
    })
    const figures: Readonly<Record<string, string | number | bigint>> = row
    this.#hours.other(name, ...UPSTREAM_HOURS.figures.map((figure) => BigInt(figures[figure] ?? 0)))
  }
}

interface UpstreamHour {
  readonly hourAt: number
  readonly upstream: string
  readonly groupId: string
  readonly model: string
  readonly fault: string
}

function nameOf({ hourAt, upstream, groupId, model, fault }: UpstreamHour): string {
  const how = fault === '' ? 'without a fault' : `with ${fault}`
  return `${hourAt} at ${upstream || 'no upstream'} in ${groupId || 'no group'} for ${model || 'no model'} ${how}`
}

function sentenceOf(name: string, { one, other }: Sides): string {
  const space = name.indexOf(' ')
  const hour = new Date(Number(name.slice(0, space))).toISOString()
  const differences = UPSTREAM_HOURS.figures.flatMap((figure, at) => {
    if (one[at] === other[at]) return []
    const [records, said] = figure.endsWith('_nano') ? [usd(one[at]), usd(other[at])] : [one[at], other[at]]
    return [`${figure.replace('_nano', '').replaceAll('_', ' ')} of its records are ${records}, it says ${said}`]
  })
  return `usage in the hour of ${hour}${name.slice(space)}: ${differences.join('; ')}`
}
