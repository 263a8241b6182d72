import { type Group, groupNames } from '../../access/group.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { maySee, type Viewer } from '../catalogue.ts'

/**
 * The names of the groups that a plan or a subscription pays in, as a viewer is shown them. One that opens its groups names
 * them all. One that only pays in them names those that the viewer sees anyway: a closed group looks like one that does not
 * exist.
 */
export function groupsPaidIn(
  groups: readonly Group[],
  viewer: Viewer,
): (terms: Pick<Plan, 'groupIds' | 'opensGroups'>) => string[] {
  const nameOf = groupNames(groups)
  const seen = new Set(groups.filter((group) => maySee(group, viewer)).map(({ id }) => id))
  return ({ groupIds, opensGroups }) => {
    const shown = opensGroups || viewer.isStaff ? groupIds : groupIds.filter((id) => seen.has(id))
    return shown.map(nameOf)
  }
}
