import type { z } from '@hono/zod-openapi'
import { groupServes } from '../../access/group.ts'
import type { modelCreate } from '../../contract/models.ts'
import { formatUsd, type NanoUsd, parseUsd } from '../../core/money.ts'
import { otherPrices, priceOfMillion, type TokenPrices } from '../../core/prices.ts'
import { unitPrices } from '../../core/units.ts'
import {
  DEAREST_PRICE,
  DEAREST_UNIT,
  dearestBeyondBound,
  isChargeablePrice,
  objectionToPrices,
} from '../../metering/prices/price-bounds.ts'
import type { Model, Target } from '../../routing/catalog.ts'
import type { Catalogue } from '../keys/catalogue.ts'
import { fieldProblem } from '../api/problem.ts'

type Sent = z.output<typeof modelCreate>

/** The prices of a request. Throws Problem `field_invalid` for one that is absurd. */
export function readPrices(price: Sent['price']): TokenPrices | null {
  if (price === null) return null
  const read = (field: keyof typeof price): NanoUsd | null => {
    const text = price[field]
    if (text === null) return null
    const amount = parseUsd(text)
    const isOfOne = field === 'per_request' || field === 'per_image' || field === 'per_second'
    const ofMillion = isOfOne ? priceOfMillion(amount) : amount
    if (ofMillion !== null && isChargeablePrice(ofMillion)) return ofMillion
    if (isOfOne) throw fieldProblem(`price.${field}`, `price.${field} takes $${MOST_OF_ONE} at most.`)
    throw fieldProblem(`price.${field}`, `price.${field} takes $${MOST} for a million tokens at most.`)
  }
  const prices: TokenPrices = {
    input: read('input'),
    output: read('output'),
    cacheRead: read('cache_read'),
    cacheWrite: read('cache_write'),
    cacheWrite1h: read('cache_write_1h'),
    other: otherPrices({
      audioInput: read('audio_input'),
      imageInput: read('image_input'),
      audioOutput: read('audio_output'),
    }),
    units: unitPrices({
      request: read('per_request'),
      image: read('per_image'),
      second: read('per_second'),
      character: read('per_million_characters'),
    }),
  }
  const missing = objectionToPrices(prices)
  if (missing === null) return prices
  throw fieldProblem(`price.${missing.field}`, `price.${missing.field} is missing: it takes ${missing.takes}.`)
}

/**
 * The targets of a request, by the names of their upstreams; one that stood there before may stay though its upstream
 * is gone, which is then shown by its id. Throws Problem `field_invalid`.
 */
export function readTargets(
  targets: Sent['targets'],
  { catalogue, before }: { catalogue: Catalogue; before: readonly Target[] },
): readonly Target[] {
  const idByName = new Map(catalogue.upstreams.map(({ id, name }) => [name, id]))
  return targets.map(({ upstream, ...target }, index) => {
    const kept = before.find(({ upstreamId }) => upstreamId === upstream)
    const upstreamId = idByName.get(upstream) ?? kept?.upstreamId
    if (upstreamId !== undefined) return { ...target, upstreamId }
    const field = `targets.${index}.upstream`
    throw fieldProblem(field, `${field} names no upstream that is there: add the upstream first.`)
  })
}

/** Throws Problem `field_invalid` when a group's multiplier makes the model dearer than any request can be charged. */
export function requireChargeableModel(model: Model, { groups }: Catalogue): void {
  for (const group of groups) {
    if (!groupServes(group, model.name)) continue
    const tooDear = dearestBeyondBound(group.multiplier, [model])
    if (tooDear === null) continue
    throw fieldProblem(
      'price',
      `price makes a million tokens cost $${formatUsd(tooDear.price)} in the group "${group.name}", where $${MOST} is the most: lower it, or the group's multiplier.`,
    )
  }
}

const MOST = formatUsd(DEAREST_PRICE)
const MOST_OF_ONE = formatUsd(DEAREST_UNIT)
