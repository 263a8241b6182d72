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
  if (target.minMargin === undefined || target.shadow?.includes('min_margin') === true) return null
  return leavesTooLittle(target, prices, group) ? 'margin' : null
}

/** Whether a target's rule on margins is in shadow, and would keep requests in this group from it. */
export function isMarginShadowed(
  target: Target,
  { prices }: Pick<Model, 'prices'>,
  group: Pick<Group, 'multiplier'>,
): boolean {
  return target.shadow?.includes('min_margin') === true && leavesTooLittle(target, prices, group)
}

function leavesTooLittle(target: Target, prices: ModelPrices | null, group: Pick<Group, 'multiplier'>): boolean {
  const margin = target.minMargin === undefined || prices === null ? null : marginIn(target, prices, group)
  return margin !== null && target.minMargin !== undefined && margin < target.minMargin
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
