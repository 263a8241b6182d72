import type { ClientWire, Wire } from '../core/wire.ts'
import type { ModelRules } from '../models/facts.ts'

/** How a model is served, where that is set. At least one is. */
export interface Serving {
  /** The wires in which it may be called, at least one; left out: all that its targets can be asked for. */
  readonly endpoints?: readonly ClientWire[]
  /** Milliseconds until something of an answer comes from a target; left out: as its upstream says. */
  readonly firstEventTimeoutMs?: number
  /** The silence in the midst of an answer that is waited for; left out: as the installation says. */
  readonly idleTimeoutMs?: number
  /** The time for the whole request; left out: as its upstream says. */
  readonly timeoutMs?: number
  /** Another target is asked beside one that has let wait for so long; left out: none is. */
  readonly hedgeAfterMs?: number
  /** What it takes at all of its targets otherwise than the table of models says, at least one; left out: nothing. */
  readonly rules?: ModelRules
}

/** The wires in which a model may be called; null: all that its targets can be asked for. */
export function endpointsOf({ serving }: { readonly serving?: Serving }): readonly ClientWire[] | null {
  return serving?.endpoints ?? null
}

/** Whether a model with these endpoints may be called in the wire. */
export function isServedAs(serving: Serving | undefined, wire: Wire): boolean {
  return serving?.endpoints === undefined || serving.endpoints.some((endpoint) => endpoint === wire)
}
