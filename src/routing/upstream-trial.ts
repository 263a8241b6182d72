import type { FaultCode } from '../core/faults.ts'
import type { UpstreamTrialResult } from '../core/model-list-results.ts'
import type { NanoUsd } from '../core/money.ts'
import type { ClientWire } from '../core/wire.ts'
import type { FailureClass } from './failure-class.ts'

/** One small request that an admin sends to an upstream, on the way that clients' requests take. */
export interface TrialQuestion {
  readonly upstreamId: string
  /** A public name of a model that has a target there. */
  readonly modelName: string
  /** The model's name there, where it has several targets at the upstream; null: the first of them. */
  readonly targetModel: string | null
  /** null: the first that is not disabled. One that is named is tried though it is disabled. */
  readonly credentialName: string | null
  /** The wire that a client would speak. */
  readonly wire: ClientWire
  readonly isStream: boolean
  /** What is said; null: a greeting. */
  readonly text: string | null
}

/** What came of it. `refused`: nothing was sent, because of this field of the question. */
export type TrialAnswer =
  | ({ readonly kind: 'done' } & UpstreamTrial)
  | {
      readonly kind: 'refused'
      readonly field: 'upstream' | 'model' | 'upstream_model' | 'credential' | 'protocol'
      readonly why: string
    }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }

/** Where an attempt got to, in the order of its stages, and how it ended. */
export interface UpstreamTrial {
  /** The id of its record in the books. */
  readonly requestId: string
  /** The model's name at the upstream. */
  readonly targetModel: string
  readonly credentialName: string | null
  /** The upstream was asked in another wire than the client's. */
  readonly isTranslated: boolean
  /** Fields that the translation left out. */
  readonly droppedFields: readonly string[]
  /** The address that was asked last, for admins; null: nothing was sent. */
  readonly url: string | null
  /** A connection took the request. */
  readonly isConnected: boolean
  /** The status of the upstream's answer; null: none came. */
  readonly status: number | null
  /** Milliseconds from the request until the first bytes of the upstream's answer behind its head; null: none came. */
  readonly firstEventMs: number | null
  /** Whether the upstream said how much was used. */
  readonly usageSource: 'reported' | 'estimated' | 'none'
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** null: not known, or nothing was used. */
  readonly providerCost: NanoUsd | null
  /** `not_sent`: it was refused before an upstream was asked. */
  readonly ended: 'ok' | FailureClass | 'rejected' | 'cancelled' | 'not_sent'
  /** What a client would have got. */
  readonly fault: FaultCode | null
  readonly clientStatus: number | null
  readonly result: UpstreamTrialResult
  /** What the upstream itself said of an error, without its credential; null: nothing. */
  readonly said: string | null
  /** Both in a sentence, for admins. Holds no address and no credential. */
  readonly detail: string
  /** The provider had refused the credential, and takes it again. */
  readonly isReleased: boolean
  readonly totalMs: number
}
