import { type Group, groupServes } from '../access/group.ts'
import { utcTime } from '../core/utc-time.ts'
import { Fault } from '../core/faults.ts'
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
    return new Fault(
      'model_unknown',
      `There is no model "${printable(modelName)}" on this gateway.${advice(of, modelName, moment)}`,
      { param: 'model' },
    )
  }
  if (!moment.isServed) return unserved(of, model, moment)
  if (!isAllowed(of.key, modelName)) {
    return new Fault(
      'model_not_allowed',
      `This API key is limited to certain models, and "${modelName}" is not among them.${advice(of, modelName, moment)}`,
      { param: 'model' },
    )
  }
  return new Fault(
    'model_unpriced',
    `The model "${modelName}" has no price yet, so it is not served. An admin has to set one.`,
  )
}

/** The Fault that every request of a key meets now because of its groups and models, whatever it asks for; or null. */
export function refusalOfAll(of: KeyInUse, moment: Moment): Fault | null {
  const usable = usableGroups(of, moment)
  const closed = namedGroups(of.key, moment.catalogue).find((group) => group.isEnabled)
  if (usable.length === 0) return closed === undefined ? groupDisabled(of, moment) : groupForbidden(closed, of)
  if (callableModels(of, moment).length > 0) return null
  const which = of.key.allowedModels.length === 0 ? 'No model' : 'None of the models that this API key is limited to'
  const groups = `group${usable.length === 1 ? '' : 's'} ${quoted(usable)}`
  return new Fault(
    'model_not_in_group',
    `${which} can be called in this API key's ${groups} now. Use a key of another group, or ask an admin to add models to it.`,
  )
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
  const said =
    listing.length > 0
      ? `The model "${model.name}" is not served in this API key's group ${quoted(listing)}: none of its targets is for it. Use a key of another group, or ask an admin to add such a target.`
      : `The model "${model.name}" is not in this API key's group ${quoted(usable)}. Use a key of another group.`
  return new Fault('model_not_in_group', `${said}${advice(of, model.name, moment)}`, { param: 'model' })
}

function groupDisabled({ key }: KeyInUse, { catalogue }: Moment): Fault {
  const name = catalogue.groupsById.get(key.groupId)?.name ?? key.groupId
  return new Fault(
    'group_disabled',
    `The group "${name}" of this API key is disabled. Use a key of another group, or ask an admin to enable it.`,
  )
}

function groupForbidden(group: Group, { subscriptions }: KeyInUse): Fault {
  const covering = subscriptions.find((each) => each.cancelledAt === null && each.groupIds.includes(group.id))
  return new Fault(
    'group_forbidden',
    `The group "${group.name}" of this API key requires a plan that covers it, and this account has no active subscription to one. ` +
      (covering === undefined
        ? 'Get such a plan, or use a key of another group.'
        : `Its plan "${covering.planName}" runs from ${utcTime(covering.startsAt)} until ${utcTime(covering.endsAt)}: renew it or wait until it starts, or use a key of another group.`),
  )
}

function advice(of: KeyInUse, modelName: string, moment: Moment): string {
  const names = callableModels(of, moment).map((callable) => callable.model.name)
  if (names.length === 0) return ' This key cannot call any model at present.'
  const near = nearNames(modelName, names)
  if (near.length > 0) return ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
  const some = names.slice(0, 5).map((name) => `"${name}"`)
  return ` This key can call ${some.join(', ')}${names.length > some.length ? ' and others: see GET /v1/models' : ''}.`
}

function quoted(groups: readonly Group[]): string {
  return groups.map((group) => `"${group.name}"`).join(', ')
}

function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return clean.length <= 80 ? clean : clean.slice(0, 80) + '…'
}
