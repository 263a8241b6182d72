import { type Group, groupServes } from '../access/group.ts'
import { formatMultiplier, partsPerMillion } from '../core/money.ts'
import type { Model } from '../routing/catalog.ts'
import type { CatalogueLists } from './catalogue.ts'
import { groupWithoutModel, whyUnreached } from './unreached-targets.ts'
import { marginIn, objectionInGroup } from './usable-targets.ts'

/** Something in the catalogue that an admin should look at; requests meet it. */
export interface AttentionItem {
  /**
   * `below_cost`: a sale costs more than it brings. `no_target`: a group has the model, and no target that it may use.
   * `unreached`: no request of the group ever comes to the target, as priorities, groups and credentials are set.
   */
  readonly kind: 'below_cost' | 'no_target' | 'unreached'
  readonly model: string
  readonly group: string
  /** The upstream's name; null: it is about no single target. */
  readonly upstream: string | null
  /** What is wrong and what to do, for an admin. */
  readonly detail: string
}

const ITEMS_LIMIT = 200

/** What needs attention, in the order of models and groups, at most 200 items. */
export function attentionItems(catalogue: CatalogueLists): readonly AttentionItem[] {
  const items: AttentionItem[] = []
  for (const model of catalogue.models) {
    for (const group of catalogue.groups) {
      if (model.prices === null || !group.isEnabled || !groupServes(group, model.name)) continue
      items.push(...itemsOf(model, group, catalogue))
      if (items.length >= ITEMS_LIMIT) return items.slice(0, ITEMS_LIMIT)
    }
    items.push(...ofOtherGroups(model, catalogue))
  }
  return items.slice(0, ITEMS_LIMIT)
}

/** Targets for groups that do not have the model. */
function ofOtherGroups(model: Model, { groups, upstreams }: CatalogueLists): readonly AttentionItem[] {
  return model.targets.flatMap((target): AttentionItem[] => {
    const group = groupWithoutModel(target, model, groups)
    const upstream = upstreams.find(({ id }) => id === target.upstreamId)?.name
    if (group === null || upstream === undefined) return []
    const about = { model: model.name, group: group.name, upstream }
    return [{ kind: 'unreached', ...about, detail: unreached(about, 'the group does not have the model') }]
  })
}

function itemsOf(model: Model, group: Group, { upstreams }: CatalogueLists): readonly AttentionItem[] {
  const about = { model: model.name, group: group.name }
  const usable = model.targets.flatMap((target) => {
    const upstream = upstreams.find(({ id }) => id === target.upstreamId)
    return upstream === undefined || objectionInGroup(target, model, group) !== null ? [] : [{ target, upstream }]
  })
  if (usable.length === 0) {
    return [{ kind: 'no_target', ...about, upstream: null, detail: noTarget(about, model.targets.length > 0) }]
  }
  return usable.flatMap((placed): AttentionItem[] => {
    const { target } = placed
    const at = { ...about, upstream: placed.upstream.name }
    const why = whyUnreached(placed, usable)
    if (why !== null) return [{ kind: 'unreached', ...at, detail: unreached(at, why) }]
    const margin = model.prices === null ? null : marginIn(target, model.prices, group)
    if (margin === null || margin >= 0n) return []
    return [{ kind: 'below_cost', ...at, detail: belowCost({ ...at, margin }) }]
  })
}

function noTarget({ model, group }: { model: string; group: string }, hasTargets: boolean): string {
  const why = hasTargets
    ? 'none of its targets is for the group, or leaves the margin that it asks for'
    : 'it has no target'
  return `The group "${group}" has the model "${model}", and ${why}: add a target, or take the model off the group.`
}

function unreached(of: { model: string; group: string; upstream: string }, why: string): string {
  return `The target of the model "${of.model}" at the upstream "${of.upstream}" is never used in the group "${of.group}": ${why}. Change its priority or its groups, or take it away.`
}

function belowCost(of: { model: string; group: string; upstream: string; margin: bigint }): string {
  const sold = `The model "${of.model}" is sold below cost in the group "${of.group}" at the upstream "${of.upstream}"`
  const loss =
    -of.margin > MOST_SHOWN
      ? 'it is sold for nothing'
      : `${loseOf(of.margin)} of a price is lost on what costs most beside it`
  return `${sold}: ${loss}. Raise the price or the multiplier, or set min_margin.`
}

const MOST_SHOWN = 10n ** 12n

function loseOf(margin: bigint): string {
  return `${formatMultiplier(partsPerMillion(-margin * 100n))} %`
}
