import { chargedTo, type Group } from '../../access/group.ts'
import type { GroupView } from '../../contract/groups.ts'
import { formatMultiplier } from '../../core/money.ts'
import { writtenResponseCache } from '../../core/response-cache-rule.ts'
import { modelsOf, wiresIn } from '../../entitlement/catalogue.ts'
import { objectionInGroup } from '../../entitlement/usable-targets.ts'
import type { Model } from '../../routing/catalog.ts'
import { versionOf } from '../api/version.ts'
import { type Catalogue, mayUse, type Viewer } from '../catalogue.ts'

export function groupView(group: Group, catalogue: Catalogue, viewer: Viewer): GroupView {
  const models = modelsOf(group, catalogue)
  return {
    id: group.id,
    // Staff see what is set on it.
    ...groupSettings(viewer.isStaff ? group : chargedTo(group, viewer)),
    model_count: models.length,
    upstreams: viewer.isStaff ? upstreamsOf(group, models, catalogue) : null,
    protocols: [...new Set(models.flatMap((model) => wiresIn(model, catalogue, group)))].sort(),
    usable: mayUse(group, viewer),
    managed: group.isManaged,
    version: versionOf(groupSettings(group)),
  }
}

/** Those that its requests for these models may go to. */
function upstreamsOf(group: Group, models: readonly Model[], { upstreams }: Catalogue): string[] {
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
  return {
    name: group.name,
    multiplier: formatMultiplier(group.multiplier),
    models: [...group.models],
    enabled: group.isEnabled,
    open: group.isOpen,
    open_to_roles: [...(group.openRoles ?? [])],
    cache: group.cache === undefined ? null : writtenResponseCache(group.cache),
  }
}
