import { type Group, groupServes, isOpenTo } from '../../access/group.ts'
import type { Subscription } from '../../access/subscription.ts'
import type { Wire } from '../../core/wire.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import { wiresOf } from '../../routing/route.ts'
import type { ControlStores } from '../parts.ts'

/** Groups, models and upstreams as the database has them at one moment. Installations have some hundreds of them. */
export interface Catalogue {
  readonly groups: readonly Group[]
  readonly models: readonly Model[]
  readonly upstreams: readonly Upstream[]
}

export async function readCatalogue({
  groups,
  catalog,
}: Pick<ControlStores, 'groups' | 'catalog'>): Promise<Catalogue> {
  const [groupList, models, upstreams] = await Promise.all([groups.groups(), catalog.models(), catalog.upstreams()])
  return { groups: groupList, models, upstreams }
}

/** Who looks at the catalogue: what is shown of it depends on that. */
export interface Viewer {
  readonly isAdmin: boolean
  /** The viewer's, as far as they are neither cancelled nor over. */
  readonly subscriptions: readonly Subscription[]
  /** Groups that keys of the viewer are in. */
  readonly keyGroupIds: ReadonlySet<string>
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** Enabled, and open to the viewer's account. */
export function mayUse(group: Group, viewer: Viewer): boolean {
  return group.isEnabled && isOpenTo(group, viewer.subscriptions, viewer.nowMs)
}

/** Whether the viewer sees the group: those who may use it, and those who have keys that it stops. */
export function maySee(group: Group, viewer: Viewer): boolean {
  return viewer.isAdmin || mayUse(group, viewer) || viewer.keyGroupIds.has(group.id)
}

/** Priced, and with a target at an upstream that is there. */
export function isAvailable(model: Model, { upstreams }: Catalogue): boolean {
  return model.prices !== null && model.targets.some((target) => upstreams.some(({ id }) => id === target.upstreamId))
}

/** The wire formats in which the model can be called. */
export function wiresIn(model: Model, { upstreams }: Catalogue): readonly Wire[] {
  return wiresOf(model, (id) => upstreams.find((upstream) => upstream.id === id)?.protocol ?? null)
}

/** Those of a group that can be served now. */
export function modelsOf(group: Group, catalogue: Catalogue): readonly Model[] {
  return catalogue.models.filter((model) => groupServes(group, model.name) && isAvailable(model, catalogue))
}

/** Puts names to the ids of groups; one that is no more is called by its id. */
export function groupNames(groups: readonly Pick<Group, 'id' | 'name'>[]): (id: string) => string {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
