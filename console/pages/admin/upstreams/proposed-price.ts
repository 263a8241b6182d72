import type { ShippedPrice, ShippedPrices } from '../../../../src/contract/price-catalogue.ts'
import { pricesAtCloud } from '../../../../src/price-lists/cloud-listing.ts'

/** What a provider lists for a model, with all that belongs to the price. */
export interface ListPrice {
  readonly provider: string
  /** The day of the list. */
  readonly dated: string
  readonly price: ShippedPrice['price'] & { readonly input: string; readonly output: string }
}

/** Providers that list models of other makers. */
const RESELLERS: ReadonlySet<string> = new Set([
  'azure',
  'azure_ai',
  'bedrock',
  'vertex_ai',
  'groq',
  'perplexity',
  'together_ai',
])

/** What hosts of a provider have in their names, where that is not how the list calls it. */
const HOSTS: Readonly<Record<string, string>> = {
  cohere_chat: 'cohere',
  dashscope: 'aliyuncs.com',
  gemini: 'generativelanguage.googleapis.com',
  together_ai: 'together',
  volcengine: 'volces.com',
  xai: 'x.ai',
  zai: 'z.ai',
}

/**
 * The list price that is proposed for a model at an address: that of its provider, who is named or whom the host tells, else
 * the one that all who list the model agree on. Its name is matched as a whole; null: there is none. At a cloud it is that of
 * the cloud, by its names and, where it is dearer there, for the region.
 */
export function proposedPrice(
  shipped: ShippedPrices,
  name: string,
  { baseUrl, providers = [] }: { readonly baseUrl: string; readonly providers?: readonly string[] },
): ListPrice | null {
  const cloud = priceAtCloud(shipped, name, baseUrl)
  if (cloud !== null) return cloud
  const listed = Object.entries(shipped.providers).flatMap(([provider, models]): ListPrice[] => {
    const price = Object.hasOwn(models, name) ? models[name]?.price : undefined
    return priced(shipped, provider, price)
  })
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const own =
    listed.find(({ provider }) => providers.includes(provider)) ??
    listed.find(({ provider }) => host.includes(HOSTS[provider] ?? provider))
  if (own !== undefined) return own
  const [first, ...others] = listed
  if (first === undefined || !others.every(({ price }) => isSame(price, first.price))) return null
  return listed.find(({ provider }) => !RESELLERS.has(provider)) ?? first
}

function priceAtCloud(shipped: ShippedPrices, model: string, baseUrl: string): ListPrice | null {
  const found = pricesAtCloud(shipped.providers, model, baseUrl)
  return found.flatMap(({ provider, price }) => priced(shipped, provider, price))[0] ?? null
}

/** The price, where it has both amounts. */
function priced({ dated }: ShippedPrices, provider: string, price: ShippedPrice['price'] | undefined): ListPrice[] {
  if (price?.input == null || price.output == null) return []
  return [{ provider, dated, price: { ...price, input: price.input, output: price.output } }]
}

function isSame(one: ListPrice['price'], other: ListPrice['price']): boolean {
  return one.input === other.input && one.output === other.output
}
