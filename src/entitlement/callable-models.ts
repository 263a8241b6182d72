import type { ApiKey } from '../access/api-key.ts'
import { chargedTo, type Group, groupServes, type GroupUser, isOpenTo } from '../access/group.ts'
import { explainedFault } from '../causes/explained-fault.ts'
import type { FactsOf } from '../core/fault-facts.ts'
import type { Fault } from '../core/faults.ts'
import { nearNames } from '../core/near-names.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import { utcTime } from '../core/utc-time.ts'
import type { Model } from '../routing/catalog.ts'
import { type Catalogue, isAvailableIn, isServedIn } from './catalogue.ts'

/** What decides, beside the catalogue, which models a key may call. */
export interface KeyInUse extends GroupUser {
  readonly key: Pick<ApiKey, 'groupId' | 'fallbackGroupIds' | 'allowedModels'>
}

/** The catalogue at the moment for which a question is asked, in epoch milliseconds. */
export interface Moment {
  readonly catalogue: Catalogue
  readonly nowMs: number
}

export interface CallableModel {
  readonly model: Model
  /** The first of the key's groups that serves it, at whose multiplier it is charged. */
  readonly group: Group
  readonly prices: ModelPrices
}

/** The groups of a key, enabled or not, in the order in which they are tried; those that no longer exist are left out. */
export function namedGroups(key: KeyInUse['key'], { groupsById }: Pick<Catalogue, 'groupsById'>): readonly Group[] {
  const { groupId, fallbackGroupIds } = key
  const groups: Group[] = []
  for (let i = -1; i < fallbackGroupIds.length; i++) {
    const group = groupsById.get(i < 0 ? groupId : (fallbackGroupIds[i] ?? ''))
    if (group !== undefined) groups.push(group)
  }
  return groups
}

/** The groups of a key that can serve it at this moment, in the order in which they are tried, as its account is charged there. */
export function usableGroups(of: KeyInUse, { catalogue, nowMs }: Moment): readonly Group[] {
  const usable = namedGroups(of.key, catalogue).filter((group) => isUsable(group, of, nowMs))
  // Every request asks this, and hardly any account has one.
  return of.account?.ownMultipliers === undefined ? usable : usable.map((group) => chargedTo(group, of))
}

/** Whether the group is enabled, and open to this account. */
export function isUsable(group: Group, user: GroupUser, nowMs: number): boolean {
  return group.isEnabled && isOpenTo(group, user, nowMs)
}

/** Whether the key's own list of models has this one; an empty list has all. */
export function isAllowed(key: KeyInUse['key'], modelName: string): boolean {
  return key.allowedModels.length === 0 || key.allowedModels.includes(modelName)
}

/**
 * The first of a key's groups that serves the model now. Every request asks this, so it takes one look-up in the usual case
 * and makes no list of the groups.
 */
export function servingGroup(of: KeyInUse, model: Model, { catalogue, nowMs }: Moment): Group | null {
  const { groupId, fallbackGroupIds } = of.key
  for (let i = -1; i < fallbackGroupIds.length; i++) {
    const group = catalogue.groupsById.get(i < 0 ? groupId : (fallbackGroupIds[i] ?? ''))
    if (group !== undefined && isUsable(group, of, nowMs) && isServedIn(group, model)) return chargedTo(group, of)
  }
  return null
}

/** Exactly what a key can call now: available, in one of its groups, and on its own list where it has one. */
export function callableModels(of: KeyInUse, moment: Moment): readonly CallableModel[] {
  const groups = usableGroups(of, moment)
  return modelsIn(groups, moment.catalogue).filter(({ model }) => isAllowed(of.key, model.name))
}

/** What the key of any account can call, each model at the multiplier of the first open group that has it. */
export function publicModels(catalogue: Catalogue): readonly CallableModel[] {
  const open = [...catalogue.groupsById.values()].filter(({ isEnabled, isOpen }) => isEnabled && isOpen)
  return modelsIn(open, catalogue)
}

/** The available models of these groups, each with the first of them that serves it. */
function modelsIn(groups: readonly Group[], catalogue: Catalogue): readonly CallableModel[] {
  const found: CallableModel[] = []
  for (const model of catalogue.modelsByName.values()) {
    const { prices } = model
    const group = groups.find((candidate) => isAvailableIn(candidate, model, catalogue))
    if (group !== undefined && prices !== null) found.push({ model, group, prices })
  }
  return found
}

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
  const { code, facts, isOfModel } = refusalOf(of, modelName, { ...moment, model, isServed: group !== null })
  throw explainedFault(code, facts, isOfModel === true ? { param: 'model' } : {})
}

/** Why a key may not call something: the fault with its facts, and whether the name of the model is to blame. */
type Refusal = {
  readonly [Code in RefusalCode]: {
    readonly code: Code
    readonly facts: FactsOf<Code>
    readonly isOfModel?: true
  }
}[RefusalCode]

type RefusalCode =
  | 'model_unknown'
  | 'model_not_allowed'
  | 'model_unpriced'
  | 'model_not_in_group'
  | 'group_disabled'
  | 'group_forbidden'

/** Why a key may not call a model. Apart from the way of a request that is served, which stays short. */
function refusalOf(
  of: KeyInUse,
  modelName: string,
  moment: Moment & { readonly model: Model | undefined; readonly isServed: boolean },
): Refusal {
  const { model } = moment
  if (model !== undefined && !moment.isServed) return unserved(of, model, moment)
  if (model !== undefined && isAllowed(of.key, modelName))
    return { code: 'model_unpriced', facts: { model: modelName } }
  const code = model === undefined ? 'model_unknown' : 'model_not_allowed'
  return { code, facts: namedModel(of, modelName, moment), isOfModel: true }
}

/** The Fault that every request of a key meets now because of its groups and models, whatever it asks for; or null. */
export function refusalOfAll(of: KeyInUse, moment: Moment): Fault | null {
  const usable = usableGroups(of, moment)
  const closed = namedGroups(of.key, moment.catalogue).find((group) => group.isEnabled)
  if (usable.length === 0) {
    const { code, facts } = closed === undefined ? groupDisabled(of, moment) : groupForbidden(closed, of)
    return explainedFault(code, facts)
  }
  if (callableModels(of, moment).length > 0) return null
  return explainedFault('model_not_in_group', {
    groups: namesOf(usable),
    ...(of.key.allowedModels.length === 0 ? {} : { why: 'limited' }),
  })
}

/** Why none of the key's groups serves the model, by what the caller can do about it. */
function unserved(of: KeyInUse, model: Model, moment: Moment): Refusal {
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
  const facts = { ...namedModel(of, model.name, moment), ...where }
  return { code: 'model_not_in_group', facts, isOfModel: true }
}

function groupDisabled({ key }: KeyInUse, { catalogue }: Moment): Refusal {
  const name = catalogue.groupsById.get(key.groupId)?.name ?? key.groupId
  return { code: 'group_disabled', facts: { group: name } }
}

function groupForbidden(group: Group, { subscriptions }: KeyInUse): Refusal {
  const covering = subscriptions.find(
    (each) => each.opensGroups && each.cancelledAt === null && each.groupIds.includes(group.id),
  )
  if (covering === undefined) return { code: 'group_forbidden', facts: { group: group.name } }
  const { planName, startsAt, endsAt } = covering
  const facts = { group: group.name, plan: planName, from: utcTime(startsAt), until: utcTime(endsAt) }
  return { code: 'group_forbidden', facts }
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
