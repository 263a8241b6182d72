import { chargedTo, type Group } from '../../access/group.ts'
import type { GroupView } from '../../contract/groups.ts'
import { GROUP } from '../../contract/objects/group.ts'
import { writtenOf } from '../../contract/objects/object-fields.ts'
import { modelsOf, wiresIn } from '../../entitlement/catalogue.ts'
import { objectionInGroup } from '../../entitlement/usable-targets.ts'
import type { Model } from '../../routing/catalog.ts'
import { versionOf } from '../api/version.ts'
import { type ListedCatalogue, mayUse, type Viewer } from '../catalogue.ts'

export function groupView(group: Group, catalogue: ListedCatalogue, viewer: Viewer): GroupView {
  const models = modelsOf(group, catalogue)
  return {
    id: group.id,
    // Staff see what is set on it.
    ...groupSettings(viewer.isStaff ? group : chargedTo(group, viewer)),
    ...(viewer.isStaff ? {} : { claude_settings: null }),
    model_count: models.length,
    upstreams: viewer.isStaff ? upstreamsOf(group, models, catalogue) : null,
    protocols: [...new Set(models.flatMap((model) => wiresIn(model, catalogue, group)))].sort(),
    usable: mayUse(group, viewer),
    managed: group.isManaged,
    version: versionOf(groupSettings(group)),
  }
}

/** The upstreams that its requests for these models may go to. */
function upstreamsOf(group: Group, models: readonly Model[], { upstreams }: ListedCatalogue): string[] {
  const ids = new Set(
    models.flatMap((model) =>
      model.targets
        .filter((target) => objectionInGroup(target, model, group) === null)
        .map(({ upstreamId }) => upstreamId),
    ),
  )
  return upstreams
    .filter(({ id }) => ids.has(id))
    .map(({ name }) => name)
    .sort()
}

/** What can be set on a group, as it is written. */
export function groupSettings(group: Group) {
  return writtenOf(GROUP, group)
}
