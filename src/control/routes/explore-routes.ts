import type { z } from '@hono/zod-openapi'
import { exploreCsvQuery, explored, type ExploredView, exploreQuery } from '../../contract/explore.ts'
import type { Explored, ExploredBy, ExploredSums } from '../../metering/usage/explore.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { type FileFormat, MEDIA_TYPES, onePageOf, tableFile } from '../api/table-file.ts'
import { readSpan, timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import type { AccountStore } from '../../access/account.ts'
import type { KeyStore } from '../../access/key-store.ts'
import type { Group } from '../../access/group.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'

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

/** Sums with names: of groups and keys as they are called now, of accounts by their addresses. */
async function exploredView(
  sums: Explored,
  of: {
    readonly by: readonly ExploredBy[]
    readonly groups: readonly Group[]
    readonly accounts: Pick<AccountStore, 'emails'>
    readonly keys: Pick<KeyStore, 'namesOf'>
  },
): Promise<ExploredView> {
  const names = {
    group: new Map(of.groups.map(({ id, name }) => [id, name])),
    account: await of.accounts.emails(idsAt(sums, of.by.indexOf('account'))),
    key: await of.keys.namesOf(idsAt(sums, of.by.indexOf('key'))),
  }
  const nameOf = (by: ExploredBy | undefined, id: string): string | null => {
    if (id === '' || by === undefined) return null
    return by === 'group' || by === 'account' || by === 'key' ? (names[by].get(id) ?? null) : id
  }
  return {
    from: timeOnWire(sums.fromMs),
    to: timeOnWire(sums.toMs),
    before_from: timeOnWire(sums.beforeFromMs),
    since: timeOrNull(sums.sinceMs),
    kept_since: timeOrNull(sums.keptSinceMs),
    refusals_since: timeOrNull(sums.refusalsSinceMs),
    timed_since: timeOrNull(sums.timedSinceMs),
    totals: figuresView(sums.total),
    rows: sums.rows.map((row) => ({
      parts: row.ids.map((id, i) => ({ id, name: nameOf(of.by[i], id) })),
      ...figuresView(row),
    })),
  }
}

/** One row as a line of a file has it. */
type Line = Readonly<Record<string, string | number | null>>

/** The rows flat, as a file to download has them. Each says since when it is summed: a file is read apart from its answer. */
function exploredTable(
  { rows, since, refusals_since: refusalsSince }: ExploredView,
  by: readonly ExploredBy[],
): {
  readonly columns: readonly { readonly name: string; valueOf(line: Line): unknown }[]
  readonly lines: readonly Line[]
} {
  const whole = { since, refusals_since: refusalsSince }
  const lines = rows.map((row) => ({ ...lineOf(row, by), ...whole }))
  const figures = [...FIGURES.map(([name]) => name), ...Object.keys(whole)]
  const names = [...by.flatMap((each) => [each, `${each}_name`]), ...figures]
  return { columns: names.map((name) => ({ name, valueOf: (line) => line[name] })), lines }
}

function lineOf(row: ExploredView['rows'][number], by: readonly ExploredBy[]): Line {
  const parts = by.flatMap((each, i) => [
    [each, row.parts[i]?.id ?? ''],
    [`${each}_name`, row.parts[i]?.name ?? null],
  ])
  return Object.fromEntries([...parts, ...FIGURES.map(([name, valueOf]) => [name, valueOf(row)])])
}

type ExploredFigures = ExploredView['totals']

const FIGURES: readonly (readonly [name: string, valueOf: (row: ExploredFigures) => string | number | null])[] = [
  ['requests', (row) => row.requests],
  ['failed', (row) => row.failed],
  ['input_tokens', (row) => row.input_tokens],
  ['cache_read_tokens', (row) => row.cache_read_tokens],
  ['output_tokens', (row) => row.output_tokens],
  ['charged_usd', (row) => row.charged],
  ['provider_cost_usd', (row) => row.provider_cost],
  ['margin_usd', (row) => row.margin],
  ['requests_before', (row) => row.before?.requests ?? null],
  ['failed_before', (row) => row.before?.failed ?? null],
  ['charged_before_usd', (row) => row.before?.charged ?? null],
  ['first_byte_ms_p50', (row) => row.first_byte_ms?.p50 ?? null],
  ['first_byte_ms_p95', (row) => row.first_byte_ms?.p95 ?? null],
  ['total_ms_p50', (row) => row.total_ms?.p50 ?? null],
  ['total_ms_p95', (row) => row.total_ms?.p95 ?? null],
]

function figuresView(sums: ExploredSums): ExploredView['totals'] {
  const { requests, failed, charged, tokens, costs, before, times } = sums
  const known = costs === null || (costs.costed === 0n && costs.providerCost === 0n) ? null : costs
  return {
    requests,
    failed,
    charged: formatUsd(charged),
    input_tokens: tokens?.input ?? null,
    cache_read_tokens: tokens?.cacheRead ?? null,
    output_tokens: tokens?.output ?? null,
    provider_cost: known === null ? null : formatUsd(known.providerCost),
    margin: known === null ? null : formatUsd(nanoUsd(known.costed - known.providerCost)),
    before:
      before === null ? null : { requests: before.requests, failed: before.failed, charged: formatUsd(before.charged) },
    first_byte_ms: times?.firstByte ?? null,
    total_ms: times?.total ?? null,
  }
}

/** What stands at one part of the rows, each once. */
function idsAt({ rows }: Explored, at: number): readonly string[] {
  return at < 0 ? [] : [...new Set(rows.map(({ ids }) => ids[at] ?? ''))].filter((id) => id !== '')
}
