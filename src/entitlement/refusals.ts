import { type Group, groupServes } from '../access/group.ts'
import { utcTime } from '../core/utc-time.ts'
import { explainedFault } from '../causes/explained-fault.ts'
import type { FactsOf } from '../core/fault-facts.ts'
import type { Fault } from '../core/faults.ts'
import {
  type CallableModel,
  callableModels,
  isAllowed,
  isUsable,
  type KeyInUse,
  type Moment,
  namedGroups,
  servingGroup,
  usableGroups,
} from './callable-models.ts'
import { nearNames } from '../core/near-names.ts'
import type { Model } from '../routing/catalog.ts'
import { isServedIn } from './catalogue.ts'

/**
 * The model that a request names, in the group that serves it: the first of the key's that is enabled, open to its account
 * and has the model. Throws the one Fault that says why the key may not call it.
 */
export function callableModel(of: KeyInUse, modelName: string, moment: Moment): CallableModel {
  const model = moment.catalogue.modelsByName.get(modelName)
  const group = model === undefined ? null : servingGroup(of, model, moment)
  const prices = model?.prices ?? null
  if (model !== undefined && group !== null && prices !== null && isAllowed(of.key, modelName)) {
    return { model, group, prices }
  }
  throw refusalOf(of, modelName, { ...moment, model, isServed: group !== null })
}

/** Why a key may not call a model. Apart from the way of a request that is served, which stays short. */
function refusalOf(
  of: KeyInUse,
  modelName: string,
  moment: Moment & { readonly model: Model | undefined; readonly isServed: boolean },
): Fault {
  const { model } = moment
  if (model === undefined) {
    return explainedFault('model_unknown', namedModel(of, modelName, moment), { param: 'model' })
  }
  if (!moment.isServed) return unserved(of, model, moment)
  if (!isAllowed(of.key, modelName)) {
    return explainedFault('model_not_allowed', namedModel(of, modelName, moment), { param: 'model' })
  }
  return explainedFault('model_unpriced', { model: modelName })
}

/** The Fault that every request of a key meets now because of its groups and models, whatever it asks for; or null. */
export function refusalOfAll(of: KeyInUse, moment: Moment): Fault | null {
  const usable = usableGroups(of, moment)
  const closed = namedGroups(of.key, moment.catalogue).find((group) => group.isEnabled)
  if (usable.length === 0) return closed === undefined ? groupDisabled(of, moment) : groupForbidden(closed, of)
  if (callableModels(of, moment).length > 0) return null
  return explainedFault('model_not_in_group', {
    groups: namesOf(usable),
    ...(of.key.allowedModels.length === 0 ? {} : { why: 'limited' }),
  })
}

/** Why none of the key's groups serves the model, by what the caller can do about it. */
function unserved(of: KeyInUse, model: Model, moment: Moment): Fault {
  const enabled = namedGroups(of.key, moment.catalogue).filter((group) => group.isEnabled)
  if (enabled.length === 0) return groupDisabled(of, moment)
  const usable = enabled.filter((group) => isUsable(group, of, moment.nowMs))
  const closed = enabled.filter((group) => !usable.includes(group))
  // With a plan for this one the request would be served; without any usable group nothing would be, whatever is asked for.
  const wanting = closed.find((group) => isServedIn(group, model)) ?? (usable.length === 0 ? closed[0] : undefined)
  if (wanting !== undefined) return groupForbidden(wanting, of)
  const listing = usable.filter((group) => groupServes(group, model.name))
  const where =
    listing.length > 0 ? ({ groups: namesOf(listing), why: 'untargeted' } as const) : { groups: namesOf(usable) }
  return explainedFault('model_not_in_group', { ...namedModel(of, model.name, moment), ...where }, { param: 'model' })
}

function groupDisabled({ key }: KeyInUse, { catalogue }: Moment): Fault {
  const name = catalogue.groupsById.get(key.groupId)?.name ?? key.groupId
  return explainedFault('group_disabled', { group: name })
}

function groupForbidden(group: Group, { subscriptions }: KeyInUse): Fault {
  const covering = subscriptions.find(
    (each) => each.opensGroups && each.cancelledAt === null && each.groupIds.includes(group.id),
  )
  if (covering === undefined) return explainedFault('group_forbidden', { group: group.name })
  const { planName, startsAt, endsAt } = covering
  return explainedFault('group_forbidden', {
    group: group.name,
    plan: planName,
    from: utcTime(startsAt),
    until: utcTime(endsAt),
  })
}

/** What was asked for, and what the key can call instead. */
function namedModel(of: KeyInUse, modelName: string, moment: Moment): FactsOf<'model_unknown'> {
  const model = printable(modelName)
  const names = callableModels(of, moment).map((callable) => callable.model.name)
  const near = nearNames(modelName, names)
  if (near.length > 0) return { model, near }
  const allowed = names.slice(0, LISTED_MODELS)
  return names.length > allowed.length ? { model, allowed, has_more: true } : { model, allowed }
}

const LISTED_MODELS = 5

function namesOf(groups: readonly Group[]): readonly string[] {
  return groups.map((group) => group.name)
}

function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return clean.length <= 80 ? clean : clean.slice(0, 80) + '…'
}
