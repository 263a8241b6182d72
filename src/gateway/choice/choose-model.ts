import type { KeyWithOwner } from '../../access/api-key.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { Fault } from '../../core/faults.ts'
import type { RouteReason } from '../../core/route-reasons.ts'
import type { Target } from '../../routing/catalog.ts'
import { type Wire, WIRES } from '../../core/wire.ts'
import { missingPrice } from '../../routing/missing-price.ts'
import { speaks, wiresTo } from '../../routing/route.ts'
import { isServedAs } from '../../routing/serving.ts'
import type { CallableModel, Moment } from '../../entitlement/callable-models.ts'
import { wiresIn } from '../../entitlement/catalogue.ts'
import { callableModel } from '../../entitlement/refusals.ts'
import { objectionInGroup } from '../../entitlement/usable-targets.ts'
import type { Snapshot } from '../snapshot.ts'

export interface ChosenModel extends CallableModel {
  /** Those whose upstream understands the client's wire format, as it is or translated; never empty, unless only those that speak it as it is were wanted. */
  readonly targets: readonly Target[]
  /** The request names something that only some of the targets may see; the others are left out. */
  readonly isNarrowed?: true
}

/** What a model is chosen by, beside who asks and its name. */
interface Choice extends Moment {
  readonly catalogue: Snapshot
  readonly wire: Wire
  /** Only targets that speak the wire as it is: nothing is to be translated. Then there may be none. */
  readonly isSameWireOnly?: boolean
}

/** Finds which model, group and targets a request means, or throws the one Fault that says why it cannot be served. */
export function chooseModel(caller: KeyWithOwner, modelName: string, choice: Choice): ChosenModel {
  const { catalogue, wire } = choice
  const { model, group, prices } = callableModel(caller, modelName, choice)
  const missing = missingPrice(wire, prices)
  if (missing !== null) {
    throw explainedFault('model_unpriced', { model: modelName, endpoint: WIRES[wire].endpoint, lacks: missing })
  }
  const targets = model.targets.filter((target) => objectionTo(target, { catalogue, wire, group, model }) === null)
  if (targets.length === 0) throw wireNotServed(model, group, choice)
  if (choice.isSameWireOnly !== true) return { model, group, prices, targets }
  const same = targets.filter((target) => objectionTo(target, { ...choice, group, model }) === null)
  return { model, group, prices, targets: same }
}

/** Why a target of the model is none for requests like this one, whatever its health; null: it may serve them. */
export function objectionTo(
  target: Target,
  about: Pick<Choice, 'catalogue' | 'wire' | 'isSameWireOnly'> & Pick<CallableModel, 'group' | 'model'>,
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
  { catalogue, wire }: Choice,
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
