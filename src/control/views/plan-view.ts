import { type Group, groupNames } from '../../access/group.ts'
import { isRunning } from '../../access/subscription.ts'
import type { PlanView } from '../../contract/billing.ts'
import { writtenOf } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { versionOf } from '../api/version.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { maySee, type Viewer } from '../catalogue.ts'

/** How plans are shown to a viewer. */
export function planViews(groups: readonly Group[], viewer: Viewer): (plan: Plan) => PlanView {
  const [nameOf, groupsOf] = [groupNames(groups), groupsPaidIn(groups, viewer)]
  return (plan) => {
    const settings = planSettings(plan, nameOf)
    return {
      id: plan.id,
      ...settings,
      groups: groupsOf(plan),
      subscribed: viewer.subscriptions.some((each) => each.planId === plan.id && isRunning(each, viewer.nowMs)),
      managed: plan.isManaged,
      version: versionOf(settings),
    }
  }
}

/** What can be set on a plan, as it is written. */
export function planSettings(plan: Plan, groupName: (id: string) => string) {
  return writtenOf(PLAN, { ...plan, groupIds: plan.groupIds.map(groupName) })
}

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
