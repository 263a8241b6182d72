import type { IncomingMessage } from 'node:http'
import type { Clock } from '../core/clock.ts'
import type { Fault } from '../core/faults.ts'
import type { Admission } from '../metering/admission.ts'
import type { BudgetStore } from '../metering/budget.ts'
import type { KeyLimits } from '../metering/key-limits.ts'
import type { SettleQueue } from '../metering/settle-queue.ts'
import type { TokenCounter } from '../metering/token-counter.ts'
import type { UsageStore } from '../metering/usage-store.ts'
import type { CallerFinder } from './caller.ts'
import type { FailedTries } from './failed-tries.ts'
import type { BodiesUnderWay } from './request-body.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { RunningRequests } from './running-requests.ts'
import type { Snapshot } from './snapshot.ts'

/** What the gateway is built of. `app` joins the parts. */
export interface GatewayParts {
  readonly clock: Clock
  readonly random: () => number
  readonly newRequestId: (nowMs: number) => string
  snapshot(): Snapshot
  readonly callers: CallerFinder
  readonly admission: Admission
  readonly keyLimits: KeyLimits
  /** Output tokens that are held at most for a request that is not streamed. */
  readonly heldOutputTokens: number
  readonly settleQueue: SettleQueue
  /** What is read back for `GET /v1/usage` and receipts. */
  readonly usage: Pick<UsageStore, 'record' | 'totalsOfKey'>
  readonly budgets: BudgetStore
  readonly refusals: RefusalLog
  readonly failedTries: FailedTries
  readonly tokenCounter: TokenCounter
  readonly bodies: BodiesUnderWay
  readonly running: RunningRequests
  /** The Fault with which every new request is refused at present: draining, or the store is behind. */
  closedBecause(): Fault | null
  /** The address a request came from, and the origin under which the gateway was reached. */
  addressOf(request: IncomingMessage): string
  originOf(request: IncomingMessage): string
  readonly log: GatewayLog
}

/** Neither method is ever given a secret or a text of a client's. */
export interface GatewayLog {
  /** Something failed that its operator may have to look at. */
  failure(event: string, about: { requestId?: string; upstream?: string; error: unknown }): void
}
