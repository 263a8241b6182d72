import type { ApiKey } from '../../access/api-key.ts'
import { type Group, groupServes, isOpenTo } from '../../access/group.ts'
import type { Subscription } from '../../access/subscription.ts'
import type { Model } from '../../routing/catalog.ts'
import { type Catalogue, isAvailable } from './catalogue.ts'

/** A key with what decides, beside its settings, what it may call. */
export interface KeyOfOwner {
  readonly key: ApiKey
  /** The owner's, as far as they are neither cancelled nor over. */
  readonly subscriptions: readonly Subscription[]
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** The key's groups, its own first, whether they can serve it or not; those that are no more are left out. */
export function namedGroups({ key }: KeyOfOwner, { groups }: Catalogue): readonly Group[] {
  return [key.groupId, ...key.fallbackGroupIds].flatMap((id) => groups.find((group) => group.id === id) ?? [])
}

/** Those of them that are enabled and open to the owner now, in the order in which the gateway tries them. */
export function servingGroups(of: KeyOfOwner, catalogue: Catalogue): readonly Group[] {
  return namedGroups(of, catalogue).filter((group) => group.isEnabled && isOpenTo(group, of.subscriptions, of.nowMs))
}

/** What the key can call now, as `GET /v1/models` tells it with the key itself. */
export function callableModels(of: KeyOfOwner, catalogue: Catalogue): readonly Model[] {
  const groups = servingGroups(of, catalogue)
  const { allowedModels } = of.key
  return catalogue.models.filter(
    (model) =>
      isAvailable(model, catalogue) &&
      (allowedModels.length === 0 || allowedModels.includes(model.name)) &&
      groups.some((group) => groupServes(group, model.name)),
  )
}
