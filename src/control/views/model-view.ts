import type { ApiKey } from '../../access/api-key.ts'
import { chargedTo, groupNames } from '../../access/group.ts'
import type { ModelView, PricesView } from '../../contract/models.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceAfter, priceOfOne } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import { rulesOnWire } from '../../metering/prices/prices-on-wire.ts'
import type { Model } from '../../routing/catalog.ts'
import type { RefusalNote } from '../../routing/learned-refusals.ts'
import { refusalsNow } from '../../routing/refusals-now.ts'
import { abilitiesOf } from '../../routing/model-abilities.ts'
import { kindOf } from '../../routing/model-kind.ts'
import { writtenServing } from '../../routing/serving.ts'
import { isAllowed, servingGroup } from '../../entitlement/callable-models.ts'
import { isExpired } from '../../entitlement/key-status.ts'
import { isAvailable, isServedIn, wiresIn } from '../../entitlement/catalogue.ts'
import { versionOf } from '../api/version.ts'
import { type Catalogue, mayUse, type Viewer } from '../catalogue.ts'
import { learnedRefusalView } from './learned-refusal-view.ts'

/** By the ids of models. */
export type PriceChanges = ReadonlyMap<string, NonNullable<ModelView['price_changed']>>

/** `keys`: the viewer's, newest first; at most `keysShown` of those that may call the model are named. `learned`: null in lists. */
export function modelView(
  model: Model,
  catalogue: Catalogue,
  {
    viewer,
    keys,
    keysShown,
    priceChanges,
    learned = null,
  }: {
    viewer: Viewer
    keys: readonly ApiKey[]
    keysShown: number
    priceChanges: PriceChanges
    learned?: readonly RefusalNote[] | null
  },
): ModelView {
  const isServed = isAvailable(model, catalogue)
  const groups = catalogue.groups
    .filter((group) => isServedIn(group, model) && mayUse(group, viewer))
    .map((group) => (viewer.isStaff ? group : chargedTo(group, viewer)))
  const { kind, from } = kindOf(model)
  const callers = isServed ? keys.filter((key) => mayCall(key, model, { catalogue, viewer })) : []
  return {
    id: model.id,
    name: model.name,
    price: pricesOrNull(model.prices, ONE_PPM),
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    kind,
    kind_from: from,
    abilities: [...abilitiesOf(model)],
    recommended: model.isRecommended === true,
    price_locked: model.isPriceLocked === true,
    ...servingView(model),
    protocols: [...wiresIn(model, catalogue)],
    available: isServed,
    groups: groups.map((group) => ({
      name: group.name,
      multiplier: formatMultiplier(group.multiplier),
      price: pricesOrNull(model.prices, group.multiplier),
    })),
    keys: callers.slice(0, keysShown).map(({ id, name }) => ({ id, name })),
    ...(viewer.isStaff
      ? {
          targets: targetsView(model, catalogue),
          ...(learned === null ? {} : { learned: learnedView(model, catalogue, { learned, nowMs: viewer.nowMs }) }),
          scheduled: scheduledView(model),
          price_changed: priceChanges.get(model.id) ?? null,
          version: versionOf(modelSettings(model, catalogue)),
        }
      : {}),
    managed: model.isManaged,
  }
}

/** What can be set on a model, as it is written. */
export function modelSettings(model: Model, catalogue: TargetNames) {
  return {
    name: model.name,
    price: pricesOrNull(model.prices, ONE_PPM),
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    kind: model.kind ?? null,
    recommended: model.isRecommended ?? null,
    price_locked: model.isPriceLocked ?? null,
    ...servingView(model),
    targets: targetsView(model, catalogue),
    scheduled: scheduledView(model),
  }
}

