import { groupNames, type Group } from '../../access/group.ts'
import type { MarginsView } from '../../contract/margins.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Margins, MarginsQuery, MarginSums } from '../../metering/usage/margins.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { csvLine, csvText } from './csv.ts'

/** Sums of a split as the API shows them. `groups`: those that are there now, which give rows of groups their names. */
export function marginsView(
  sums: Margins,
  { split, groups }: { readonly split: MarginsQuery['split']; readonly groups: readonly Group[] },
): MarginsView {
  const known = new Set(groups.map(({ id }) => id))
  const nameOf = split === 'group' ? groupNames(groups) : (id: string) => id
  return {
    from: timeOnWire(sums.fromMs),
    to: timeOnWire(sums.toMs),
    totals: figuresView(sums.total),
    rows: sums.rows.map((row) => ({
      id: row.id,
      name: row.id === '' || (split === 'group' && !known.has(row.id)) ? null : nameOf(row.id),
      upstream: row.upstream,
      ...figuresView(row),
    })),
  }
}

function figuresView(sums: MarginSums): MarginsView['totals'] {
  return {
    requests: sums.requests,
    failed: sums.failed,
    charged: formatUsd(sums.charged),
    costed: formatUsd(sums.costed),
    provider_cost: formatUsd(sums.providerCost),
    margin: formatUsd(nanoUsd(sums.costed - sums.providerCost)),
  }
}

const HEADER = ['id', 'name', 'upstream', 'requests', 'failed']
const MONEY = ['charged_usd', 'costed_usd', 'provider_cost_usd', 'margin_usd']

/** The rows as a CSV file (RFC 4180). `startsWithMark`: with the mark by which Excel knows UTF-8. */
export function marginsCsv({ rows }: MarginsView, { startsWithMark }: { readonly startsWithMark: boolean }): string {
  const lines = rows.map((row) =>
    csvLine([
      csvText(row.id),
      csvText(row.name),
      csvText(row.upstream),
      String(row.requests),
      String(row.failed),
      row.charged,
      row.costed,
      row.provider_cost,
      row.margin,
    ]),
  )
  return (startsWithMark ? '\uFEFF' : '') + csvLine([...HEADER, ...MONEY]) + lines.join('')
}
