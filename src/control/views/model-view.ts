import type { ApiKey } from '../../access/api-key.ts'
import { chargedTo, groupNames } from '../../access/group.ts'
import type { LearnedRefusalView, ModelView, PricesView } from '../../contract/models.ts'
import { MODEL } from '../../contract/objects/model.ts'
import { insertedAfter, writtenOf } from '../../contract/objects/object-fields.ts'
import { TARGET } from '../../contract/objects/target.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import {
  forEachTokenPrice,
  forEachUnitPrice,
  isPriceOfOne,
  TOKEN_PRICES,
  UNIT_PRICES,
} from '../../core/price-fields.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceAfter, priceOfOne } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import { rulesOnWire } from '../../metering/prices/prices-on-wire.ts'
import type { Model } from '../../routing/catalog.ts'
import type { LearnedRefusal, RefusalNote } from '../../routing/learned-refusals.ts'
import { refusalsNow } from '../../routing/refusals-now.ts'
import { abilitiesOf } from '../../routing/model-abilities.ts'
import { kindOf } from '../../routing/model-kind.ts'
import { isAllowed, servingGroup } from '../../entitlement/callable-models.ts'
import { isExpired } from '../../entitlement/key-status.ts'
import { isAvailable, isServedIn, wiresIn } from '../../entitlement/catalogue.ts'
import { versionOf } from '../api/version.ts'
import { type ListedCatalogue, mayUse, type Viewer } from '../catalogue.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** Changes of prices by the ids of models. */
export type PriceChanges = ReadonlyMap<string, NonNullable<ModelView['price_changed']>>

/** `keys`: the viewer's, newest first; at most `keysShown` of those that may call the model are named. `learned`: null in lists. */
export function modelView(
  model: Model,
  catalogue: ListedCatalogue,
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
    ...writtenOf(MODEL, model),
    price: pricesOrNull(model.prices, ONE_PPM),
    kind,
    kind_from: from,
    abilities: [...abilitiesOf(model)],
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
  const price = pricesOrNull(model.prices, ONE_PPM)
  return {
    ...insertedAfter(writtenOf(MODEL, model), 'name', { price }),
    // What is not marked is not set.
    recommended: model.isRecommended ?? null,
    price_locked: model.isPriceLocked ?? null,
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

/** Whether a key of the viewer's may call the model, whatever is left of its money. */
function mayCall(
  key: ApiKey,
  model: Model,
  { catalogue, viewer }: { catalogue: ListedCatalogue; viewer: Viewer },
): boolean {
  const { nowMs } = viewer
  if (key.status !== 'active' || isExpired(key, nowMs)) return false
  return isAllowed(key, model.name) && servingGroup({ ...viewer, key }, model, { catalogue, nowMs }) !== null
}

type TargetNames = Pick<ListedCatalogue, 'upstreams' | 'groups'>

function targetsView(model: Model, { upstreams, groups }: TargetNames) {
  const nameOfGroup = groupNames(groups)
  return model.targets.map((target) => {
    const { upstreamId, groupIds = [], cost } = target
    const written = writtenOf(TARGET, {
      ...target,
      upstreamId: upstreams.find(({ id }) => id === upstreamId)?.name ?? upstreamId,
      groupIds: groupIds.map(nameOfGroup),
    })
    return insertedAfter(written, 'groups', { cost: cost === undefined ? null : costView(cost) })
  })
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

export function pricesOrNull(prices: ModelPrices | null, multiplier: PartsPerMillion): PricesView | null {
  return prices === null ? null : pricesView(prices, multiplier)
}

/** Prices after the multiplier, as they are written. */
export function pricesView(prices: ModelPrices, multiplier: PartsPerMillion): PricesView {
  const shown = (price: NanoUsd | null | undefined, after: typeof priceAfter) =>
    price == null ? null : formatUsd(after(price, multiplier))
  const {
    input,
    output,
    reasoning_output: reasoning,
    image_input: image,
    ...tokens
  } = forEachTokenPrice((field) => shown(TOKEN_PRICES[field](prices), priceAfter))
  const units = forEachUnitPrice((field) =>
    shown(prices.units && UNIT_PRICES[field](prices.units), isPriceOfOne(field) ? priceOfOne : priceAfter),
  )
  return {
    input,
    output,
    ...(reasoning === null ? {} : { reasoning_output: reasoning }),
    ...tokens,
    image_input: image,
    ...units,
    ...rulesOnWire(prices, multiplier),
  }
}

const { reasoning_output: _, ...NO_TOKENS_PRICED } = forEachTokenPrice(() => null)
const NO_PRICES = { ...NO_TOKENS_PRICED, ...forEachUnitPrice(() => null) }

/** What a target was seen to refuse, as the API writes it. */
export function learnedRefusalView({ setting, value, refusedAt, said }: LearnedRefusal): LearnedRefusalView {
  return { setting, value, refused_at: timeOnWire(refusedAt), said }
}
