import { groupServes } from '../../access/group.ts'
import { type KeyInUse, usableGroups } from '../../entitlement/callable-models.ts'
import type { Target } from '../../routing/catalog.ts'
import type { Wire } from '../../core/wire.ts'
import type { Snapshot } from '../snapshot.ts'
import { objectionTo } from './choose-model.ts'
import type { PreparedRequest, ChosenModel } from '../request/prepared.ts'

/** What a request was chosen for in its first group. */
interface Chosen {
  readonly chosen: ChosenModel
  readonly caller: KeyInUse
  readonly snapshot: Snapshot
  readonly wire: Wire
  readonly isSameWireOnly: boolean
}

/**
 * The later groups of a key that can serve a request at its own multiplier, in their order, each with the targets that none
 * before it has: no target is asked twice. `mayHave`: whether a target may see what the request holds.
 */
export function fallbackGroups(
  of: Chosen,
  { nowMs, mayHave }: { readonly nowMs: number; readonly mayHave: (target: Target) => boolean },
): readonly ChosenModel[] {
  const { chosen, caller, snapshot: catalogue, wire, isSameWireOnly } = of
  const { model, prices } = chosen
  const groups = usableGroups(caller, { catalogue, nowMs })
  const found: ChosenModel[] = []
  const seen = new Set(chosen.targets)
  for (let i = groups.findIndex(({ id }) => id === chosen.group.id) + 1; i < groups.length; i++) {
    const group = groups[i]
    if (group === undefined || !groupServes(group, model.name)) continue
    const about = { catalogue, wire, isSameWireOnly, group, model }
    const targets: Target[] = []
    for (const target of model.targets) {
      if (!seen.has(target) && mayHave(target) && objectionTo(target, about) === null) targets.push(target)
    }
    for (const target of targets) seen.add(target)
    if (targets.length > 0) found.push({ model, group, prices, targets })
  }
  return found
}

/**
 * Tells which targets may see ids of what a provider stores, where a request names some. Its first group's targets were looked
 * at: an upstream that speaks the wire as it is and is none of them may hold what other accounts stored.
 */
export function mayHaveIdsOf({
  chosen,
  head,
  adapters,
}: Pick<PreparedRequest, 'chosen' | 'head' | 'adapters'>): (target: Target) => boolean {
  if (!head.outside.kept) return () => true
  const known = new Set(chosen.targets.filter((each) => adapters.isSameWire(each)).map(({ upstreamId }) => upstreamId))
  return (target) => !adapters.isSameWire(target) || known.has(target.upstreamId)
}
