import type { AccountStore } from '../../access/account.ts'
import type { KeyStore } from '../../access/key-store.ts'
import type { Group } from '../../access/group.ts'
import type { ExploredView } from '../../contract/explore.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Explored, ExploredBy, ExploredSums } from '../../metering/usage/explore.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** Sums with names: of groups and keys as they are called now, of accounts by their addresses. */
export async function exploredView(
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
export function exploredTable(
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
