import type { ListPrices } from '../../import/import-plan.ts'
import { pricesAtCloud } from '../../price-lists/cloud-listing.ts'
import { price } from '../declarative/price-fields.ts'
import { readShippedPrices } from '../server/fetch-prices.ts'

/** Providers that list what others make, at prices of their own. */
const SELL_FOR_OTHERS = [
  'azure',
  'azure_ai',
  'bedrock',
  'vertex_ai',
  'together_ai',
  'groq',
  'cerebras',
  'perplexity',
  'volcengine',
]

/**
 * The price list that is shipped, for models of which a source says no price: of the cloud that is asked for it, at that address;
 * else of the one provider that lists a name, or the one maker where others sell it too. null: the package has none.
 */
export async function listPrices(): Promise<ListPrices | null> {
  const shipped = await readShippedPrices()
  if (shipped === null) return null
  return {
    named: `${shipped.source}, ${shipped.dated}`,
    namesOf: (provider) => Object.keys(ownEntries(shipped.providers, provider) ?? {}),
    priceOf(name, provider, baseUrl) {
      const [atCloud] = baseUrl === undefined ? [] : pricesAtCloud(shipped.providers, name, baseUrl)
      if (atCloud !== undefined) return price.safeParse(atCloud.price).data ?? null
      const own = provider === undefined ? {} : (ownEntries(shipped.providers, provider) ?? {})
      const there = ownEntries(own, name)
      if (there !== undefined) return price.safeParse(there.price).data ?? null
      const found = Object.entries(shipped.providers).filter(([, listed]) => Object.hasOwn(listed, name))
      const makers = found.filter(([seller]) => !SELL_FOR_OTHERS.includes(seller))
      const [only, ...others] = makers.length === 0 ? found : makers
      const entry = others.length > 0 ? undefined : only?.[1][name]
      return price.safeParse(entry?.price).data ?? null
    },
  }
}

function ownEntries<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
