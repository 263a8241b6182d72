import type { z } from '@hono/zod-openapi'
import { explored, exploreCsvQuery, exploreQuery } from '../../contract/explore.ts'
import type { ExploredBy } from '../../metering/usage/explore.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { type FileFormat, MEDIA_TYPES, onePageOf, tableFile } from '../api/table-file.ts'
import { readSpan } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import { exploredTable, exploredView } from '../views/explored-view.ts'

const route = routesOf('Usage')

const OF_WHAT =
  'Requests of all accounts, by any one or two of account, key, group, model, upstream, credential, protocol, client, tag and fault, beside the time before. Sums by account, group and model are kept with tokens, those by upstream, fault, group and model with costs, and those of the keys of one account, and of the errors of one account or key, with tokens. For anything else the newest requests are summed one by one, with both: 20,000, or up to 200,000 with `newest`; `since` says from when, and `kept_since` where older ones were deleted; then the sums of keys (by account, key, group, model and tag) are read instead. Of sums by account of all accounts those of the newest days are added up, ten for each of `newest`, and `since` says from when. Without "from" the last seven days; times are widened to whole hours.'

const read = route('get /api/usage/explore', {
  summary: 'Sum the requests of all accounts by any two of their properties',
  description: OF_WHAT,
  who: 'staff',
  query: exploreQuery,
  answer: explored,
  handle: (call, { store }) => exploredBy(call.query, { nowMs: call.nowMs, store }),
})

const readFile = (format: FileFormat): ApiRoute =>
  route(`get /api/usage/explore.${format}`, {
    summary: `Read the same as ${format.toUpperCase()}`,
    description: `${FORMS[format]} The dearest first and at most 500. Each line says in the column since from when it is summed; empty: from the beginning. ${OF_WHAT}`,
    who: 'staff',
    query: exploreCsvQuery,
    mediaType: MEDIA_TYPES[format],
    status: 200,
    async handle(call, { store }) {
      const { by, and, bom } = call.query
      const sums = await exploredBy(call.query, { nowMs: call.nowMs, store })
      const parts = and === undefined ? [by] : [by, and]
      const { columns, lines } = exploredTable(sums, parts)
      return tableFile(
        { name: `requests-by-${parts.join('-')}`, columns, pages: onePageOf(lines) },
        { format, startsWithMark: bom === 'true', nowMs: call.nowMs },
      )
    },
  })

const FORMS: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv as in RFC 4180, with a header row. Text that a spreadsheet would run begins with an apostrophe.',
  ndjson: 'application/x-ndjson: one JSON object a line.',
}

export const exploreRoutes: readonly ApiRoute[] = [read, readFile('csv'), readFile('ndjson')]

async function exploredBy(
  query: z.output<typeof exploreQuery> & { readonly bom?: unknown },
  { nowMs, store }: { readonly nowMs: number; readonly store: ControlStores },
) {
  const { by: first, and, from, to, newest, bom: _bom, ...filters } = query
  if (first === and) throw fieldProblem('and', 'and must be a property other than by.')
  const { fromMs, toMs } = readSpan({ from, to }, { days: 7, nowMs })
  const groups = await store.groups.groups()
  const group = groups.find(({ name }) => name === filters.group)?.id ?? filters.group
  const by: readonly ExploredBy[] = and === undefined ? [first] : [first, and]
  const where = { ...filters, group }
  const sums = await store.usage.explore({ fromMs, toMs, by, where, newest })
  return exploredView(sums, { by, groups, accounts: store.accounts, keys: store.keys })
}
