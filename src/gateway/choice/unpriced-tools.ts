import { explainedFault } from '../../causes/explained-fault.ts'
import { type HostedTool, kindsOf } from '../../core/calls.ts'
import type { Fault } from '../../core/faults.ts'
import { isFreeForGood } from '../exchange/hold.ts'
import type { ChosenModel } from './choose-model.ts'
import { searchesByItself } from './self-searching.ts'

/**
 * Throws the fault `request_invalid` for a tool of the provider's own that the model has no fee for: its provider would charge for
 * calls, and the gateway would not. A fee of 0 is one. A model that is served for nothing has everything for nothing.
 */
export function refuseUnpricedTools(asked: Iterable<HostedTool> | undefined, chosen: ChosenModel): void {
  const searches = searchesByItself(chosen.model)
  // Nearly every request.
  if ((asked === undefined && !searches) || isFreeForGood(chosen)) return
  const { prices } = chosen
  for (const tool of asked ?? []) {
    if (kindsOf(tool).every((kind) => prices.calls?.[kind] === undefined)) throw lacksFee(chosen, tool, 'tools')
  }
  if (!searches || prices.calls?.web_search !== undefined || (prices.units?.request ?? null) !== null) return
  throw lacksFee(chosen, 'web_search', 'model')
}

function lacksFee({ model }: ChosenModel, tool: HostedTool, param: 'tools' | 'model'): Fault {
  return explainedFault('request_invalid', { model: model.name, lacks: kindsOf(tool).join(' or ') }, { param })
}
