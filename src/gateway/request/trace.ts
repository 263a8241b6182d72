import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Wire } from '../../core/wire.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import type { Attempt } from '../../metering/usage/usage-record.ts'
import type { Target } from '../../routing/catalog.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../upstreams/upstream-client.ts'
import type { ClientResponse } from '../client-connection.ts'
import type { ObservedRequest } from '../request-observer.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import type { ChosenModel } from './prepared.ts'

/** What is known of a request so far, filled in as it goes on its way; at its end it becomes the usage record. */
export interface RequestTrace {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** `Clock.elapsed` at arrival. */
  readonly startedAt: number
  readonly wire: Wire
  readonly client: string | null
  caller: KeyWithOwner | null
  model: string | null
  isStream: boolean
  chosen: ChosenModel | null
  attempts: Attempt[]
  /** The name of the credential of the last attempt. */
  credentialName: string | null
  /** The targets that were taken or skipped, written when the record is; null: none was to be chosen yet. */
  routing: { written(): string | null } | null
  /** The last target tried. */
  target: Target | null
  /** `Clock.elapsed` when the upstream's first byte went to the client. */
  firstByteAt: number | null
  /** How long its body was waited for, in milliseconds. */
  bodyMs: number
  /** How long upstreams were at work for it, in milliseconds. */
  upstreamMs: number
  /** null: nothing follows it. */
  readonly observed: ObservedRequest | null
  /** null, as nearly always: it is not captured. */
  capture: RequestCapture | null
  /** How the caller's limits stood at that moment, epoch milliseconds, as the response says it; null: it says nothing of them. */
  limits: { readonly states: readonly LimitState[]; readonly atMs: number } | null
}

/** What records one request of a captured key, as its bytes pass. */
export interface RequestCapture {
  /** The client's body was read. */
  read(body: Buffer): void
  /** The head of the answer goes to the client. `headers`: name, value, name, value … */
  answered(status: number, headers: readonly string[]): void
  /** More of the answer goes to the client. */
  send(bytes: Buffer): void
  /** The request goes to a target. Returns the handler that gets its answer, in the place of `handler`. */
  attempt(
    to: { readonly inUse: UpstreamInUse; readonly model: string },
    request: UpstreamRequest,
    handler: UpstreamHandler,
  ): UpstreamHandler
  /** Stores it once the answer is over, behind everything that the client waits for. */
  storeAfter(response: ClientResponse): void
}
