import type { TokenPrices } from '../core/prices.ts'
import type { UnitPrices } from '../core/units.ts'
import type { Wire } from '../core/wire.ts'

/**
 * Which price a model lacks for a wire, in the words of its settings; null: it has one. What is charged by a unit that
 * other requests don't have must not be free for those.
 */
export function missingPrice(wire: Wire, prices: TokenPrices): string | null {
  // Nearly all models, and quick to tell apart.
  if (prices.input !== null) return null
  if (prices.units !== null && prices.units.request !== null) return null
  const unit = UNIT_OF[wire]
  if (unit === undefined) return EVERYWHERE
  return prices.units?.[unit.kind] == null ? `${unit.field}, or ${EVERYWHERE}` : null
}

const EVERYWHERE = 'price.per_request, or price.input and price.output'

/** What all requests of a wire have beside tokens. */
const UNIT_OF: Partial<Record<Wire, { readonly kind: keyof UnitPrices; readonly field: string }>> = {
  'openai-images': { kind: 'image', field: 'price.per_image' },
  'openai-speech': { kind: 'character', field: 'price.per_million_characters' },
  'openai-transcriptions': { kind: 'second', field: 'price.per_second' },
}
