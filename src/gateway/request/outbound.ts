import type { Fault } from '../../core/faults.ts'
import type { DroppableSetting } from '../../core/request-settings-names.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { Wire } from '../../core/wire.ts'
import type { UntakenSetting } from '../../protocols/left-out-settings.ts'
import type { Answer, RequestHead, StreamReader, UpstreamError } from '../../protocols/protocol.ts'
import type { RefusedSettings } from '../../protocols/refused-settings.ts'
import type { Target } from '../../routing/catalog.ts'
import type { UpstreamRequest } from '../../upstreams/upstream-client.ts'

/** What carries one request to its model's targets. */
export interface RequestAdapters {
  /** Bytes of the largest body that was made for an upstream, headers not counted. */
  readonly mostBytesSent: number
  limitOutput(tokens: number): boolean
  limitCalls(calls: number): void
  isSameWire(target: Target): boolean
  to(target: Target, orgTag: string): OutboundRequest | Fault
  leaveOut(target: Target, orgTag: string, refused: RefusedSettings): readonly UntakenSetting[] | null
  leaveWire(target: Target, wire: Wire): boolean
}

/** One request as it leaves for one target. It is let go when it is sent, since it may be large. */
export interface OutboundRequest {
  readonly request: UpstreamRequest
  readonly adapter: ResponseAdapter
  /** See `Translated.goesTo`; left out: it goes to each as it is. */
  readonly goesTo?: (orgTag: string) => boolean
}

/** How a target's answer comes back to the client. */
export interface ResponseAdapter {
  /** Paths in the client's body of what this target's wire has no place for. */
  readonly dropped: readonly string[]
  /** Settings that the request went without, since its target refuses them. */
  readonly leftOut: readonly DroppableSetting[]
  /** The service that was asked for, as far as that was sent. */
  readonly askedTerms: RequestHead['terms']
  /** Both sides speak one wire, so what the client gets has the upstream's ids. */
  readonly isSameWire: boolean
  /** The wire that the upstream is asked on. */
  readonly wire: Wire
  /** Makes the reader of the answer's stream; null on a wire that has no streams. */
  readonly openStream: (() => StreamReader) | null
  /** See `StreamingProtocol`. */
  readonly takesEitherForm: boolean
  readAnswer(body: Buffer): Answer
  /** The client's bytes for an answer that was read (`Answer.rewritten` where that is set): the same where both sides speak one wire. */
  forClient(body: Buffer, usage: TokenCounts): Buffer
  readError(body: Buffer): UpstreamError
}
