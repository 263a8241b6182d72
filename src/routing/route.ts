import type { TokenPrices } from '../core/prices.ts'
import { UPSTREAM_PROTOCOLS, type UpstreamProtocol, upstreamProtocolFacts } from '../core/upstream-protocol.ts'
import {
  CHAT_WIRES,
  type ClientWire,
  isChatWire,
  isClientWire,
  type Wire,
  WIRE_NAMES,
  wireFacts,
} from '../core/wire.ts'
import type { Model, Target } from './catalog.ts'

const NONE: readonly Wire[] = []
/** Each wire as a list of its own: no list is made for a request. */
const SAME: ReadonlyMap<Wire, readonly Wire[]> = new Map(WIRE_NAMES.map((wire) => [wire, [wire]]))
const SPOKEN = new Map(
  Object.entries(UPSTREAM_PROTOCOLS).map(([protocol, { wires }]) => [protocol, new Set<Wire>(wires)]),
)

/** Whether an upstream of this protocol understands the wire format as it is, without translation. */
export function speaks(protocol: UpstreamProtocol, wire: Wire): boolean {
  return SPOKEN.get(protocol)?.has(wire) === true
}

/** The wires in which an upstream can be asked for what came in `wire`, the best first: `wire` itself where it speaks it. */
export function wiresTo(protocol: UpstreamProtocol, wire: Wire): readonly Wire[] {
  if (speaks(protocol, wire)) return SAME.get(wire) ?? NONE
  return isChatWire(wire) ? upstreamProtocolFacts(protocol).translatedTo : NONE
}

/** The wire formats in which a model can be called at these of its targets: every chat wire, and what their upstreams speak beside. */
export function wiresOf(
  { prices, serving }: Model,
  targets: readonly Target[],
  protocolOf: (upstreamId: string) => UpstreamProtocol | null,
): readonly ClientWire[] {
  const wires = new Set<ClientWire>()
  for (const target of targets) {
    const protocol = protocolOf(target.upstreamId)
    if (protocol === null) continue
    for (const wire of CHAT_WIRES) wires.add(wire)
    for (const wire of upstreamProtocolFacts(protocol).wires) if (isClientWire(wire)) wires.add(wire)
  }
  const endpoints = serving?.endpoints
  return [...wires].filter(
    (wire) => (endpoints?.includes(wire) ?? true) && (prices === null || missingPrice(wire, prices) === null),
  )
}

/**
 * Names the price that a model lacks for a wire, in the words of its settings; null: it has one. What is charged by a unit that
 * other requests don't have must not be free for those.
 */
export function missingPrice(wire: Wire, prices: TokenPrices): string | null {
  // Nearly all models, and quick to tell apart.
  if (prices.input !== null) return null
  if (prices.units !== null && prices.units.request !== null) return null
  const { unit } = wireFacts(wire)
  if (unit === undefined) return EVERYWHERE
  return prices.units?.[unit.kind] == null ? `${unit.field}, or ${EVERYWHERE}` : null
}

const EVERYWHERE = 'price.per_request, or price.input and price.output'

/** Whether an upstream of the protocol can be asked for any of the endpoints: a target there would never be used otherwise. */
export function canCarryAny(endpoints: readonly Wire[] | null, protocol: UpstreamProtocol): boolean {
  return endpoints === null || endpoints.some((wire) => wiresTo(protocol, wire).length > 0)
}

export const CARRIED_FORM = 'an upstream whose protocol can carry one of the model’s endpoints'
