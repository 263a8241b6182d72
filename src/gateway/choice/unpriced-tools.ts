import { explainedFault } from '../../causes/explained-fault.ts'
import { type HostedTool, kindsOf } from '../../core/calls.ts'
import type { Fault } from '../../core/faults.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import type { Snapshot } from '../snapshot.ts'
import { searchesByItself } from './self-searching.ts'
import { isFreeForGood } from './choose-model.ts'
import type { ChosenModel } from '../request/prepared.ts'

/**
 * The provider's own tools that a request asks for and the model has no fee for: its provider would charge for calls, and the gateway
 * would not. A fee of 0 is one. A model that is served for nothing has everything for nothing.
 */
export function unpricedTools(asked: Iterable<HostedTool> | undefined, chosen: ChosenModel): ReadonlySet<HostedTool> {
  if (asked === undefined || isFreeForGood(chosen)) return NONE
  const { calls } = chosen.prices
  return new Set([...asked].filter((tool) => kindsOf(tool).every((kind) => calls?.[kind] === undefined)))
}

/** Throws the fault `request_invalid` for tools that have no fee, and for a model that searches with every request and has none. */
export function refuseUnpricedTools(asked: Iterable<HostedTool> | undefined, chosen: ChosenModel): void {
  const [tool] = unpricedTools(asked, chosen)
  if (tool !== undefined) throw lacksFee(chosen, tool, 'tools')
  if (!searchesByItself(chosen.model) || isFreeForGood(chosen)) return
  const { prices } = chosen
  if (prices.calls?.web_search !== undefined || (prices.units?.request ?? null) !== null) return
  throw lacksFee(chosen, 'web_search', 'model')
}

/** Whether a provider may run tools for a request: some target of the model gets the client's bytes, and is not the demo's. */
export function mayCallTools(
  { model }: ChosenModel,
  { upstreamsById }: Pick<Snapshot, 'upstreamsById'>,
  adapters: { isSameWire(target: Target): boolean },
): boolean {
  return model.targets.some((target) => {
    const protocol = upstreamsById.get(target.upstreamId)?.upstream.protocol
    return protocol !== undefined && !isBuiltIn(protocol) && adapters.isSameWire(target)
  })
}

const NONE: ReadonlySet<HostedTool> = new Set()

function lacksFee({ model }: ChosenModel, tool: HostedTool, param: 'tools' | 'model'): Fault {
  return explainedFault('request_invalid', { model: model.name, lacks: kindsOf(tool).join(' or ') }, { param })
}
