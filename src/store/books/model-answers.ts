import { sql } from 'kysely'
import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'
import type { ModelAnswers } from '../../metering/usage/usage-store.ts'
import type { Database } from '../engine/database.ts'
import { readKnownSpans } from './spans/known-spans.ts'
import { touchedSpans } from './spans/span-plan.ts'
import { HOUR_MS, UPSTREAM_SPANS } from './spans/span-tables.ts'
import { stretchSums } from './spans/stretch-sums.ts'

/** See `UsageStore.answersByModel`. */
export async function answersByModel(database: Database, sinceMs: number): Promise<ReadonlyMap<string, ModelAnswers>> {
  const fromMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const { rows } = await database.snapshot(async (tables) => {
    const { fromMs: firstMs } = touchedSpans(UPSTREAM_SPANS, { fromMs, toMs: fromMs })
    const known = await readKnownSpans(tables, { fromMs: firstMs, toMs: Number.MAX_SAFE_INTEGER })
    // Up to the last hour that has any.
    const toMs = Math.max(fromMs, ...known.hours.keys()) + HOUR_MS
    const from = stretchSums(
      UPSTREAM_SPANS,
      { beforeFromMs: fromMs, fromMs, toMs, known },
      {
        columns: [sql`model`, sql`fault`],
        conditions: [sql`fault in (${sql.join(COUNTED)})`],
        accounts: null,
      },
    )
    return sql<{ readonly model: string; readonly fault: string; readonly requests: number }>`
      select model, fault, cast(sum(requests) as bigint) as requests from (${from}) parts
      group by model, fault having sum(requests) > 0`.execute(tables)
  })
  const found = new Map<string, ModelAnswers>()
  for (const { model, fault, requests } of rows) {
    const { good, failed } = found.get(model) ?? { good: 0, failed: 0 }
    found.set(model, fault === '' ? { good: good + requests, failed } : { good, failed: failed + requests })
  }
  return found
}

/** Those for which an upstream is to blame, and none: the request ended well. */
const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS
const COUNTED = ['', ...Object.entries(POLICIES).flatMap(([code, { blame }]) => (blame === 'upstream' ? [code] : []))]
