import type { ListPrices } from '../../import/import-settings.ts'
import { price } from '../declarative/price-fields.ts'
import { readShippedPrices } from '../server/shipped-prices.ts'

/** They list what others make, at prices of their own. */
const SELL_FOR_OTHERS = ['azure', 'together_ai', 'groq', 'cerebras', 'perplexity', 'volcengine']

/**
 * The price list that is shipped, for models of which a source says no price: of the one provider that lists a name, or the one
 * maker where others sell it too. null: the package has none.
 */
export async function listPrices(): Promise<ListPrices | null> {
  const shipped = await readShippedPrices()
  if (shipped === null) return null
  return {
    named: `${shipped.source}, ${shipped.dated}`,
    priceOf(name) {
      const found = Object.entries(shipped.providers).filter(([, listed]) => Object.hasOwn(listed, name))
      const makers = found.filter(([provider]) => !SELL_FOR_OTHERS.includes(provider))
      const [only, ...others] = makers.length === 0 ? found : makers
      const entry = others.length > 0 ? undefined : only?.[1][name]
      return price.safeParse(entry?.price).data ?? null
    },
  }
}