function scheduledView({ scheduled }: Model) {
  if (scheduled === undefined) return null
  const { effectiveAt, prices, contextTokens, maxOutputTokens, importId, importSource, by } = scheduled
  return {
    effective_at: new Date(effectiveAt).toISOString(),
    price: pricesOrNull(prices, ONE_PPM),
    ...(contextTokens === undefined ? {} : { context_tokens: contextTokens }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(importId === undefined ? {} : { import_id: importId }),
    ...(importSource === undefined ? {} : { import_source: importSource }),
    by,
  }
}

function servingView(model: Model) {
  const { endpoints, firstEventTimeoutMs, idleTimeoutMs, timeoutMs, hedgeAfterMs, rules } = writtenServing(model)
  return {
    endpoints: endpoints === null ? null : [...endpoints],
    first_event_timeout_ms: firstEventTimeoutMs,
    idle_timeout_ms: idleTimeoutMs,
    timeout_ms: timeoutMs,
    hedge_after_ms: hedgeAfterMs,
    rules: rules ?? {},
  }
}

/** Whether a key of the viewer's may call the model, whatever is left of its money. */
function mayCall(key: ApiKey, model: Model, { catalogue, viewer }: { catalogue: Catalogue; viewer: Viewer }): boolean {
  const { nowMs } = viewer
  if (key.status !== 'active' || isExpired(key, nowMs)) return false
  return isAllowed(key, model.name) && servingGroup({ ...viewer, key }, model, { catalogue, nowMs }) !== null
}

type TargetNames = Pick<Catalogue, 'upstreams' | 'groups'>

function targetsView(model: Model, { upstreams, groups }: TargetNames) {
  const nameOfGroup = groupNames(groups)
  return model.targets.map(
    ({ upstreamId, model: name, priority, weight, groupIds, cost, minMargin, spendPerDay, ...others }) => ({
      upstream: upstreams.find(({ id }) => id === upstreamId)?.name ?? upstreamId,
      model: name,
      priority,
      weight,
      groups: (groupIds ?? []).map(nameOfGroup),
      cost: cost === undefined ? null : costView(cost),
      min_margin: minMargin === undefined ? null : formatMultiplier(minMargin),
      spend_per_day: spendPerDay === undefined ? null : formatUsd(spendPerDay),
      shadow: [...(others.shadow ?? [])],
      drop_fields: [...(others.droppedSettings ?? [])],
      fields_like: others.fieldsLike ?? null,
      rules: others.rules ?? {},
    }),
  )
}

function learnedView(
  { targets }: Model,
  { upstreams }: TargetNames,
  { learned, nowMs }: { learned: readonly RefusalNote[]; nowMs: number },
): NonNullable<ModelView['learned']> {
  const shown = new Map<string, NonNullable<ModelView['learned']>[number]>()
  for (const target of targets) {
    const upstream = upstreams.find(({ id }) => id === target.upstreamId)
    if (upstream === undefined) continue
    const ofTarget = learned.filter(({ upstreamId, model }) => upstreamId === upstream.id && model === target.model)
    for (const note of refusalsNow(ofTarget, { upstream, target }, nowMs)) {
      const { setting, value } = note
      // Two targets of the model may be one to its upstream, for other groups.
      shown.set(`${upstream.id} ${target.model} ${setting} ${value}`, {
        upstream: upstream.name,
        model: target.model,
        ...learnedRefusalView(note),
      })
    }
  }
  return [...shown.values()]
}

function costView(cost: ProviderCost) {
  return cost.kind === 'factor'
    ? { factor: formatMultiplier(cost.factor), ...NO_PRICES }
    : { factor: null, ...pricesView(cost.prices, ONE_PPM) }
}

const NO_PRICES = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
  per_request: null,
  per_image: null,
  per_second: null,
  per_million_characters: null,
}

export function pricesOrNull(prices: ModelPrices | null, multiplier: PartsPerMillion): PricesView | null {
  return prices === null ? null : pricesView(prices, multiplier)
}

/** Prices after the multiplier, as they are written. */
export function pricesView(prices: ModelPrices, multiplier: PartsPerMillion): PricesView {
  const afterOrNull = (price: NanoUsd | null | undefined) =>
    price == null ? null : formatUsd(priceAfter(price, multiplier))
  const oneOrNull = (price: NanoUsd | null | undefined) =>
    price == null ? null : formatUsd(priceOfOne(price, multiplier))
  return {
    input: afterOrNull(prices.input),
    output: afterOrNull(prices.output),
    ...(prices.other?.reasoningOutput === undefined
      ? {}
      : { reasoning_output: afterOrNull(prices.other.reasoningOutput) }),
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
    ...rulesOnWire(prices, multiplier),
  }
}
