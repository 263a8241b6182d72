import type { z } from '@hono/zod-openapi'
import { margins, marginsCsvQuery, marginsQuery, type MarginsView } from '../../contract/margins.ts'
import { isOfCredentials, type Margins, type MarginsQuery, type MarginSums } from '../../metering/usage/margins.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { csvAnswer, type CsvColumn, csvStream, csvText, dayOnWire, onePageOf } from '../api/table-file.ts'
import { readSpan, timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import { type Group, groupNames } from '../../access/group.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'

const route = routesOf('Usage')

const OF_WHAT =
  'Of targets that have a cost, by upstream, credential, model, group or fault. The upstream and credential are those that were asked last. Without "from" the last 30 days; times are widened to whole hours. With split=credential or a credential: to whole days of UTC, without models and groups.'

const sumMargins = route('get /api/margins', {
  summary: 'Sum what requests cost at their providers, and what is left',
  description: OF_WHAT,
  who: 'staff',
  query: marginsQuery,
  answer: margins,
  handle: (call, { store }) => sumsOf(call.query, { nowMs: call.nowMs, store }),
})

const exportMargins = route('get /api/margins.csv', {
  summary: 'Read the same as CSV',
  description: `text/csv as in RFC 4180, those that cost most first and at most 500, with a header row. Text that a spreadsheet would run begins with an apostrophe. ${OF_WHAT}`,
  who: 'staff',
  query: marginsCsvQuery,
  mediaType: 'text/csv',
  status: 200,
  async handle(call, { store }) {
    const { split, bom } = call.query
    const sums = await sumsOf(call.query, { nowMs: call.nowMs, store })
    const csv = csvStream(MARGIN_COLUMNS, onePageOf(sums.rows), { startsWithMark: bom === 'true' })
    return csvAnswer(csv, `margins-by-${split}-${dayOnWire(call.nowMs)}`)
  },
})

export const marginRoutes: readonly ApiRoute[] = [sumMargins, exportMargins]

async function sumsOf(
  query: z.output<typeof marginsQuery>,
  { nowMs, store }: { readonly nowMs: number; readonly store: Pick<ControlStores, 'usage' | 'groups'> },
) {
  checkSplit(query)
  const { from, to, split, upstream, credential, model, group } = query
  const { fromMs, toMs } = readSpan({ from, to }, { days: 30, nowMs })
  const groups = await store.groups.groups()
  const groupId = groups.find(({ name }) => name === group)?.id ?? group
  const sums = await store.usage.margins({ fromMs, toMs, split, upstream, credential, model, groupId })
  return marginsView(sums, { split, groups })
}

/** Sums by credential are kept without models and groups. Throws a problem with the field that asks for both. */
function checkSplit(query: z.output<typeof marginsQuery>): void {
  if (!isOfCredentials(query)) return
  const ending = 'must not be sent with split=credential or a credential: these sums are of all models and groups.'
  if (query.model !== undefined) throw fieldProblem('model', `model ${ending}`)
  if (query.group !== undefined) throw fieldProblem('group', `group ${ending}`)
  if (query.split === 'model' || query.split === 'group') {
    throw fieldProblem('split', 'split must be credential, upstream or fault with a credential.')
  }
}

/** Sums of a split as the API shows them. `groups`: those that are there now, which give rows of groups their names. */
function marginsView(
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

const MARGIN_COLUMNS: readonly CsvColumn<MarginRow>[] = [
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
