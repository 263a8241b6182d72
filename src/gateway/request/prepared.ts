import type { KeyWithOwner } from '../../access/api-key.ts'
import type { CallableModel } from '../../entitlement/callable-models.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { Protocol, RequestHead } from '../../protocols/protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import type { Snapshot } from '../snapshot.ts'
import type { RequestAdapters } from './outbound.ts'

/** A request that may be sent: who asks, for what, in which bytes, and the money that is held for it. */
export interface PreparedRequest {
  readonly caller: KeyWithOwner
  readonly protocol: Protocol
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  readonly snapshot: Snapshot
  readonly adapters: RequestAdapters
  /** Not every upstream of the wire has the endpoint, and none of another wire. */
  readonly isSameWireOnly: boolean
  /** The hash that all requests of a conversation share; null: nothing that matters. */
  readonly affinity: number | null
  /** null: one provider organisation serves the model. */
  readonly binding: OrgBinding | null
  /** null: the request costs nothing, whatever comes of it. */
  readonly reservation: Reservation | null
  readonly hold: OutputHold
}

/** The model that a request means, in the group that it is charged in. */
export interface ChosenModel extends CallableModel {
  /** The targets whose upstream understands the client's wire format, as it is or translated. Empty only where those that speak it as it is were wanted alone. */
  readonly targets: readonly Target[]
  /** The request names something that only some of the targets may see; the others are left out. */
  readonly isNarrowed?: true
}

/** A group that a request may be charged in, as it is chosen there. */
export interface GroupRoute {
  readonly chosen: ChosenModel
  readonly affinity: number | null
}

/** What a request holds that only the organisation that created it can read, such as encrypted reasoning. */
export interface OrgBinding {
  /** The organisation that created it; null: nothing is bound, or it is not known where it was created. */
  readonly providerOrg: string | null
  /** Fingerprints of what the client sends back as it came. */
  readonly fingerprints: readonly string[]
}

/** The output that an admitted request may have, in tokens. */
export interface OutputHold {
  /** The output that the reservation covers, in all answers together. */
  readonly tokens: number
  /** The input that the reservation covers. */
  readonly input: number
  /** The limit that goes upstream, for each answer, in place of the client's; null: the client's, as it is. */
  readonly limit: number | null
  /** The reservation is enough only where the upstream keeps to the limit that it is sent. */
  readonly trustsLimit: boolean
  /**
   * The bound that goes upstream on the calls of each of the provider's own tools, where the client names none or a higher one;
   * absent: the client's bounds, if it asks for such tools.
   */
  readonly calls?: number | undefined
}
