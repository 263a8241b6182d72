import type { Wire } from '../core/wire.ts'
import type { ModelRules } from '../models/facts.ts'

/** How a model is served, where that is set. At least one is. */
export interface Serving {
  /** The wires in which it may be called, at least one; left out: all that its targets can be asked for. */
  readonly endpoints?: readonly Wire[]
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

/** The settings as they are written: null where nothing is set. */
export interface WrittenServing {
  readonly endpoints: readonly Wire[] | null
  readonly firstEventTimeoutMs: number | null
  readonly idleTimeoutMs: number | null
  readonly timeoutMs: number | null
  readonly hedgeAfterMs: number | null
  readonly rules: ModelRules | null
}

/** Returns the settings of a model: nothing where nothing is set, as nearly always. */
export function servingOf(written: WrittenServing): { readonly serving?: Serving } {
  const { endpoints, firstEventTimeoutMs, idleTimeoutMs, timeoutMs, hedgeAfterMs, rules } = written
  const serving: Serving = {
    ...(endpoints === null ? {} : { endpoints: [...new Set(endpoints)] }),
    ...(firstEventTimeoutMs === null ? {} : { firstEventTimeoutMs }),
    ...(idleTimeoutMs === null ? {} : { idleTimeoutMs }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...(hedgeAfterMs === null ? {} : { hedgeAfterMs }),
    ...(rules === null || Object.keys(rules).length === 0 ? {} : { rules }),
  }
  return Object.keys(serving).length === 0 ? {} : { serving }
}

export function writtenServing({ serving }: { readonly serving?: Serving }): WrittenServing {
  const of = serving ?? {}
  const {
    endpoints = null,
    firstEventTimeoutMs = null,
    idleTimeoutMs = null,
    timeoutMs = null,
    hedgeAfterMs = null,
    rules = null,
  } = of
  return { endpoints, firstEventTimeoutMs, idleTimeoutMs, timeoutMs, hedgeAfterMs, rules }
}

/** Whether a model with these endpoints may be called in the wire. */
export function isServedAs(serving: Serving | undefined, wire: Wire): boolean {
  return serving?.endpoints === undefined || serving.endpoints.includes(wire)
}
