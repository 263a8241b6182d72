import type { ApiKey, KeyWithOwner } from '../access/api-key.ts'
import { type Group, groupServes, isOpenTo } from '../access/group.ts'
import type { TokenPrices } from '../core/prices.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** Groups, models and upstreams as they stood at one moment: a request is served by one snapshot from begin to end. */
export interface Snapshot {
  readonly groupsById: ReadonlyMap<string, Group>
  readonly modelsByName: ReadonlyMap<string, Model>
  readonly upstreamsById: ReadonlyMap<string, UpstreamInUse>
}

export interface UpstreamInUse {
  readonly upstream: Upstream
  readonly client: UpstreamClient
  /** Its address in all its forms and its credential: what no message to a caller may hold. */
  readonly secrets: readonly string[]
}

export interface CallableModel {
  readonly model: Model
  /** The first of the key's groups that serves it, at whose multiplier it is charged. */
  readonly group: Group
  readonly prices: TokenPrices
}

/** The groups of a key, enabled or not, in the order in which they are tried; those that are no more are left out. */
export function namedGroups(key: ApiKey, snapshot: Snapshot): readonly Group[] {
  return [key.groupId, ...key.fallbackGroupIds].flatMap((id) => snapshot.groupsById.get(id) ?? [])
}

/** Those of a caller's groups that can serve it at this moment, in the order in which they are tried. */
export function groupsOf(caller: KeyWithOwner, snapshot: Snapshot, nowMs: number): readonly Group[] {
  return namedGroups(caller.key, snapshot).filter((group) => isUsable(group, caller, nowMs))
}

/** Enabled, and open to the caller's account. */
export function isUsable(group: Group, caller: KeyWithOwner, nowMs: number): boolean {
  return group.isEnabled && isOpenTo(group, caller.subscriptions, nowMs)
}

/** Exactly what this caller can call now: priced, with a target, in one of the key's groups, and allowed by the key. */
export function callableModels(caller: KeyWithOwner, snapshot: Snapshot, nowMs: number): readonly CallableModel[] {
  const groups = groupsOf(caller, snapshot, nowMs)
  const callable: CallableModel[] = []
  for (const model of snapshot.modelsByName.values()) {
    const { prices } = model
    if (prices === null || !model.targets.some((target) => snapshot.upstreamsById.has(target.upstreamId))) continue
    if (!allows(caller.key, model.name)) continue
    const group = groups.find((candidate) => groupServes(candidate, model.name))
    if (group !== undefined) callable.push({ model, group, prices })
  }
  return callable
}

/** Whether the key's own list of models has this one; an empty list has all. */
export function allows(key: ApiKey, modelName: string): boolean {
  return key.allowedModels.length === 0 || key.allowedModels.includes(modelName)
}
