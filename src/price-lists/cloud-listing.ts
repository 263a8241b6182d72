import { regionalPrice } from './regional-price.ts'

/** Where a price list has the models that an address serves. */
interface CloudListing {
  /** The list's names of the cloud, the likeliest first. */
  readonly providers: readonly string[]
  /** Names under which the model may stand there, the most particular first. */
  readonly names: readonly string[]
  /** The address is one of a region or of a group of regions, which some models cost more at. */
  readonly isRegional: boolean
}

/** What the list calls a model of a cloud at this base URL; null: the address is not one of a cloud. */
function cloudListing(baseUrl: string, model: string): CloudListing | null {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null) return null
  for (const listingOf of CLOUDS) {
    const found = listingOf(url, model)
    if (found !== null) return found
  }
  return null
}

/** What a list says of one model, with the factor at addresses of a region. */
interface RegionalEntry {
  readonly price: object
  readonly regional_factor?: string | undefined
}

/** The prices that a list has for a model of a cloud at this base URL, the most particular first, as they are at that address. */
export function pricesAtCloud<Entry extends RegionalEntry>(
  providers: Readonly<Record<string, Readonly<Record<string, Entry>>>>,
  model: string,
  baseUrl: string,
): readonly { readonly provider: string; readonly price: Entry['price'] }[] {
  const listing = cloudListing(baseUrl, model)
  if (listing === null) return []
  return listing.providers.flatMap((provider) => {
    const models = providers[provider] ?? {}
    return listing.names.flatMap((name) => {
      const entry = Object.hasOwn(models, name) ? models[name] : undefined
      if (entry === undefined) return []
      const factor = listing.isRegional ? entry.regional_factor : undefined
      return [{ provider, price: factor === undefined ? entry.price : regionalPrice(entry.price, factor) }]
    })
  })
}

const CLOUDS: readonly ((url: URL, model: string) => CloudListing | null)[] = [bedrock, vertex, azure]

function bedrock({ hostname }: URL, model: string): CloudListing | null {
  const [, region] = /^bedrock-(?:runtime|mantle)\.([a-z0-9-]{1,40})\./.exec(hostname) ?? []
  if (region === undefined) return null
  // An ARN of a profile ends in its id; that of an application's profile names no model.
  const id = /:(?:inference-profile|foundation-model)\/(.{1,200})$/.exec(model)?.[1] ?? model
  return { providers: ['bedrock'], names: [`${region}/${id}`, id], isRegional: false }
}

/** Names with a version that the list has not are priced as the model. */
function vertex({ hostname, pathname }: URL, model: string): CloudListing | null {
  if (!/(?:^|[-.])aiplatform\.(?:[a-z]{2}\.rep\.)?googleapis\.com$/.test(hostname)) return null
  const location = /\/locations\/([^/]{1,40})/.exec(pathname)?.[1] ?? 'global'
  const [plain = model] = model.split('@')
  const own = model.replace(/^google\//, '')
  return { providers: ['vertex_ai'], names: [...new Set([model, own, plain])], isRegional: location !== 'global' }
}

function azure({ hostname }: URL, model: string): CloudListing | null {
  if (!/\.azure\.(?:com|us|cn)$/.test(hostname)) return null
  const isFoundry = /\.services\.ai\./.test(hostname)
  return { providers: isFoundry ? ['azure_ai', 'azure'] : ['azure', 'azure_ai'], names: [model], isRegional: false }
}
