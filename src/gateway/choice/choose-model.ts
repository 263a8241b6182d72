import type { KeyWithOwner } from '../../access/api-key.ts'
import { type Group, groupServes } from '../../access/group.ts'
import { Fault } from '../../core/faults.ts'
import type { Target } from '../../routing/catalog.ts'
import { type Wire, WIRES } from '../../core/wire.ts'
import { missingPrice } from '../../routing/missing-price.ts'
import { wiresOf, wiresTo } from '../../routing/route.ts'
import { nearNames } from './near-names.ts'
import { allows, type CallableModel, callableModels, isUsable, namedGroups, type Snapshot } from '../snapshot.ts'

export interface ChosenModel extends CallableModel {
  /** Those whose upstream understands the client's wire format, as it is or translated; never empty. */
  readonly targets: readonly Target[]
}

/** What a model is chosen by, beside who asks and its name. */
interface Choice {
  readonly snapshot: Snapshot
  readonly wire: Wire
  readonly nowMs: number
}

/**
 * Finds which model and group a request means, or throws the one Fault that says why it cannot be served. The group is the
 * first of the key's that is enabled, open to its account at this moment, and has the model.
 */
export function chooseModel(caller: KeyWithOwner, modelName: string, choice: Choice): ChosenModel {
  const { snapshot, wire } = choice
  const model = snapshot.modelsByName.get(modelName)
  if (model === undefined) {
    throw new Fault(
      'model_unknown',
      `There is no model "${printable(modelName)}" on this gateway.${advice(caller, modelName, choice)}`,
      { param: 'model' },
    )
  }
  const group = servingGroup(caller, modelName, choice)
  if (group === null) throw groupFault(caller, modelName, choice)
  if (!allows(caller.key, modelName)) {
    throw new Fault(
      'model_not_allowed',
      `This API key is limited to certain models, and "${modelName}" is not among them.${advice(caller, modelName, choice)}`,
      { param: 'model' },
    )
  }
  if (model.prices === null) {
    throw new Fault(
      'model_unpriced',
      `The model "${modelName}" has no price yet, so it is not served. An admin has to set one.`,
    )
  }
  const missing = missingPrice(wire, model.prices)
  if (missing !== null) {
    throw new Fault(
      'model_unpriced',
      `The model "${modelName}" has no price for ${WIRES[wire].endpoint}, so it is not served there. An admin has to set ${missing}.`,
    )
  }
  const targets = model.targets.filter((target) => {
    const inUse = snapshot.upstreamsById.get(target.upstreamId)
    return inUse !== undefined && wiresTo(inUse.upstream.protocol, wire).length > 0
  })
  if (targets.length === 0) throw wireNotServed(model, choice)
  return { model, group, prices: model.prices, targets }
}

/** One look-up in the usual case, and no list of the groups: this is asked for every request. */
function servingGroup(caller: KeyWithOwner, modelName: string, { snapshot, nowMs }: Choice): Group | null {
  const { groupId, fallbackGroupIds } = caller.key
  for (let i = -1; i < fallbackGroupIds.length; i++) {
    const group = snapshot.groupsById.get(i < 0 ? groupId : (fallbackGroupIds[i] ?? ''))
    if (group !== undefined && isUsable(group, caller, nowMs) && groupServes(group, modelName)) return group
  }
  return null
}

/** Why none of the key's groups serves the model, by what the caller can do about it. */
function groupFault(caller: KeyWithOwner, modelName: string, choice: Choice): Fault {
  const enabled = namedGroups(caller.key, choice.snapshot).filter((group) => group.isEnabled)
  if (enabled.length === 0) return groupDisabled(caller, choice.snapshot)
  const usable = enabled.filter((group) => isUsable(group, caller, choice.nowMs))
  const closed = enabled.filter((group) => !usable.includes(group))
  // With a plan for this one the request would be served; without any usable group nothing would be, whatever is asked for.
  const wanting = closed.find((group) => groupServes(group, modelName)) ?? (usable.length === 0 ? closed[0] : undefined)
  if (wanting !== undefined) return groupForbidden(wanting, caller)
  const names = usable.map((group) => `"${group.name}"`).join(', ')
  return new Fault(
    'model_not_in_group',
    `The model "${modelName}" is not in this API key's group ${names}. Use a key of another group.${advice(caller, modelName, choice)}`,
    { param: 'model' },
  )
}

function groupDisabled({ key }: KeyWithOwner, snapshot: Snapshot): Fault {
  const name = snapshot.groupsById.get(key.groupId)?.name ?? key.groupId
  return new Fault(
    'group_disabled',
    `The group "${name}" of this API key is disabled. Use a key of another group, or ask an admin to enable it.`,
  )
}

function groupForbidden(group: Group, { subscriptions }: KeyWithOwner): Fault {
  const covering = subscriptions.find((each) => each.cancelledAt === null && each.groupIds.includes(group.id))
  return new Fault(
    'group_forbidden',
    `The group "${group.name}" of this API key requires a plan that covers it, and this account has no active subscription to one. ` +
      (covering === undefined
        ? 'Get such a plan, or use a key of another group.'
        : `Its plan "${covering.planName}" runs from ${at(covering.startsAt)} until ${at(covering.endsAt)}: renew it or wait until it starts, or use a key of another group.`),
  )
}

function at(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19) + 'Z'
}

function wireNotServed(model: CallableModel['model'], { snapshot, wire }: Choice): Fault {
  const wires = wiresOf(model, (id) => snapshot.upstreamsById.get(id)?.upstream.protocol ?? null)
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

function advice(caller: KeyWithOwner, modelName: string, { snapshot, nowMs }: Choice): string {
  const names = callableModels(caller, snapshot, nowMs).map((callable) => callable.model.name)
  if (names.length === 0) return ' This key cannot call any model at present.'
  const near = nearNames(modelName, names)
  if (near.length > 0) return ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
  const some = names.slice(0, 5).map((name) => `"${name}"`)
  return ` This key can call ${some.join(', ')}${names.length > some.length ? ' and others: see GET /v1/models' : ''}.`
}

function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return clean.length <= 80 ? clean : clean.slice(0, 80) + '…'
}
