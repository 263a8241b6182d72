import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import { isOpenToGroup, type Target } from '../../routing/catalog.ts'
import { type Wire, WIRES } from '../../core/wire.ts'
import { missingPrice } from '../../routing/missing-price.ts'
import { speaks, wiresTo } from '../../routing/route.ts'
import type { CallableModel, Moment } from '../../entitlement/callable-models.ts'
import { wiresIn } from '../../entitlement/catalogue.ts'
import { callableModel } from '../../entitlement/refusals.ts'
import type { Snapshot } from '../snapshot.ts'

export interface ChosenModel extends CallableModel {
  /** Those whose upstream understands the client's wire format, as it is or translated; never empty, unless only those that speak it as it is were wanted. */
  readonly targets: readonly Target[]
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
    throw new Fault(
      'model_unpriced',
      `The model "${modelName}" has no price for ${WIRES[wire].endpoint}, so it is not served there. An admin has to set ${missing}.`,
    )
  }
  const targets = model.targets.filter((target) => {
    if (!isOpenToGroup(target, group.id)) return false
    const inUse = catalogue.upstreamsById.get(target.upstreamId)
    return inUse !== undefined && wiresTo(inUse.upstream.protocol, wire).length > 0
  })
  if (targets.length === 0) throw wireNotServed(model, group, choice)
  if (choice.isSameWireOnly !== true) return { model, group, prices, targets }
  const same = targets.filter(({ upstreamId }) => {
    const inUse = catalogue.upstreamsById.get(upstreamId)
    return inUse !== undefined && speaks(inUse.upstream.protocol, wire)
  })
  return { model, group, prices, targets: same }
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
