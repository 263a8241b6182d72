import type { ApiKey } from '../access/api-key.ts'
import { chargedTo, type Group, type GroupUser, isOpenTo } from '../access/group.ts'
import type { ModelPrices } from '../core/price-rules.ts'
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
