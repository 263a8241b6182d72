import type { AttemptObstacle } from '../../core/model-list-results.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import type { DroppableSetting } from '../../core/request-settings-names.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { Wire } from '../../core/wire.ts'
import type { FaultCode } from '../../core/faults.ts'
import type { UsageNote } from '../../core/usage-notes.ts'
import type { ChargedTerms } from '../prices/applied-prices.ts'

/**
 * What one request consumed and cost. Written once, never edited, and complete: the charge can be computed again from the
 * record alone, and it outlives the key, group, model and account that it names.
 */
export interface UsageRecord {
  /** The request id, `req_…`; also the record's identity, so that a settle that is tried again writes nothing twice. */
  readonly id: string
  readonly createdAt: number
  readonly accountId: string
  readonly keyId: string
  readonly keyName: string
  readonly groupId: string | null
  readonly groupName: string | null
  /** The public model name that the client asked for. */
  readonly model: string | null
  readonly upstreamName: string | null
  readonly upstreamModel: string | null
  /** What the credential is called that it was sent with last; null: none was asked, or it is older than this was kept. */
  readonly credentialName: string | null
  readonly wire: Wire | null
  readonly isStream: boolean
  readonly outcome: UsageOutcome
  readonly fault: FaultCode | null
  /** What was particular to it, as `core/fault-facts.ts` writes it; null: there was no fault, or nothing was kept of it. */
  readonly faultFacts: string | null
  /** The status that the client got; null when it left before. */
  readonly httpStatus: number | null
  readonly tokens: TokenCounts
  readonly usageSource: UsageSource
  /** The upstream's own counts were impossible and were capped. */
  readonly isCapped: boolean
  /** Why it was charged otherwise than simply as reported; nearly always nothing. */
  readonly usageNotes: readonly UsageNote[]
  /** The prices that it was charged at, tiers and factors included. */
  readonly prices: TokenPrices | null
  /** Why these are not the model's plain prices; null: they are. */
  readonly terms: ChargedTerms | null
  readonly multiplier: PartsPerMillion | null
  readonly cost: NanoUsd
  /** What it cost at the provider that served it; null: not known, or nothing was used. */
  readonly providerCost: NanoUsd | null
  /** The part of the cost that the balance paid. Together with `subscriptionsPaid` it is the cost. */
  readonly balancePaid: NanoUsd
  readonly subscriptionsPaid: readonly SubscriptionPayment[]
  readonly attempts: readonly Attempt[]
  /** The targets that were taken or skipped and why, as `routing/route-trace.ts` writes it; null: there was one, or none was chosen. */
  readonly routeTrace: string | null
  /** How the caller's limits stood when it was let in, as `metering/limits/limits-left.ts` writes it; null: there were none. */
  readonly limitsLeft: string | null
  /** The credential of a device that it came with: the client of a stored secret, or empty for an access token; null: of no device. */
  readonly deviceSecret: string | null
  /** The calling program, as far as its user agent says. */
  readonly client: string | null
  /** Milliseconds from the request's arrival; null when there was none. */
  readonly firstByteMs: number | null
  readonly totalMs: number
}

/** `refused`: never sent. `failed`: no target could serve it, or the stream broke. `aborted`: the client hung up. `interrupted`: cut by a crash. */
export type UsageOutcome = 'completed' | 'refused' | 'failed' | 'aborted' | 'interrupted'

/** Where the counts come from: the upstream's report, our own tokenizer, or nowhere since nothing was consumed. */
export type UsageSource = 'reported' | 'estimated' | 'none'

/** What one subscription paid of a request; more than zero. */
export interface SubscriptionPayment {
  readonly subscriptionId: string
  readonly paid: NanoUsd
}

/** One try at one target for one request. */
export interface Attempt {
  /** Another one of the request was faster, or the request was over: it was called off. */
  readonly isHedgedAway?: true
  readonly upstreamName: string
  readonly model: string
  readonly fault: FaultCode | null
  readonly status: number | null
  readonly totalMs: number
  /** When it began, in milliseconds since the request's arrival; absent in records of older versions. */
  readonly atMs?: number
  /** How long a connection was waited for; absent: one was there, or none came. */
  readonly connectMs?: number
  /** The time until the head of an answer came; absent: none did. */
  readonly headMs?: number
  /** Why it got no answer that is one; absent: one came, or nothing says why none did. For admins. */
  readonly why?: AttemptObstacle
  /** Scheme and host that the base URL redirects to; absent: it does not, or not to any that can be read. For admins. */
  readonly redirectsTo?: string
  /** What the upstream said, as far as `gateway/exchange/error-excerpt.ts` keeps it; absent: nothing of it is kept. For admins. */
  readonly said?: string
  /** Settings that the upstream refused by name, without which the request was sent there once more; absent: none. */
  readonly refusedSettings?: readonly DroppableSetting[]
  /** Settings that it was sent without, since the target refuses them; absent: none. */
  readonly leftOut?: readonly DroppableSetting[]
  /** What the upstream calls the request in its own logs; absent: it named none. For admins. */
  readonly requestId?: string
}
