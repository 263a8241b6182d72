import type { FaultCode } from '../../core/faults.ts'
import type { UsageNote } from '../../core/usage-notes.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import type { CachedInputQuery, CachedInputSums } from './cached-input.ts'
import type { KeySpendPage, KeySpendQuery, TagSpendQuery, TagSpends } from './key-spend.ts'
import type { Explored, ExploredNewest, ExploreQuery } from './explore.ts'
import type { Margins, MarginsQuery } from './margins.ts'
import type { KeptSince } from './retention.ts'
import type { IncidentHours } from './incidents.ts'
import type { ServiceHours } from './served-hours.ts'
import type { UsageOutcome, UsageRecord } from './usage-record.ts'
import type { SummaryQuery, TimeSpan, UsageBucket, UsageSummary } from './usage-summary.ts'
import type { UsageTotals } from './usage-totals.ts'

export type { UsageTotals }

/** The charges in a group of all accounts that have this multiplier of their own there. */
export interface OwnMultiplierCharge {
  readonly groupId: string
  readonly multiplier: PartsPerMillion
  readonly charged: NanoUsd
}

/** What was used, read back. */
export interface UsageStore {
  record(id: string): Promise<UsageRecord | null>
  /** When the kept records begin. Sums of hours and days stay for ever. */
  keptSince(): Promise<KeptSince>
  /** What one key used since a moment (rounded down to its hour), and ever. From the roll-ups, so it costs the same for any past. */
  totalsOfKey(keyId: string, sinceMs: number): Promise<{ readonly since: UsageTotals; readonly ever: UsageTotals }>
  /**
   * Records, newest first: those behind the record `after` (null: from the newest on). Each call looks at a bounded number of
   * records, so a page of a filter that few of them pass may be shorter than `limit`, or empty, and go on all the same: only
   * `next` null is the end. Throws RangeError for a limit that is not 1 to 200.
   */
  list(filter: UsageFilter, page: { readonly after: string | null; readonly limit: number }): Promise<UsagePage>
  /** All of them, newest first, a page at a time, for readers of any speed. Not of one moment. */
  pages(filter: UsageFilter): AsyncIterable<readonly UsageRecord[]>
  /** Sums by time for a chart, from the roll-ups. Throws RangeError for a span of too many buckets. */
  summary(query: SummaryQuery): Promise<UsageSummary>
  /** What an account used in each of up to ten spans, from the roll-ups: whole hours. In their order. */
  totalsInSpans(accountId: string, spans: readonly TimeSpan[]): Promise<readonly UsageTotals[]>
  /** When the last hour before a moment begins in which the account asked for something; null: there is none. */
  lastHourOfUse(accountId: string, beforeMs: number): Promise<number | null>
  /** The key and the model of up to 200 requests, by their ids. Those that are not there are left out. */
  subjectsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, RequestSubject>>
  /** Whether a request of the account ever ended well. */
  hasAnswered(accountId: string): Promise<boolean>
  /**
   * What up to 200 keys used, day by day since a moment that begins one, from the roll-ups and with one statement. Days
   * without a request, and keys without such a day, are left out. `accountId`: of this account alone; null, or left out: of
   * any. `offsetMinutes`: as for `summary`.
   */
  daysOfKeys(
    keyIds: readonly string[],
    since: { readonly accountId?: string | null; readonly fromMs: number; readonly offsetMinutes: number },
  ): Promise<ReadonlyMap<string, readonly UsageBucket[]>>
  /** What each key of an account used in a span and cost before it, from the roll-ups. */
  keySpend(query: KeySpendQuery): Promise<KeySpendPage>
  tagSpend(query: TagSpendQuery): Promise<TagSpends>
  /** What requests cost at their providers and what they brought, from the roll-ups. */
  margins(query: MarginsQuery): Promise<Margins>
  /**
   * What accounts were charged in groups in which they have a multiplier of their own now; of at most 1,000 accounts. Since a
   * moment, rounded down to its hour.
   */
  ownMultiplierCharges(sinceMs: number): Promise<readonly OwnMultiplierCharge[]>
  /** Requests of all accounts by one or two of their properties, from the roll-ups. */
  explore(query: ExploreQuery): Promise<Explored>
  /** The newest requests of exactly this span alone, counted and timed one by one. */
  exploreNewest(query: ExploreQuery): Promise<ExploredNewest>
  /** Cached input by model and upstream, from the sums of hours. */
  cachedInput(query: CachedInputQuery): Promise<CachedInputSums>
  /** How requests for each model ended since a moment (rounded down to its hour), as far as its upstreams had a part in it. */
  answersByModel(sinceMs: number): Promise<ReadonlyMap<string, ModelAnswers>>
  /** How well models were served, hour by hour and day by day. */
  readonly service: ServiceHours
  /** What failed for a reason that callers have no part in, hour by hour. */
  readonly incidents: IncidentHours
  /** What an account used of each model since a moment (rounded down to its hour), from the roll-ups and with one statement. */
  totalsByModel(accountId: string, sinceMs: number): Promise<ReadonlyMap<string, UsageTotals>>
  /** The newest records of an account (or of one key) since a moment, newest first. Cheap enough to be asked every second. */
  firstSteps(of: {
    readonly accountId: string
    readonly keyId?: string | undefined
    readonly sinceMs: number
    readonly limit: number
  }): Promise<readonly UsageRecord[]>
}

/** The key that made a request, and what it asked for. */
export interface RequestSubject {
  readonly keyId: string
  /** The name of the key then. */
  readonly keyName: string
  readonly model: string | null
}

export interface ModelAnswers {
  readonly good: number
  /** Ended by a fault of an upstream: refusals of what a client sent do not count. */
  readonly failed: number
}

/** Filters of records. What is absent may be anything. */
export interface UsageFilter {
  /** null: of all accounts. */
  readonly accountId: string | null
  readonly keyId?: string | undefined
  readonly groupId?: string | undefined
  readonly model?: string | undefined
  /** The name of the upstream that was asked last. */
  readonly upstream?: string | undefined
  /** What the credential is called that was used last. */
  readonly credential?: string | undefined
  /** The protocol that the client spoke. */
  readonly protocol?: string | undefined
  /** The calling program, as records have it. */
  readonly client?: string | undefined
  /** A tag that the key has now. */
  readonly tag?: string | undefined
  /** `any`: whatever fault it ended with. */
  readonly fault?: FaultCode | 'any' | undefined
  readonly outcome?: UsageOutcome | undefined
  /** What is to be said of its counts. */
  readonly note?: UsageNote | undefined
  /** How the request id begins. */
  readonly idPrefix?: string | undefined
  /** A part of what an upstream said of an attempt, in any case, or the whole of what it calls one in its own logs. */
  readonly said?: string | undefined
  /** Included. Epoch milliseconds, as the id tells them. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
}

export interface UsagePage {
  readonly records: readonly UsageRecord[]
  /** The `after` of the next page; null: there is none. */
  readonly next: string | null
}
