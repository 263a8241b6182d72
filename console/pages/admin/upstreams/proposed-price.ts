import type { ShippedPrice, ShippedPrices } from '../../../../src/contract/price-catalogue.ts'

/** What a provider lists for a model, with all that belongs to the price. */
export interface ListPrice {
  readonly provider: string
  /** The day of the list. */
  readonly dated: string
  readonly price: ShippedPrice['price'] & { readonly input: string; readonly output: string }
}

/** Providers that list models of other makers. */
const RESELLERS: ReadonlySet<string> = new Set(['azure', 'groq', 'perplexity', 'together_ai'])

/** What hosts of a provider have in their names, where that is not how the list calls it. */
const HOSTS: Readonly<Record<string, string>> = {
  azure: 'azure.com',
  cohere_chat: 'cohere',
  dashscope: 'aliyuncs.com',
  gemini: 'googleapis.com',
  together_ai: 'together',
  volcengine: 'volces.com',
  xai: 'x.ai',
  zai: 'z.ai',
}

/**
 * The list price that is proposed for a model at an address: that of its provider, who is named or whom the host tells, else
 * the one that all who list the model agree on. Its name is matched as a whole; null: there is none.
 */
export function proposedPrice(
  shipped: ShippedPrices,
  name: string,
  { baseUrl, providers = [] }: { readonly baseUrl: string; readonly providers?: readonly string[] },
): ListPrice | null {
  const listed = Object.entries(shipped.providers).flatMap(([provider, models]): ListPrice[] => {
    const price = Object.hasOwn(models, name) ? models[name]?.price : undefined
    if (price?.input == null || price.output == null) return []
    return [{ provider, dated: shipped.dated, price: { ...price, input: price.input, output: price.output } }]
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

function isSame(one: ListPrice['price'], other: ListPrice['price']): boolean {
  return one.input === other.input && one.output === other.output
}
