import { nanoUsd } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'
import type { ComparedSums, Sums } from './explore-compared.ts'
import { readHoursOfAll } from './explore-hours.ts'
import { idsOf } from './explore-records.ts'
import { sumsOfKeys } from './explore-keys.ts'
import { type Figures, type KeptIn, readRows, type SumsQuery, type SumsRow } from './explore-rows.ts'
import { readAccounts, readSpans } from './explore-spans.ts'
import { readKnownSpans } from './spans/known-spans.ts'
import { touchedSpans } from './spans/span-plan.ts'
import { ACCOUNT_MODEL_SPANS, ACCOUNT_SPANS, type SpanTable, UPSTREAM_SPANS } from './spans/span-tables.ts'

/** Reads sums that are kept, of a span of whole hours and of the time before. */
export async function readSums(database: Database, query: SumsQuery): Promise<Sums> {
  const { where, by, beforeFromMs, toMs, rowsLimit } = query
  if (query.in === 'keys') {
    return finished(await readRows(database.views, query, sumsOfKeys(database, query)), query)
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
