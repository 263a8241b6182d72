import { explainedFault } from '../../causes/explained-fault.ts'
import { type HostedTool, kindsOf } from '../../core/calls.ts'
import { Fault } from '../../core/faults.ts'
import { PLAIN, type ServiceTerms } from '../../core/terms.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import { type LeanTools, withoutOffered } from '../../protocols/offered-tools.ts'
import type { RequestHead } from '../../protocols/protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import type { ChosenModel } from '../request/prepared.ts'
import type { Snapshot } from '../snapshot.ts'
import { isFreeForGood } from './choose-model.ts'
import { searchesByItself } from './self-searching.ts'

/**
 * Throws the fault `request_invalid` for a class of service or a place that the model has no price for: its provider would
 * charge another price than the gateway. What leaves the choice to the provider passes, and is charged by what it names.
 */
export function refuseUnpricedTerms(asked: ServiceTerms | undefined, { model, prices }: ChosenModel): void {
  // Nearly every request.
  if (asked === undefined) return
  const { tier, geo } = asked
  if (tier !== null && tier !== PLAIN && prices.rules?.serviceTiers.has(tier) !== true) {
    throw unpricedTerm('service tier', tier, {
      param: tier === 'fast' ? 'speed' : 'service_tier',
      model: model.name,
      priced: [...(prices.rules?.serviceTiers.keys() ?? [])],
    })
  }
  if (geo !== null && geo !== PLAIN && prices.rules?.geoFactors.has(geo) !== true) {
    throw unpricedTerm('inference geo', geo, {
      param: 'inference_geo',
      model: model.name,
      priced: [...(prices.rules?.geoFactors.keys() ?? [])],
    })
  }
}

function unpricedTerm(
  what: string,
  name: string,
  about: { param: string; model: string; priced: readonly string[] },
): Fault {
  const { param, model, priced } = about
  const others = priced.length === 0 ? '' : `, or send one of ${priced.map((each) => `"${each}"`).join(', ')}`
  const shown = name.replace(/[^\w.-]/g, '?')
  return new Fault(
    'request_invalid',
    `The model "${model}" has no price for the ${what} "${shown}" here. Leave \`${param}\` out${others}.`,
    { param },
  )
}

/**
 * The provider's own tools that a request asks for and the model has no fee for: its provider would charge for calls, and the gateway
 * would not. A fee of 0 is one. A model that is served for nothing has everything for nothing.
 */
function unpricedTools(asked: Iterable<HostedTool> | undefined, chosen: ChosenModel): ReadonlySet<HostedTool> {
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

/** The request's head as its provider gets it: where the request is translated, the provider's own tools are left out, and so call nothing. */
export function withToolsThatRun(
  head: RequestHead,
  chosen: ChosenModel,
  by: { readonly snapshot: Snapshot; readonly adapters: { isSameWire(target: Target): boolean } },
): RequestHead {
  if (head.outside.tools === undefined || mayCallTools(chosen, by.snapshot, by.adapters)) return head
  const { refers, loops, media, kept } = head.outside
  return { ...head, outside: { refers, loops, media, kept } }
}

/** The body without tools that have no fee here, where it offers them beside others; null where it has none, or is about them. */
export function withoutUnpriced(body: Buffer, { outside, limits }: RequestHead, chosen: ChosenModel): LeanTools | null {
  const tools = unpricedTools(outside.tools, chosen)
  return tools.size === 0 ? null : withoutOffered(body, tools, limits)
}

const NONE: ReadonlySet<HostedTool> = new Set()

function lacksFee({ model }: ChosenModel, tool: HostedTool, param: 'tools' | 'model'): Fault {
  return explainedFault('request_invalid', { model: model.name, lacks: kindsOf(tool).join(' or ') }, { param })
}
