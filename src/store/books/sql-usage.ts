import { HOUR_MS } from '../../core/durations.ts'
import { sql } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { UsageStore } from '../../metering/usage/usage-store.ts'
import type { Database } from '../engine/database.ts'
import { readRow } from '../engine/rows-by-id.ts'
import { cachedInputOf } from './cached-input.ts'
import { explore, exploreNewest } from './explore.ts'
import { marginsOf } from './margins.ts'
import { incidentHoursOf } from './incident-hours.ts'
import { serviceHoursOf } from './served-hours.ts'
import {
  answersByModel,
  daysOfKeys,
  hasAnswered,
  lastHourOfUse,
  ownMultiplierCharges,
  subjectsOf,
  totalsByModel,
  totalsInSpans,
} from './usage-overview.ts'
import { keptSince } from './archived/kept-since.ts'
import { listUsage, usagePages } from './usage-list.ts'
import { usageRecordOf } from './usage-columns.ts'
import { keySpendOf } from './key-spend.ts'
import { tagSpendOf } from './tag-spend.ts'
import { summarise } from './usage-summary.ts'
import { FIGURE_SUMS, NO_USE, together, totalsOf } from './usage-sums.ts'

export function usageOn(database: Database, clock: Clock): UsageStore {
  const elapsed = () => clock.elapsed()
  return {
    service: serviceHoursOf(database),
    incidents: incidentHoursOf(database),
    record: async (id) => {
      const row = await readRow(database.kysely, 'usage_records', id)
      return row === undefined ? null : usageRecordOf(row)
    },
    keptSince: () => keptSince(database),
    totalsOfKey: (keyId, sinceMs) => totalsOfKey(database, keyId, sinceMs),
    list: (filter, page) => listUsage(database, filter, { ...page, elapsed }),
    pages: (filter) => usagePages(database, filter, elapsed),
    answersByModel: (sinceMs) => answersByModel(database, sinceMs),
    totalsByModel: (accountId, sinceMs) => totalsByModel(database, accountId, sinceMs),
    summary: async (query) => summarise(database, query),
    totalsInSpans: (accountId, spans) => totalsInSpans(database, accountId, spans),
    lastHourOfUse: (accountId, beforeMs) => lastHourOfUse(database, accountId, beforeMs),
    subjectsOf: (requestIds) => subjectsOf(database, requestIds),
    hasAnswered: (accountId) => hasAnswered(database, accountId),
    daysOfKeys: (keyIds, since) => daysOfKeys(database, keyIds, since),
    cachedInput: (query) => cachedInputOf(database, query),
    keySpend: (query) => keySpendOf(database, query),
    tagSpend: (query) => tagSpendOf(database, query),
    margins: (query) => marginsOf(database, query),
    ownMultiplierCharges: (sinceMs) => ownMultiplierCharges(database, sinceMs),
    explore: (query) => explore(database, query),
    exploreNewest: (query) => exploreNewest(database, query),
    firstSteps: (of) => firstSteps(database, of),
  }
}

async function totalsOfKey({ kysely }: Database, keyId: string, sinceMs: number) {
  const hourAt = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const rows = await kysely
    .selectFrom('usage_hours')
    .select([
      sql<boolean>`cast(case when hour_at >= ${hourAt} then 1 else 0 end as bigint)`.as('is_since'),
      ...FIGURE_SUMS,
    ])
    .where('key_id', '=', keyId)
    // By its place: each mention of the moment would be a parameter of its own, and so another expression.
    .groupBy(sql`1`)
    .execute()
  const parts = rows.map((row) => ({ isSince: row.is_since, totals: totalsOf(row) }))
  const since = parts.find(({ isSince }) => isSince)?.totals ?? NO_USE
  const before = parts.find(({ isSince }) => !isSince)?.totals ?? NO_USE
  return { since, ever: together(since, before) }
}

async function firstSteps({ kysely }: Database, of: Parameters<UsageStore['firstSteps']>[0]) {
  const rows = await kysely
    .selectFrom('usage_records')
    .selectAll()
    .where('account_id', '=', of.accountId)
    .where('id', '>=', firstIdAt('req', Math.max(0, of.sinceMs)))
    .$if(of.keyId !== undefined, (query) => query.where('key_id', '=', of.keyId ?? ''))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
  return rows.map(usageRecordOf)
}
