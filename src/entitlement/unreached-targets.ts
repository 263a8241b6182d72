import { type Group, groupServes } from '../access/group.ts'
import type { Model, Target, Upstream } from '../routing/catalog.ts'

/** A target of a model with its upstream. */
export interface PlacedTarget {
  readonly target: Target
  readonly upstream: Upstream
}

/** Why no request in a group ever reaches the target, of all that the group may use of its model; null: requests may. */
export function whyUnreached({ target, upstream }: PlacedTarget, usable: readonly PlacedTarget[]): string | null {
  if (upstream.credentials.length > 0 && upstream.credentials.every(({ models }) => isNotFor(models, target.model))) {
    return 'none of its upstream’s credentials may be sent for that model there (models)'
  }
  const before = usable.filter((each) => each.target.priority < target.priority)
  // Both rest together, since what is known of a target is known of its upstream and model.
  const twice = before.some((each) => each.upstream.id === upstream.id && each.target.model === target.model)
  return twice ? 'the same upstream and model stand there with a lower priority number, and rest where it does' : null
}

/** The target is for groups alone that do not have the model: the first of them; null: it is not so. */
export function groupWithoutModel(target: Target, model: Model, groups: readonly Group[]): Group | null {
  if (target.groupIds === undefined) return null
  const its = groups.filter(({ id }) => target.groupIds?.includes(id))
  return its.some((group) => groupServes(group, model.name)) ? null : (its[0] ?? null)
}

function isNotFor(models: readonly string[] | null, model: string): boolean {
  return models !== null && !models.includes(model)
}
