import type { Group } from '../access/group.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import { leastMargin } from '../metering/prices/provider-cost.ts'
import { isOpenToGroup, type Model, type Target } from '../routing/catalog.ts'

/** Why requests in a group may not use a target of the model, whatever its upstream; null: they may. Asked by every request. */
export function objectionInGroup(
  target: Target,
  { prices }: Pick<Model, 'prices'>,
  group: Pick<Group, 'id' | 'multiplier'>,
): 'group' | 'margin' | null {
  if (!isOpenToGroup(target, group.id)) return 'group'
  if (target.minMargin === undefined || prices === null) return null
  const margin = marginIn(target, prices, group)
  return margin === null || margin >= target.minMargin ? null : 'margin'
}

/** The least that a sale in the group leaves of its price, in parts per million; null: what the target costs is not known. */
export function marginIn(
  target: Target,
  prices: ModelPrices,
  { multiplier }: Pick<Group, 'multiplier'>,
): bigint | null {
  if (target.cost === undefined) return null
  let known = MARGINS.get(target)
  if (known?.prices !== prices) {
    known = { prices, byMultiplier: new Map() }
    MARGINS.set(target, known)
  }
  let margin = known.byMultiplier.get(multiplier)
  if (margin === undefined) {
    margin = leastMargin(target.cost, { prices, multiplier })
    known.byMultiplier.set(multiplier, margin)
  }
  return margin
}

/** No margin is worked out twice: there are as many as multipliers of groups, and targets are read anew when one changes. */
const MARGINS = new WeakMap<Target, { prices: ModelPrices; byMultiplier: Map<bigint, bigint> }>()
