import { sql } from 'kysely'
import { HOUR_MS } from '../../core/durations.ts'
import type { CachedInput, CachedInputQuery, CachedInputSums } from '../../metering/usage/cached-input.ts'
import type { Database } from '../engine/database.ts'
import type { CacheFigures } from '../schema/roll-up-tables.ts'
import { addedUp } from './usage-sums.ts'

const ROWS_LIMIT = 500

/** See `UsageStore.cachedInput`. */
export async function cachedInputOf(database: Database, query: CachedInputQuery): Promise<CachedInputSums> {
  const { upstream, model } = query
  const fromMs = Math.floor(query.fromMs / HOUR_MS) * HOUR_MS
  const toMs = Math.ceil(query.toMs / HOUR_MS) * HOUR_MS
  const conditions = [
    sql`hour_at >= ${fromMs}`,
    sql`hour_at < ${toMs}`,
    // Answers that were kept here read nothing from an upstream's cache.
    sql`upstream <> ''`,
    ...(upstream === undefined ? [] : [sql`upstream = ${upstream}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const [total, rows] = await Promise.all([
    sql<CacheFigures>`select ${SUMS} from usage_upstream_hours where ${where}`.execute(database.views),
    sql<CacheFigures & { readonly model: string; readonly upstream: string }>`
      select model, upstream, ${SUMS} from usage_upstream_hours where ${where} group by 1, 2
      having sum(kept_input_tokens + free_input_tokens) > 0
      order by sum(kept_input_tokens + free_input_tokens) desc, 1, 2 limit ${ROWS_LIMIT}`.execute(database.views),
  ])
  return {
    fromMs,
    toMs,
    total: tokensOf(total.rows[0]),
    rows: rows.rows.map((row) => ({ model: row.model, upstream: row.upstream, ...tokensOf(row) })),
  }
}

const SUMS = addedUp(['kept_input_tokens', 'kept_cached_tokens', 'free_input_tokens', 'free_cached_tokens'])

function tokensOf(row: CacheFigures | undefined): CachedInput {
  return {
    withAffinity: { input: row?.kept_input_tokens ?? 0, cached: row?.kept_cached_tokens ?? 0 },
    withoutAffinity: { input: row?.free_input_tokens ?? 0, cached: row?.free_cached_tokens ?? 0 },
  }
}
