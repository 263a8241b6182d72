import { Fault } from '../../core/faults.ts'
import { PLAIN, type ServiceTerms } from '../../core/terms.ts'
import type { ChosenModel } from '../request/prepared.ts'

/**
 * Throws the fault `request_invalid` for a class of service or a place that the model has no price for: its provider would
 * charge another price than the gateway. What leaves the choice to the provider passes, and is charged by what it names.
 */
export function refuseUnpricedTerms(asked: ServiceTerms | undefined, { model, prices }: ChosenModel): void {
  // Nearly every request.
  if (asked === undefined) return
  const { tier, geo } = asked
  if (tier !== null && tier !== PLAIN && prices.rules?.serviceTiers.has(tier) !== true) {
    throw unpriced('service tier', tier, {
      param: tier === 'fast' ? 'speed' : 'service_tier',
      model: model.name,
      priced: [...(prices.rules?.serviceTiers.keys() ?? [])],
    })
  }
  if (geo !== null && geo !== PLAIN && prices.rules?.geoFactors.has(geo) !== true) {
    throw unpriced('inference geo', geo, {
      param: 'inference_geo',
      model: model.name,
      priced: [...(prices.rules?.geoFactors.keys() ?? [])],
    })
  }
}

function unpriced(
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
