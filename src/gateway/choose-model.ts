import type { ApiKey } from '../access/api-key.ts'
import { groupServes } from '../access/group.ts'
import { Fault } from '../core/faults.ts'
import type { Target } from '../routing/catalog.ts'
import type { Wire } from '../core/wire.ts'
import { speaks, wiresOf } from '../routing/route.ts'
import { nearNames } from './near-names.ts'
import { allows, type CallableModel, callableModels, groupsOf, type Snapshot } from './snapshot.ts'

export interface ChosenModel extends CallableModel {
  /** Those whose upstream understands the client's wire format as it is; never empty. */
  readonly targets: readonly Target[]
}

/** Finds which model and group a request of this key means, or throws the one Fault that says why it can't be served. */
export function chooseModel(key: ApiKey, modelName: string, context: { snapshot: Snapshot; wire: Wire }): ChosenModel {
  const { snapshot, wire } = context
  const model = snapshot.modelsByName.get(modelName)
  if (model === undefined) {
    throw new Fault(
      'model_unknown',
      `There is no model "${printable(modelName)}" here.${advice(key, modelName, snapshot)}`,
      {
        param: 'model',
      },
    )
  }
  const groups = groupsOf(key, snapshot)
  if (groups.length === 0) throw groupDisabled(key, snapshot)
  const group = groups.find((candidate) => groupServes(candidate, modelName))
  if (group === undefined) {
    const names = groups.map((candidate) => `"${candidate.name}"`).join(', ')
    throw new Fault(
      'model_not_in_group',
      `The model "${modelName}" is not in this API key's group ${names}. Use a key of another group.${advice(key, modelName, snapshot)}`,
      { param: 'model' },
    )
  }
  if (!allows(key, modelName)) {
    throw new Fault(
      'model_not_allowed',
      `This API key is limited to certain models, and "${modelName}" is not among them.${advice(key, modelName, snapshot)}`,
      { param: 'model' },
    )
  }
  if (model.prices === null) {
    throw new Fault(
      'model_unpriced',
      `The model "${modelName}" has no price yet, so it is not served. Its operator has to set one.`,
    )
  }
  const targets = model.targets.filter((target) => {
    const inUse = snapshot.upstreamsById.get(target.upstreamId)
    return inUse !== undefined && speaks(inUse.upstream.protocol, wire)
  })
  if (targets.length === 0) throw wireNotServed(model, { snapshot, wire })
  return { model, group, prices: model.prices, targets }
}

function groupDisabled(key: ApiKey, snapshot: Snapshot): Fault {
  const name = snapshot.groupsById.get(key.groupId)?.name ?? key.groupId
  return new Fault(
    'group_disabled',
    `The group "${name}" of this API key is disabled. Use a key of another group, or ask the operator to enable it.`,
  )
}

const SPOKEN: Record<Wire, string> = {
  'openai-chat': 'POST /v1/chat/completions',
  'openai-responses': 'POST /v1/responses',
  'openai-embeddings': 'POST /v1/embeddings',
  'anthropic-messages': 'POST /v1/messages',
}

function wireNotServed(model: CallableModel['model'], context: { snapshot: Snapshot; wire: Wire }): Fault {
  const wires = wiresOf(model, (id) => context.snapshot.upstreamsById.get(id)?.upstream.protocol ?? null)
  if (wires.length === 0) {
    return new Fault('upstream_unavailable', `The model "${model.name}" has no upstream that can serve it right now.`)
  }
  const paths = wires.map((wire) => SPOKEN[wire]).join(', ')
  return new Fault(
    'request_invalid',
    `The model "${model.name}" can't be called by ${SPOKEN[context.wire]}. It answers to: ${paths}.`,
    { param: 'model' },
  )
}

function advice(key: ApiKey, modelName: string, snapshot: Snapshot): string {
  const names = callableModels(key, snapshot).map((callable) => callable.model.name)
  if (names.length === 0) return ' This key can call no model at present.'
  const near = nearNames(modelName, names)
  if (near.length > 0) return ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
  const some = names.slice(0, 5).map((name) => `"${name}"`)
  return ` This key can call ${some.join(', ')}${names.length > some.length ? ' and others: see GET /v1/models' : ''}.`
}

function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return clean.length <= 80 ? clean : clean.slice(0, 80) + '…'
}
