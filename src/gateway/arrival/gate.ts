import type { ClientRequest } from '../client-connection.ts'
import { isAllowedFrom } from '../../access/allowed-address.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { stopOf } from '../../access/key-stop.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import type { GatewayParts } from '../parts.ts'
import { findCaller } from '../callers/caller.ts'

/**
 * What a request wants behind the gate. `call`: a model is asked. `look_up`: models are listed. `read_books`: what a key used
 * and paid, which an expired key may read as well. Nothing is spent by the latter two, so only a draining gateway refuses them.
 */
export type Purpose = 'call' | 'look_up' | 'read_books'

/** The gate that every request passes: the gateway is open, the key is known, and it may be used from where it is used. */
export class Gate {
  readonly #parts: GatewayParts
  readonly #request: ClientRequest
  readonly #purpose: Purpose
  /** The address that the request came from. */
  readonly address: string
  readonly #onFound: (caller: KeyWithOwner) => void

  /** `onFound` gets the caller before it is judged, so that a refusal can be recorded under its key. */
  constructor(
    parts: GatewayParts,
    request: ClientRequest,
    about: { readonly purpose: Purpose; onFound?(caller: KeyWithOwner): void },
  ) {
    this.#parts = parts
    this.#request = request
    this.#purpose = about.purpose
    this.address = parts.addressOf(request)
    this.#onFound = about.onFound ?? (() => {})
  }

  /** The caller, let in; at once where its key is in memory. Throws, or rejects with, the one Fault that keeps it out. */
  enter(): KeyWithOwner | Promise<KeyWithOwner> {
    this.refuseIfClosed()
    const caller = findCaller(this.#request, this.address, this.#parts.callers)
    return caller instanceof Promise ? caller.then((found) => this.#letIn(found)) : this.#letIn(caller)
  }

  /** Checks a caller again after time has passed, in which the gateway may have closed and the key may have changed. */
  recheck(caller: KeyWithOwner): KeyWithOwner | Promise<KeyWithOwner> {
    this.refuseIfClosed()
    return this.#parts.callers.ring.isCurrent(caller) ? caller : this.enter()
  }

  #letIn(caller: KeyWithOwner): KeyWithOwner {
    this.#onFound(caller)
    const nowMs = this.#parts.clock.now()
    authorize(caller, {
      address: this.address,
      nowMs,
      purpose: this.#purpose === 'read_books' ? 'read_only' : 'for_calling',
    })
    this.#parts.keyAddresses.note(caller.key, this.address, nowMs)
    return caller
  }

  /** Throws the Fault for which the gateway takes no such request at present. */
  refuseIfClosed(): void {
    const closed = this.#parts.closedBecause()
    if (closed !== null && (this.#purpose === 'call' || closed.code === 'draining')) throw closed
  }
}

/** Throws the Fault that stops this caller whatever it asks for: the key's state, its owner's, the address it calls from. */
export function authorize(
  caller: KeyWithOwner,
  from: { address: string; nowMs: number; purpose?: 'for_calling' | 'read_only' },
): void {
  const stopped = stopOf(caller, from.nowMs, from.purpose)
  if (stopped !== null) throw stopped
  if (!isAllowedFrom(caller.key, from.address)) {
    throw explainedFault('ip_not_allowed', { address: from.address })
  }
}
