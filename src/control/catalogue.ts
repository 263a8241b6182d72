import type { Group, GroupUser } from '../access/group.ts'
import { isUsable } from '../entitlement/callable-models.ts'
import { type Catalogue as EntitledCatalogue, type CatalogueLists, catalogueOf } from '../entitlement/catalogue.ts'
import type { Upstream } from '../routing/catalog.ts'
import type { ControlStores } from './parts.ts'
import { existing } from './problem.ts'

/** Groups, models and upstreams as the database has them at one moment. Installations have some hundreds of them. */
export type ListedCatalogue = EntitledCatalogue & CatalogueLists

export async function readCatalogue({
  groups,
  catalog,
}: Pick<ControlStores, 'groups' | 'catalog'>): Promise<ListedCatalogue> {
  const [groupList, models, upstreams] = await Promise.all([groups.groups(), catalog.models(), catalog.upstreams()])
  return catalogueOf({ groups: groupList, models, upstreams })
}

/** The upstream with this id. Throws Problem where there is none. */
export async function upstreamOf(id: string, { catalog }: Pick<ControlStores, 'catalog'>): Promise<Upstream> {
  const upstreams = await catalog.upstreams()
  return existing(
    upstreams.find((each) => each.id === id),
    'upstream',
  )
}

/** Who looks at the catalogue: what is shown of it depends on that. */
export interface Viewer extends GroupUser {
  readonly isStaff: boolean
  /** Groups that keys of the viewer are in. */
  readonly keyGroupIds: ReadonlySet<string>
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** Whether the group is enabled, and open to the viewer's account. */
export function mayUse(group: Group, viewer: Viewer): boolean {
  return isUsable(group, viewer, viewer.nowMs)
}

/** Whether the viewer sees the group: those who may use it, and those who have keys that it stops. */
export function maySee(group: Group, viewer: Viewer): boolean {
  return viewer.isStaff || mayUse(group, viewer) || viewer.keyGroupIds.has(group.id)
}
