import type { Target, Upstream } from '../routing/catalog.ts'

/** A target of a model with its upstream. */
export interface PlacedTarget {
  readonly target: Target
  readonly upstream: Upstream
}

/** Why no request in a group ever reaches the target, of all that the group may use of its model; null: requests may. */
export function whyUnreached({ target, upstream }: PlacedTarget, usable: readonly PlacedTarget[]): string | null {
  const before = usable.filter((each) => each.target.priority < target.priority)
  // Both rest together, since what is known of a target is known of its upstream and model.
  const twice = before.some(
    (each) =>
      each.upstream.id === upstream.id &&
      each.target.model === target.model &&
      // Behind a cap of its own the other is no longer used, and this one is.
      (each.target.spendPerDay === undefined || each.target.shadow?.includes('spend_per_day') === true),
  )
  return twice ? 'the same upstream and model stand there with a lower priority number, and rest where it does' : null
}
