import type { ClaudeSettings } from '../core/claude-settings.ts'
import type { DeviceRule } from '../core/device-rule.ts'
import type { PartsPerMillion } from '../core/money.ts'
import { type Role, ROLES } from '../core/roles.ts'
import type { ResponseCacheRule } from '../core/response-cache-rule.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer } from '../core/stored-edits.ts'
import type { Change } from './changes.ts'
import type { Account } from './account.ts'
import { isOpenedBy, type Subscription } from './subscription.ts'

/** What a key belongs to: a price multiplier and a set of models. */
export interface Group {
  readonly id: string
  readonly name: string
  readonly multiplier: PartsPerMillion
  /** Public model names; `["*"]` means all. */
  readonly models: readonly string[]
  readonly isEnabled: boolean
  /** Open to every account. Else only to those that name it, those with a running subscription that opens it, and `openRoles`. */
  readonly isOpen: boolean
  /** Accounts of these roles may use it as well; left out: of none. */
  readonly openRoles?: readonly Role[]
  /** Answers to equal requests are kept by this rule; left out: none are. */
  readonly cache?: ResponseCacheRule
  /** What people may choose for devices that they approve in it; left out: whatever they may of any key. */
  readonly devices?: DeviceRule
  /** What Claude Code on its devices is given for its settings; left out: what its models need. */
  readonly claudeSettings?: ClaudeSettings
  readonly isManaged: boolean
}

/** Who asks for a group. */
export interface GroupUser {
  readonly account?: Partial<Pick<Account, 'id' | 'role' | 'openGroupIds' | 'ownMultipliers'>> | null
  /** The account's, as far as they are neither cancelled nor over. */
  readonly subscriptions: readonly Subscription[]
}

/** Roles as a group has them: in their order, each once, and left out where there are none. */
export function openToRoles(roles: readonly Role[]): Pick<Group, 'openRoles'> {
  return roles.length === 0 ? {} : { openRoles: ROLES.filter((role) => roles.includes(role)) }
}

/** Whether this account may use the group at this moment, as far as the group is enabled. */
export function isOpenTo(group: Group, { account, subscriptions }: GroupUser, nowMs: number): boolean {
  if (group.isOpen || account?.openGroupIds?.includes(group.id) === true) return true
  if (account?.role !== undefined && group.openRoles?.includes(account.role) === true) return true
  return isOpenedBy(subscriptions, group.id, nowMs)
}

/**
 * The group as this account is charged in it. The lower of both multipliers counts, so that no price that a group allows is
 * beyond what can be charged for being multiplied otherwise.
 */
export function chargedTo(group: Group, { account }: Pick<GroupUser, 'account'>): Group {
  const own = account?.ownMultipliers?.[group.id]
  return own === undefined || own >= group.multiplier ? group : { ...group, multiplier: own }
}

/** Whether the group serves a model of this name. */
export function groupServes(group: Group, modelName: string): boolean {
  return group.models.includes('*') || group.models.includes(modelName)
}

/** Puts names to the ids of groups; one that no longer exists is shown by its id. */
export function groupNames(groups: readonly Pick<Group, 'id' | 'name'>[]): (id: string) => string {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

export interface GroupStore {
  groups(): Promise<readonly Group[]>
  /** Adds the group or replaces the one of the same name (which keeps its id). null: nothing was different. */
  putGroup(group: Group): Promise<Change | null>
  addGroup(group: Group): Promise<AddAnswer>
  /** `edit` makes the group that is to be from the one that is, which is locked meanwhile; it keeps its id. */
  editGroup(id: string, edit: (before: Group) => Group): Promise<EditAnswer<Group>>
  /** Not while keys, plans, subscriptions that are not over or targets of models name it. `nowMs`: epoch milliseconds. */
  deleteGroup(id: string, nowMs: number): Promise<DeleteAnswer<Group>>
  /** The counts of each group that keys are in or fall back to, by its id. */
  keyCounts(): Promise<ReadonlyMap<string, GroupKeyCounts>>
  /** The keys that are in a group or fall back to it, as far as they can be moved elsewhere; at most `limit`, oldest first. */
  movableKeys(id: string, limit: number): Promise<MovableKeys>
}

/** How many keys that are not deleted use a group. */
export interface GroupKeyCounts {
  /** Keys that are in the group, and the accounts that own them. */
  readonly keys: number
  readonly accounts: number
  readonly fallbackKeys: number
}

export interface MovableKeys {
  readonly ids: readonly string[]
  /** All of them, with those beyond the limit. */
  readonly movable: number
  /** Keys from the declarative file, which alone moves them. */
  readonly managed: number
}
