import { type Group, groupServes } from '../access/group.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import type { Wire } from '../core/wire.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import { wiresOf } from '../routing/route.ts'

/** Groups, models and upstreams as they stood at one moment, to be read by their names and ids. */
export interface Catalogue {
  readonly groupsById: ReadonlyMap<string, Group>
  readonly modelsByName: ReadonlyMap<string, Model>
  readonly upstreamsById: ReadonlyMap<string, { readonly upstream: Upstream }>
}

/** The same as lists, in the order of their store. */
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

/** The wire formats in which the model can be called. */
export function wiresIn(model: Model, { upstreamsById }: Pick<Catalogue, 'upstreamsById'>): readonly Wire[] {
  return wiresOf(model, (id) => upstreamsById.get(id)?.upstream.protocol ?? null)
}

/** The models of a group that can be served now. */
export function modelsOf(group: Group, catalogue: Catalogue): readonly PricedModel[] {
  return [...catalogue.modelsByName.values()].filter(
    (model): model is PricedModel => groupServes(group, model.name) && isAvailable(model, catalogue),
  )
}
