import { sql } from 'kysely'
import { HOUR_MS } from '../../core/durations.ts'
import type { ModelAnswers } from '../../metering/usage/usage-store.ts'
import type { Database } from '../engine/database.ts'
import { ENDS_AT_UPSTREAMS } from './fault-blame.ts'

/** See `UsageStore.answersByModel`. */
export async function answersByModel(database: Database, sinceMs: number): Promise<ReadonlyMap<string, ModelAnswers>> {
  const fromMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const { rows } = await database.snapshot((tables) =>
    sql<{ readonly model: string; readonly fault: string; readonly requests: number }>`
      select model, fault, cast(sum(requests) as bigint) as requests from usage_upstream_hours
      where hour_at >= ${fromMs} and fault in (${sql.join(ENDS_AT_UPSTREAMS)}) group by model, fault`.execute(tables),
  )
  const found = new Map<string, ModelAnswers>()
  for (const { model, fault, requests } of rows) {
    const { good, failed } = found.get(model) ?? { good: 0, failed: 0 }
    found.set(model, fault === '' ? { good: good + requests, failed } : { good, failed: failed + requests })
  }
  return found
}
