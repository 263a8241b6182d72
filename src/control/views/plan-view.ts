import { type Group, groupNames } from '../../access/group.ts'
import { isRunning } from '../../access/subscription.ts'
import type { PlanView } from '../../contract/billing.ts'
import { writtenOf } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { versionOf } from '../api/version.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { Viewer } from '../catalogue.ts'
import { groupsPaidIn } from './groups-paid-in.ts'

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
