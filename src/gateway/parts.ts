import type { ClientRequest } from './client-connection.ts'
import type { Clock } from '../core/clock.ts'
import type { Fault } from '../core/faults.ts'
import type { Admission } from '../metering/admission/admission.ts'
import type { BudgetStore } from '../metering/budgets/budget.ts'
import type { LeaseBook } from '../metering/budgets/lease-book.ts'
import type { KeyLimits } from '../metering/limits/key-limits.ts'
import type { SettleQueue } from '../metering/settle/settle-queue.ts'
import { HiddenOutput } from '../metering/usage/hidden-output.ts'
import type { FreeTokenCounter } from '../metering/usage/token-counter.ts'
import type { UsageStore } from '../metering/usage/usage-store.ts'
import { ProviderOrgMemory } from '../routing/provider-org-memory.ts'
import type { StoredResponseStore } from '../routing/stored-responses.ts'
import type { KeyStore } from '../access/key-store.ts'
import type { UnknownTryLog } from '../access/unknown-tries.ts'
import { BodiesUnderWay } from './memory/bodies-under-way.ts'
import { Captures } from './capture/captures.ts'
import type { CaptureKeeper } from './capture-keeper.ts'
import { ResponseCache } from './memory/response-cache.ts'
import { BadCredentialThrottle } from './callers/bad-credentials.ts'
import type { CallerFinder } from './callers/caller.ts'
import { FailedAuthLog } from './callers/failed-auth-log.ts'
import type { SaidMaintenance } from '../access/announcement.ts'
import type { KeyAddresses } from '../access/key-addresses.ts'
import type { IgnoredLimits } from './ignored-limits.ts'
import type { MissingEndpoints } from './missing-endpoints.ts'
import type { LearnedRefusals } from './learned-refusals.ts'
import { RefusalLog } from './callers/refusal-log.ts'
import type { ImplausibleUsage } from './implausible-usage.ts'
import { DrainLimit } from './memory/drain-limit.ts'
import type { RequestFigures } from './request-figures.ts'
import type { RequestObserver } from './request-observer.ts'
import type { RunningRequests } from './running-requests.ts'
import type { Snapshot } from './snapshot.ts'

/** What the gateway is built of. `app` joins the parts. */
export interface GatewayParts {
  readonly clock: Clock
  readonly random: () => number
  readonly newRequestId: (nowMs: number) => string
  snapshot(): Snapshot
  /** Announced maintenance: what runs is said in answers with 503. */
  maintenance(): readonly SaidMaintenance[]
  readonly callers: CallerFinder
  readonly admission: Admission
  readonly keyLimits: KeyLimits
  /** What this node knows of budgets. */
  readonly leases: Pick<LeaseBook, 'holderOf'>
  /** Tokens that are held for where neither the request nor its model names a limit. */
  readonly heldInputTokens: number
  readonly heldOutputTokens: number
  /** Knows which targets keep to the output limits that they are sent. */
  readonly ignoredLimits: IgnoredLimits
  /** Knows which settings of requests targets refuse. */
  readonly learnedRefusals: LearnedRefusals
  /** Endpoints that upstreams of several were seen to lack. */
  readonly missingEndpoints: MissingEndpoints
  /** How long an upstream may be silent in the middle of an answer. */
  readonly idleTimeoutMs: number
  /** How long after its request came a stream begins, with a sign of life where there is nothing else. */
  readonly streamBeginsWithinMs: number
  readonly settleQueue: SettleQueue
  /** Whether what is left of a key is said in the ways of new-api and one-api; absent: it is not. */
  readonly saysBalances?: () => boolean
  /** What is read back for `GET /v1/usage` and receipts. */
  readonly usage: Pick<UsageStore, 'record' | 'totalsOfKey' | 'keptSince'>
  readonly budgets: BudgetStore
  readonly storedResponses: StoredResponseStore
  /** The stored ids that pass: all but those known as another account's, the account's own alone, or any. */
  readonly storedIds: 'unclaimed' | 'own' | 'any'
  /** Whether a request for a tool of the provider's own passes that the model has no fee for. */
  readonly unpricedTools: 'refuse' | 'allow'
  /** Headers of clients that go on to upstreams beside those that always do, in lower case. */
  readonly forwardsAlso: ReadonlySet<string>
  readonly refusals: RefusalLog
  readonly failedAuth: FailedAuthLog
  /** What was refused without a known key. */
  readonly unknownTries: UnknownTryLog
  /** Notes the addresses that keys are used from. */
  readonly keyAddresses: Pick<KeyAddresses, 'note'>
  readonly tokenCounter: FreeTokenCounter
  /** What models thought in their last answers. */
  readonly hiddenOutput: HiddenOutput
  readonly drainLimit: DrainLimit
  readonly providerOrgs: ProviderOrgMemory
  /** Reports implausible usage to admins. */
  readonly implausibleUsage: ImplausibleUsage
  /** Whether a client that leaves before anything came pays for the input that was sent. */
  readonly chargesUnanswered: boolean
  readonly bodies: BodiesUnderWay
  /** Answers that groups keep. */
  readonly responseCache: ResponseCache
  readonly running: RunningRequests
  /** What this thread counts for `/metrics`. */
  readonly figures: RequestFigures
  /** Follows requests; null, as a rule: nothing does. */
  readonly observer: RequestObserver | null
  /** Records requests of keys that are captured; null: nothing keeps them. */
  readonly captures: Captures | null
  /** The Fault with which every new request is refused at present: draining, or the store is behind. */
  closedBecause(): Fault | null
  /** The address a request came from, and the origin under which the gateway was reached. */
  addressOf(request: ClientRequest): string
  originOf(request: ClientRequest): string
  readonly log: GatewayLog
}

/** What `app` gives; the rest of the parts is the gateway's own. */
export interface GivenParts extends Omit<
  GatewayParts,
  | 'callers'
  | 'refusals'
  | 'failedAuth'
  | 'bodies'
  | 'responseCache'
  | 'hiddenOutput'
  | 'drainLimit'
  | 'providerOrgs'
  | 'captures'
> {
  readonly callers: Omit<CallerFinder, 'throttle'>
  readonly keys: KeyStore
  readonly captureKeeper: CaptureKeeper
  /** How many threads of this process carry requests: what each counts for itself alone is divided among them. */
  readonly threads: number
}

/** Joins what is given with what the gateway makes for itself. */
export function gatewayParts({ keys, threads, captureKeeper, ...given }: GivenParts): GatewayParts {
  const { clock, settleQueue } = given
  const callers = { ...given.callers, throttle: new BadCredentialThrottle(clock, threads) }
  const refusals = new RefusalLog({ queue: settleQueue, clock })
  const failedAuth = new FailedAuthLog({ keys, refusals, callers, clock, unknownTries: given.unknownTries })
  const own = {
    hiddenOutput: new HiddenOutput(),
    drainLimit: new DrainLimit(threads),
    providerOrgs: new ProviderOrgMemory(),
    captures: new Captures(captureKeeper, clock),
    responseCache: new ResponseCache(clock, threads),
  }
  return { ...given, ...own, callers, refusals, failedAuth, bodies: new BodiesUnderWay(threads) }
}

/** Neither method is ever given a secret or a text of a client's. */
export interface GatewayLog {
  /**
   * Something failed that an admin may have to look at. Of a credential its name alone: a field that is called `credential` is
   * blanked in the log, whatever it holds.
   */
  failure(
    event: string,
    about: { requestId?: string; upstream?: string; credentialName?: string; error: unknown },
  ): void
}
