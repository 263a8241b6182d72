import type { TokenPrices } from '../core/prices.ts'
import { type Wire, wireFacts } from '../core/wire.ts'

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
