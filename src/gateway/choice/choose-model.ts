import type { KeyWithOwner } from '../../access/api-key.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { Fault } from '../../core/faults.ts'
import { isFree } from '../../core/prices.ts'
import type { RouteReason } from '../../core/route-reasons.ts'
import type { Target } from '../../routing/catalog.ts'
import { type Wire, WIRES } from '../../core/wire.ts'
import { missingPrice, speaks, wiresTo } from '../../routing/route.ts'
import { isServedAs } from '../../routing/serving.ts'
import { groupServes } from '../../access/group.ts'
import {
  type CallableModel,
  callableModel,
  type KeyInUse,
  type Moment,
  usableGroups,
} from '../../entitlement/callable-models.ts'
import { wiresIn } from '../../entitlement/catalogue.ts'
import { objectionInGroup } from '../../entitlement/usable-targets.ts'
import type { ChosenModel, PreparedRequest } from '../request/prepared.ts'
import type { Snapshot } from '../snapshot.ts'

/** What a model is chosen by, beside who asks and its name. */
interface ModelChoice extends Moment {
  readonly catalogue: Snapshot
  readonly wire: Wire
  /** Only targets that speak the wire as it is: nothing is to be translated. Then there may be none. */
  readonly isSameWireOnly?: boolean
}

/**
 * Finds which model, group and targets a request means, or throws the one Fault that says why it cannot be served. A group of
 * which no target can be asked in the request's wire leaves it to the next of the key's groups.
 */
export function chooseModel(caller: KeyWithOwner, modelName: string, choice: ModelChoice): ChosenModel {
  const { catalogue, wire } = choice
  const { model, group, prices } = callableModel(caller, modelName, choice)
  const missing = missingPrice(wire, prices)
  if (missing !== null) {
    throw explainedFault('model_unpriced', { model: modelName, endpoint: WIRES[wire].endpoint, lacks: missing })
  }
  const targets = model.targets.filter((target) => objectionTo(target, { ...choice, group, model }) === null)
  const chosen = { model, group, prices, targets }
  if (targets.length > 0) return chosen
  const about = { catalogue, wire, group, model }
  if (choice.isSameWireOnly === true && model.targets.some((target) => objectionTo(target, about) === null))
    return chosen
  const [next] = fallbackGroups(caller, chosen, choice)
  if (next === undefined) throw wireNotServed(model, group, choice)
  return next
}

/**
 * The later groups of a key that can serve a request at its own multiplier, in their order, each with the targets that none
 * before it has: no target is asked twice. `mayHave`: whether a target may see what the request holds; left out: any may.
 */
export function fallbackGroups(
  caller: KeyInUse,
  { model, group: first, prices, targets: before }: ChosenModel,
  choice: ModelChoice & { readonly mayHave?: (target: Target) => boolean },
): readonly ChosenModel[] {
  const groups = usableGroups(caller, choice)
  const found: ChosenModel[] = []
  const seen = new Set(before)
  for (const group of groups.slice(groups.findIndex(({ id }) => id === first.id) + 1)) {
    if (!groupServes(group, model.name)) continue
    const about = { ...choice, group, model }
    const isNew = (target: Target) => !seen.has(target) && choice.mayHave?.(target) !== false
    const targets = model.targets.filter((target) => isNew(target) && objectionTo(target, about) === null)
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

/** Why a target of the model is none for requests like this one, whatever its health; null: it may serve them. */
export function objectionTo(
  target: Target,
  about: Pick<ModelChoice, 'catalogue' | 'wire' | 'isSameWireOnly'> & Pick<CallableModel, 'group' | 'model'>,
): RouteReason | null {
  const { catalogue, wire, isSameWireOnly, group, model } = about
  const objection = objectionInGroup(target, model, group)
  if (objection !== null) return objection
  if (!isServedAs(model.serving, wire)) return 'capability'
  const inUse = catalogue.upstreamsById.get(target.upstreamId)
  if (inUse === undefined) return 'unusable'
  const { protocol } = inUse.upstream
  const can = isSameWireOnly === true ? speaks(protocol, wire) : wiresTo(protocol, wire).length > 0
  return can ? null : 'capability'
}

function wireNotServed(
  model: CallableModel['model'],
  group: CallableModel['group'],
  { catalogue, wire }: ModelChoice,
): Fault {
  const wires = wiresIn(model, catalogue, group)
  if (wires.length === 0) {
    return new Fault('upstream_unavailable', `The model "${model.name}" has no upstream that can serve it right now.`)
  }
  const paths = wires.map((each) => WIRES[each].endpoint).join(', ')
  return new Fault(
    'request_invalid',
    `The model "${model.name}" is not available at ${WIRES[wire].endpoint}. Call it at ${paths}.`,
    { param: 'model' },
  )
}

/** Whether nothing that comes of a request can cost anything. */
export function isFreeForGood({ prices, group }: ChosenModel): boolean {
  if (group.multiplier === 0n) return true
  return prices.rules === undefined && isFree(prices)
}
