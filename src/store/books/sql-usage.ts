import { sql } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { CachedInputQuery, CachedInputSums } from '../../metering/usage/cached-input.ts'
import type { Explored, ExploredNewest, ExploreQuery } from '../../metering/usage/explore.ts'
import type { Margins, MarginsQuery } from '../../metering/usage/margins.ts'
import type { KeptSince } from '../../metering/usage/retention.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type {
  ModelAnswers,
  OwnMultiplierCharge,
  RequestSubject,
  UsageFilter,
  UsagePage,
  UsageStore,
  UsageTotals,
} from '../../metering/usage/usage-store.ts'
import type { KeySpendPage, KeySpendQuery, TagSpendQuery, TagSpends } from '../../metering/usage/key-spend.ts'
import type { SummaryQuery, TimeSpan, UsageBucket, UsageSummary } from '../../metering/usage/usage-summary.ts'
import type { Database } from '../engine/database.ts'
import { cachedInputOf } from './cached-input.ts'
import { explore, exploreNewest } from './explore.ts'
import { marginsOf } from './margins.ts'
import { ownMultiplierCharges } from './own-multiplier-charges.ts'
import type { IncidentHours } from '../../metering/usage/incidents.ts'
import type { ServiceHours } from '../../metering/usage/served-hours.ts'
import { answersByModel } from './model-answers.ts'
import { incidentHoursOf } from './incident-hours.ts'
import { serviceHoursOf } from './served-hours.ts'
import { daysOfKeys, hasAnswered, lastHourOfUse, subjectsOf, totalsByModel, totalsInSpans } from './usage-overview.ts'
import { keptSince } from './archived/kept-since.ts'
import { listUsage, usagePages } from './usage-list.ts'
import { usageRecordOf } from './usage-columns.ts'
import { keySpendOf } from './key-spend.ts'
import { tagSpendOf } from './tag-spend.ts'
import { summarise } from './usage-summary.ts'
import { FIGURE_SUMS, NO_USE, together, totalsOf } from './usage-sums.ts'

export class SqlUsageStore implements UsageStore {
  readonly service: ServiceHours
  readonly incidents: IncidentHours
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.service = serviceHoursOf(database)
    this.incidents = incidentHoursOf(database)
    this.#database = database
    this.#clock = clock
  }

  async record(id: string): Promise<UsageRecord | null> {
    const row = await this.#database.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : usageRecordOf(row)
  }

  keptSince(): Promise<KeptSince> {
    return keptSince(this.#database)
  }

  async totalsOfKey(keyId: string, sinceMs: number): Promise<{ since: UsageTotals; ever: UsageTotals }> {
    const hourAt = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
    const rows = await this.#database.kysely
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

  list(filter: UsageFilter, page: { after: string | null; limit: number }): Promise<UsagePage> {
    return listUsage(this.#database, filter, { ...page, elapsed: () => this.#clock.elapsed() })
  }

  pages(filter: UsageFilter): AsyncIterable<readonly UsageRecord[]> {
    return usagePages(this.#database, filter, () => this.#clock.elapsed())
  }

  answersByModel(sinceMs: number): Promise<ReadonlyMap<string, ModelAnswers>> {
    return answersByModel(this.#database, sinceMs)
  }

  totalsByModel(accountId: string, sinceMs: number): Promise<ReadonlyMap<string, UsageTotals>> {
    return totalsByModel(this.#database, accountId, sinceMs)
  }

  async summary(query: SummaryQuery): Promise<UsageSummary> {
    return summarise(this.#database, query)
  }

  totalsInSpans(accountId: string, spans: readonly TimeSpan[]): Promise<readonly UsageTotals[]> {
    return totalsInSpans(this.#database, accountId, spans)
  }

  lastHourOfUse(accountId: string, beforeMs: number): Promise<number | null> {
    return lastHourOfUse(this.#database, accountId, beforeMs)
  }

  subjectsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, RequestSubject>> {
    return subjectsOf(this.#database, requestIds)
  }

  hasAnswered(accountId: string): Promise<boolean> {
    return hasAnswered(this.#database, accountId)
  }

  daysOfKeys(
    keyIds: readonly string[],
    since: { accountId?: string | null; fromMs: number; offsetMinutes: number },
  ): Promise<ReadonlyMap<string, readonly UsageBucket[]>> {
    return daysOfKeys(this.#database, keyIds, since)
  }

  cachedInput(query: CachedInputQuery): Promise<CachedInputSums> {
    return cachedInputOf(this.#database, query)
  }

  keySpend(query: KeySpendQuery): Promise<KeySpendPage> {
    return keySpendOf(this.#database, query)
  }

  tagSpend(query: TagSpendQuery): Promise<TagSpends> {
    return tagSpendOf(this.#database, query)
  }

  margins(query: MarginsQuery): Promise<Margins> {
    return marginsOf(this.#database, query)
  }

  ownMultiplierCharges(sinceMs: number): Promise<readonly OwnMultiplierCharge[]> {
    return ownMultiplierCharges(this.#database, sinceMs)
  }

  explore(query: ExploreQuery): Promise<Explored> {
    return explore(this.#database, query)
  }

  exploreNewest(query: ExploreQuery): Promise<ExploredNewest> {
    return exploreNewest(this.#database, query)
  }

  async firstSteps(of: Parameters<UsageStore['firstSteps']>[0]): Promise<readonly UsageRecord[]> {
    const rows = await this.#database.kysely
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
}
