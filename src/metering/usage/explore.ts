import type { NanoUsd } from '../../core/money.ts'

/**
 * Dimensions by which requests of all accounts are grouped. `upstream`, `credential` and `fault`: of the attempt that was made last.
 * `tag`: that the key has now; a request whose key has two counts in both.
 */
export const EXPLORED_BY = [
  'account',
  'key',
  'group',
  'model',
  'upstream',
  'credential',
  'protocol',
  'client',
  'tag',
  'fault',
] as const
export type ExploredBy = (typeof EXPLORED_BY)[number]

/** What is asked for. Epoch milliseconds, widened to whole hours. */
export interface ExploreQuery {
  readonly fromMs: number
  readonly toMs: number
  /** One or two, which are not the same. */
  readonly by: readonly ExploredBy[]
  /** Groups, accounts and keys by their ids. */
  readonly where: { readonly [By in ExploredBy]?: string | undefined }
  /**
   * So many of the newest requests are summed one by one where no sums are kept, and half as many are timed. Of the sums of
   * all accounts or keys those of the newest days are added up, ten for each of these.
   */
  readonly newest: number
}

export interface ExploredSums {
  readonly requests: number
  readonly failed: number
  readonly charged: NanoUsd
  /** null: not kept beside upstreams and faults. */
  readonly tokens: { readonly input: number; readonly cacheRead: number; readonly output: number } | null
  /** null: not kept beside accounts. `costed`: what was charged where the provider's cost is known. */
  readonly costs: { readonly costed: NanoUsd; readonly providerCost: NanoUsd } | null
  /** Sums of the time before, which is as long; null: it is too much to be summed. */
  readonly before: Pick<ExploredSums, 'requests' | 'failed' | 'charged'> | null
  /** Times of the newest requests that ended well; null: there is none among them. */
  readonly times: ExploredTimes | null
}

/** Milliseconds from the arrival, which half of the requests and 95 % of them did not take longer than. */
export interface ExploredTimes {
  /** null: none of them had a first byte of its own. */
  readonly firstByte: Percentiles | null
  readonly total: Percentiles
}

export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

export interface Explored {
  readonly fromMs: number
  readonly toMs: number
  /** The beginning of the time before; it ends with `fromMs`. */
  readonly beforeFromMs: number
  /**
   * When the sums begin, where they are summed one by one or by the sums of all accounts or keys, and the span has
   * too many, or where older ones are not kept any more; null: since `fromMs`.
   */
  readonly sinceMs: number | null
  /** When the kept records begin, where those of the span before that would be summed and are not; null: all are there. */
  readonly keptSinceMs: number | null
  /** Likewise for refusals that cost nothing, in the sums of the span and of the time before. */
  readonly refusalsSinceMs: number | null
  /** When the timed requests begin; null: at `fromMs`. */
  readonly timedSinceMs: number | null
  readonly total: ExploredSums
  /** The dearest first, at most 500; `ids` in the order of `by`, empty where a record has none. Some were there only before. */
  readonly rows: readonly (ExploredSums & { readonly ids: readonly string[] })[]
}

/** How many of the newest requests there were by something, and how long they took. */
export interface ExploredNewest {
  /** When the counted requests begin, where there are more than are looked at; null: at `fromMs`. */
  readonly sinceMs: number | null
  readonly rows: readonly (Pick<ExploredSums, 'requests' | 'failed' | 'times'> & { readonly ids: readonly string[] })[]
}

/** Sums are kept by who asked, and by where requests went: not by both. */
const OF_CALLERS: readonly ExploredBy[] = ['account', 'group', 'model']
const OF_KEYS: readonly ExploredBy[] = ['account', 'key', 'group', 'model']
/** Tags are those that keys have now. */
const OF_TAGGED_KEYS: readonly ExploredBy[] = [...OF_KEYS, 'tag']
const OF_PROVIDERS: readonly ExploredBy[] = ['upstream', 'fault', 'group', 'model']

export type ExploredIn = 'costs' | 'tokens' | 'keys' | 'records'

/** Whether a query is of one account or of one key, whose records an index has. */
export function isOfOne({ where }: Pick<ExploreQuery, 'where'>): boolean {
  return where.account !== undefined || where.key !== undefined
}

/**
 * Where the sums of a query are: kept with costs, or with tokens, or nowhere, so that the newest records are summed one by
 * one. Kept sums of keys are read by key, within one account or of one key: all keys of an installation are so many that
 * their sums are read only where records went. `areRecordsWhole`: all records that the query may need are there.
 */
export function exploredIn({ by, where }: Pick<ExploreQuery, 'by' | 'where'>, areRecordsWhole = true): ExploredIn {
  const asked = new Set([...by, ...EXPLORED_BY.filter((each) => where[each] !== undefined)])
  if (asked.isSubsetOf(new Set(OF_PROVIDERS))) return 'costs'
  if (asked.isSubsetOf(new Set(OF_CALLERS))) return 'tokens'
  if (isOfOne({ where }) && asked.isSubsetOf(new Set(OF_KEYS))) return 'keys'
  return !areRecordsWhole && asked.isSubsetOf(new Set(OF_TAGGED_KEYS)) ? 'keys' : 'records'
}
