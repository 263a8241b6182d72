import { upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { type ChatWire, isChatWire, type Wire } from '../../core/wire.ts'
import { factsOf } from '../../models/table.ts'
import type { Protocol, RequestHead } from '../../protocols/protocol.ts'
import { askedModelOf } from '../../routing/asked-model.ts'
import type { Target, Upstream } from '../../routing/catalog.ts'
import { wiresTo } from '../../routing/route.ts'
import type { MissingEndpoints } from '../missing-endpoints.ts'
import type { Snapshot } from '../snapshot.ts'
import type { ChosenModel } from '../request/prepared.ts'

/** One request, as far as it says on which wires it may go. */
export interface WiresOptions {
  readonly protocol: Protocol
  /** The wire of the body, where that is not the protocol's: it then passes untouched to no upstream. */
  readonly bodyWire?: ChatWire | undefined
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  readonly snapshot: Snapshot
  /** Left out: every upstream is taken to have all wires of its protocol. */
  readonly missingEndpoints?: Pick<MissingEndpoints, 'has'>
}

/** The wires on which one request may go to its targets. */
export class TargetWires {
  readonly #of: WiresOptions
  /** Whether what is asked for is refused on the client's own wire. */
  readonly #refusedHere = new Map<Target, boolean>()
  /** Wires that targets have shown to lack; null: none, as of nearly all. */
  #left: Map<Target, Wire> | null = null

  constructor(of: WiresOptions) {
    this.#of = of
  }

  /** The best first; empty where the upstream is gone. */
  of(target: Target): readonly Wire[] {
    const { snapshot, bodyWire, protocol, missingEndpoints } = this.#of
    const upstream = snapshot.upstreamsById.get(target.upstreamId)?.upstream
    if (upstream === undefined) return []
    const others = upstreamProtocolFacts(upstream.protocol).translatedTo
    const wires = bodyWire === undefined ? wiresTo(upstream.protocol, protocol.wire) : others
    const left = this.#left?.get(target)
    const isElsewhere =
      wires[0] === protocol.wire &&
      others.length > 1 &&
      (this.#isRefusedHere(target) || left === protocol.wire || this.#isKnownToLackOwn(target, upstream))
    const all = isElsewhere ? others : wires
    if (all.length < 2) return all
    const there = all.filter((wire) => left !== wire && missingEndpoints?.has(upstream, target.model, wire) !== true)
    return there.length === 0 ? all : there
  }

  /** Whether a cloud has said by name that the model lacks the endpoint of the client's own wire. */
  #isKnownToLackOwn(target: Target, upstream: Upstream): boolean {
    const { missingEndpoints, protocol } = this.#of
    if (upstream.passage?.dialect === undefined || !isChatWire(protocol.wire)) return false
    return missingEndpoints?.has(upstream, target.model, protocol.wire) === true
  }

  /** The target lacks the wire that the request went to it on; false: there is no other. */
  leave(target: Target, wire: Wire): boolean {
    if (this.#left?.has(target) === true) return false
    this.#left = new Map(this.#left).set(target, wire)
    return !this.of(target).includes(wire)
  }

  /** Whether the model refuses on the client's own wire what the request asks for, so that another may be better. */
  #isRefusedHere(target: Target): boolean {
    const { protocol, chosen, body, head } = this.#of
    const { wire, isRefusedBy } = protocol
    if (isRefusedBy === undefined || !isChatWire(wire)) return false
    const known = this.#refusedHere.get(target)
    if (known !== undefined) return known
    const isRefused = isRefusedBy(factsOf(askedModelOf(target, chosen.model), wire), body, head)
    this.#refusedHere.set(target, isRefused)
    return isRefused
  }
}
