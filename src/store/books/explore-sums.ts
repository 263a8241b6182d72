import { type RawBuilder, sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'
import type { ComparedSums, Sums } from './explore-compared.ts'
import { readHoursOfAll } from './explore-hours.ts'
import { idsOf } from './explore-records.ts'
import {
  columnsOf,
  conditionsOf,
  type Figures,
  type KeptIn,
  readRows,
  type SumsQuery,
  type SumsRow,
} from './explore-rows.ts'
import { readAccounts, readSpans } from './explore-spans.ts'
import { usedKeys } from './key-spend.ts'
import { readKnownSpans } from './spans/known-spans.ts'
import { touchedSpans } from './spans/span-plan.ts'
import { ACCOUNT_MODEL_SPANS, ACCOUNT_SPANS, type SpanTable, UPSTREAM_SPANS } from './spans/span-tables.ts'
import { beforeName, BEFORE_FIGURES } from './spans/stretch-sums.ts'

/** Reads sums that are kept, of a span of whole hours and of the time before. */
export async function readSums(database: Database, query: SumsQuery): Promise<Sums> {
  const { where, by, beforeFromMs, toMs, rowsLimit } = query
  if (query.in === 'keys') {
    const from = sumsOfKeys(query)
    return finished(await readRows(database.views, query, { spans: ACCOUNT_MODEL_SPANS, from, ctes: [] }), query)
  }
  const spans = spansFor(query)
  return database.snapshot(async (tables) => {
    const stretch = touchedSpans(spans, { fromMs: beforeFromMs, toMs })
    const reading = { kind: database.kind, query, spans }
    if (rowsLimit === undefined || !by.includes('account') || where.account !== undefined) {
      return finished(await readSpans(tables, { ...reading, known: await readKnownSpans(tables, stretch) }), query)
    }
    const hours = await readHoursOfAll(tables, stretch)
    const counts = new Map(hours.map(({ hour_at: hourAt, requests }) => [hourAt, requests]))
    const known = await readKnownSpans(tables, stretch, counts)
    const shown = { isNarrow: isNarrow(query), rowsLimit, hours }
    return finished(await readAccounts(tables, { ...reading, known }, shown), query)
  })
}

/** The spans with the fewest rows that tell apart what is asked for. */
function spansFor(query: SumsQuery): SpanTable {
  if (query.in === 'costs') return UPSTREAM_SPANS
  const isByAccountAlone = query.by.length === 1 && query.by[0] === 'account'
  return isByAccountAlone && !isNarrow(query) ? ACCOUNT_SPANS : ACCOUNT_MODEL_SPANS
}

function isNarrow({ where }: SumsQuery): boolean {
  return where.group !== undefined || where.model !== undefined
}

/** The table of keys is found by its keys: those of the account that were used since. */
function sumsOfKeys(query: SumsQuery): RawBuilder<unknown> {
  const { fromMs, toMs, beforeFromMs, where } = query
  const { account, key } = where
  const conditions = [
    ...conditionsOf(query),
    ...(account === undefined ? [] : [sql`account_id = ${account}`]),
    ...(key !== undefined || account === undefined
      ? []
      : [sql`key_id in (${usedKeys({ accountId: account, fromMs: beforeFromMs })})`]),
  ]
  const when = (figure: string, isNow: boolean) =>
    sql`case when hour_at ${isNow ? sql`>=` : sql`<`} ${fromMs} then ${sql.ref(figure)} else 0 end`
  const figures = [
    ...columnsOf(query),
    ...ACCOUNT_MODEL_SPANS.figures.map((figure) => sql`${when(figure, true)} as ${sql.ref(figure)}`),
    ...BEFORE_FIGURES.map((figure) => sql`${when(figure, false)} as ${sql.ref(beforeName(figure))}`),
  ]
  const within = sql.join([sql`hour_at >= ${beforeFromMs}`, sql`hour_at < ${toMs}`, ...conditions], sql` and `)
  return sql`select ${sql.join(figures)} from usage_hours where ${within}`
}

function finished(rows: readonly SumsRow[], query: SumsQuery): Sums {
  return {
    total: sumsOf(
      rows.find((row) => row.of === 'all'),
      query.in,
    ),
    rows: new Map(rows.filter((row) => row.of === 'row').map((row) => [idsOf(row, query), sumsOf(row, query.in)])),
  }
}

function sumsOf(row: Figures | undefined, kept: KeptIn): ComparedSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    tokens:
      kept === 'costs'
        ? null
        : {
            input: row?.input_tokens ?? 0,
            cacheRead: row?.cache_read_tokens ?? 0,
            output: row?.output_tokens ?? 0,
          },
    costs:
      kept === 'costs'
        ? { costed: nanoUsd(row?.costed_nano ?? 0n), providerCost: nanoUsd(row?.provider_cost_nano ?? 0n) }
        : null,
    before: {
      requests: row?.requests_before ?? 0,
      failed: row?.failed_before ?? 0,
      charged: nanoUsd(row?.cost_before_nano ?? 0n),
    },
  }
}
