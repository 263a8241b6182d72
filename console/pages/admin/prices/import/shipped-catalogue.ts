import type { ShippedPrices } from '../../../../../src/contract/price-catalogue.ts'
import type { Catalogue } from './catalogue-entry.ts'

/** The list prices that are shipped with the gateway, as a catalogue to compare with. */
export function shippedCatalogue({ dated, providers }: ShippedPrices): Catalogue {
  const entries = Object.entries(providers).flatMap(([provider, models]) =>
    Object.entries(models).map(
      ([name, { price, context_tokens: contextTokens, max_output_tokens: maxOutputTokens, left_out: left = [] }]) => ({
        provider,
        name,
        price,
        contextTokens,
        maxOutputTokens,
        left: left.map(({ field, because, dearer: isDearer }) => ({ field, because, isDearer })),
      }),
    ),
  )
  return { form: 'shipped', from: dated, entries, unpriced: [] }
}
