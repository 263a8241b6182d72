import { type Group, groupServes } from '../access/group.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import type { ClientWire } from '../core/wire.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import { wiresOf } from '../routing/route.ts'
import { objectionInGroup } from './usable-targets.ts'

/** Groups, models and upstreams as they stood at one moment, to be read by their names and ids. */
export interface Catalogue {
  readonly groupsById: ReadonlyMap<string, Group>
  readonly modelsByName: ReadonlyMap<string, Model>
  readonly upstreamsById: ReadonlyMap<string, { readonly upstream: Upstream }>
}

/** The catalogue as lists, in the order of their store. */
export interface CatalogueLists {
  readonly groups: readonly Group[]
  readonly models: readonly Model[]
  readonly upstreams: readonly Upstream[]
}

/** A catalogue of these lists, which are still in it. */
export function catalogueOf(lists: CatalogueLists): Catalogue & CatalogueLists {
  return {
    ...lists,
    groupsById: new Map(lists.groups.map((group) => [group.id, group])),
    modelsByName: new Map(lists.models.map((model) => [model.name, model])),
    upstreamsById: new Map(lists.upstreams.map((upstream) => [upstream.id, { upstream }])),
  }
}

export type PricedModel = Model & { readonly prices: ModelPrices }

/** Whether the model can be served at all: it has a price, and a target at an upstream that exists. */
export function isAvailable(model: Model, { upstreamsById }: Pick<Catalogue, 'upstreamsById'>): model is PricedModel {
  return model.prices !== null && model.targets.some(({ upstreamId }) => upstreamsById.has(upstreamId))
}

/** Whether requests in the group may call the model: the group has it, and it may use one of its targets. Asked by every request. */
export function isServedIn(group: Group, model: Model): boolean {
  if (!groupServes(group, model.name)) return false
  for (const target of model.targets) if (objectionInGroup(target, model, group) === null) return true
  return false
}

/** Whether requests in the group are served now: that, with a price, at an upstream that exists. */
export function isAvailableIn(
  group: Group,
  model: Model,
  { upstreamsById }: Pick<Catalogue, 'upstreamsById'>,
): model is PricedModel {
  if (model.prices === null || !groupServes(group, model.name)) return false
  return model.targets.some(
    (target) => objectionInGroup(target, model, group) === null && upstreamsById.has(target.upstreamId),
  )
}

/** The wire formats in which the model can be called: in this group, or in any. */
export function wiresIn(
  model: Model,
  { upstreamsById }: Pick<Catalogue, 'upstreamsById'>,
  group?: Group,
): readonly ClientWire[] {
  const targets =
    group === undefined ? model.targets : model.targets.filter((each) => objectionInGroup(each, model, group) === null)
  return wiresOf(model, targets, (id) => upstreamsById.get(id)?.upstream.protocol ?? null)
}

/** The models of a group that can be served now. */
export function modelsOf(group: Group, catalogue: Catalogue): readonly PricedModel[] {
  return [...catalogue.modelsByName.values()].filter((model): model is PricedModel =>
    isAvailableIn(group, model, catalogue),
  )
}
