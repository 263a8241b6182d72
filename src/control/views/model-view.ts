import type { ApiKey } from '../../access/api-key.ts'
import { type Group, groupServes } from '../../access/group.ts'
import type { ModelView, PricesView } from '../../contract/models.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { priceAfter, priceOfOne, type TokenPrices } from '../../core/prices.ts'
import type { Model } from '../../routing/catalog.ts'
import { type Catalogue, isAvailable, mayUse, type Viewer, wiresIn } from '../keys/catalogue.ts'

/** `keys`: the viewer's, newest first; at most `keysShown` of those that may call the model are named. */
export function modelView(
  model: Model,
  catalogue: Catalogue,
  { viewer, keys, keysShown }: { viewer: Viewer; keys: readonly ApiKey[]; keysShown: number },
): ModelView {
  const isServed = isAvailable(model, catalogue)
  const groups = catalogue.groups.filter((group) => groupServes(group, model.name) && mayUse(group, viewer))
  const callers = isServed ? keys.filter((key) => mayCall(key, model, { groups, nowMs: viewer.nowMs })) : []
  return {
    id: model.id,
    name: model.name,
    price: pricesOrNull(model.prices, ONE_PPM),
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    protocols: [...wiresIn(model, catalogue)],
    available: isServed,
    groups: groups.map((group) => ({
      name: group.name,
      multiplier: formatMultiplier(group.multiplier),
      price: pricesOrNull(model.prices, group.multiplier),
    })),
    keys: callers.slice(0, keysShown).map(({ id, name }) => ({ id, name })),
    ...(viewer.isAdmin ? { targets: targetsView(model, catalogue) } : {}),
    managed: model.isManaged,
  }
}

/** What can be set on a model, as it is written. */
export function modelSettings(model: Model, catalogue: Pick<Catalogue, 'upstreams'>) {
  return {
    name: model.name,
    price: pricesOrNull(model.prices, ONE_PPM),
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    targets: targetsView(model, catalogue),
  }
}

/** `groups`: those that serve the model and that the key's owner may use. */
function mayCall(
  { status, expiresAt, allowedModels, groupId, fallbackGroupIds }: ApiKey,
  model: Model,
  { groups, nowMs }: { groups: readonly Group[]; nowMs: number },
): boolean {
  if (status !== 'active' || (expiresAt !== null && nowMs >= expiresAt)) return false
  if (allowedModels.length > 0 && !allowedModels.includes(model.name)) return false
  return groups.some(({ id }) => id === groupId || fallbackGroupIds.includes(id))
}

function targetsView(model: Model, { upstreams }: Pick<Catalogue, 'upstreams'>) {
  return model.targets.map(({ upstreamId, ...target }) => ({
    upstream: upstreams.find(({ id }) => id === upstreamId)?.name ?? upstreamId,
    ...target,
  }))
}

function pricesOrNull(prices: TokenPrices | null, multiplier: PartsPerMillion): PricesView | null {
  if (prices === null) return null
  const afterOrNull = (price: NanoUsd | null | undefined) =>
    price == null ? null : formatUsd(priceAfter(price, multiplier))
  const oneOrNull = (price: NanoUsd | null | undefined) =>
    price == null ? null : formatUsd(priceOfOne(price, multiplier))
  return {
    input: afterOrNull(prices.input),
    output: afterOrNull(prices.output),
    cache_read: afterOrNull(prices.cacheRead),
    cache_write: afterOrNull(prices.cacheWrite),
    cache_write_1h: afterOrNull(prices.cacheWrite1h),
    audio_input: afterOrNull(prices.other?.audioInput),
    audio_output: afterOrNull(prices.other?.audioOutput),
    image_input: afterOrNull(prices.other?.imageInput),
    per_request: oneOrNull(prices.units?.request),
    per_image: oneOrNull(prices.units?.image),
    per_second: oneOrNull(prices.units?.second),
    per_million_characters: afterOrNull(prices.units?.character),
  }
}
