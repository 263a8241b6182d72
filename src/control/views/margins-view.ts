import { groupNames, type Group } from '../../access/group.ts'
import type { MarginsView } from '../../contract/margins.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Margins, MarginsQuery, MarginSums } from '../../metering/usage/margins.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { csvText } from '../api/csv.ts'
import type { CsvColumn } from '../api/table-file.ts'

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

type MarginRow = MarginsView['rows'][number]

export const MARGIN_COLUMNS: readonly CsvColumn<MarginRow>[] = [
  ['id', (row) => csvText(row.id)],
  ['name', (row) => csvText(row.name)],
  ['upstream', (row) => csvText(row.upstream)],
  ['requests', (row) => String(row.requests)],
  ['failed', (row) => String(row.failed)],
  ['charged_usd', (row) => row.charged],
  ['costed_usd', (row) => row.costed],
  ['provider_cost_usd', (row) => row.provider_cost],
  ['margin_usd', (row) => row.margin],
]
