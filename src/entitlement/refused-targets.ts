import type { Group } from '../access/group.ts'
import type { Wire } from '../core/wire.ts'
import type { Target, Upstream } from '../routing/catalog.ts'
import { canCarryAny, CARRIED_FORM } from '../routing/route.ts'

/** The part of a model that its targets are judged by. */
export interface JudgedModel {
  readonly name: string
  /** null: all that its targets can be asked for. */
  readonly endpoints: readonly Wire[] | null
  readonly targets: readonly Pick<Target, 'upstreamId' | 'model' | 'priority' | 'weight' | 'groupIds'>[]
}

export interface JudgedLists {
  readonly groups: readonly Pick<Group, 'id' | 'models'>[]
  readonly upstreams: readonly (Pick<Upstream, 'id' | 'name' | 'protocol'> & {
    readonly credentials: readonly Pick<Upstream['credentials'][number], 'models'>[]
  })[]
}

/** Why a target can do nothing, or not what is written of it, whatever happens to the others. */
export interface TargetObjection {
  /**
   * `weight`: no target that is asked first has any. `protocol`: it can carry none of the model's endpoints. `credentials`: none
   * may be sent for its model. `groups`: none of them has the model.
   */
  readonly kind: 'weight' | 'protocol' | 'credentials' | 'groups'
  readonly index: number
  /** The name that the API and the file have for it. */
  readonly field: 'weight' | 'upstream' | 'groups'
  /** What the field must be instead, for `mustBe`. */
  readonly takes: string
  /** The key of the same target in another version of the model. */
  readonly key: string
}

/** What is surely wrong with the targets of a model, the first target's first. */
export function objectionsToTargets(model: JudgedModel, lists: JudgedLists): readonly TargetObjection[] {
  const first = Math.min(...model.targets.map(({ priority }) => priority))
  const asked = model.targets.filter(({ priority }) => priority === first)
  const isWeightless = asked.every(({ weight }) => weight === 0)
  return model.targets.flatMap((target, index): TargetObjection[] => {
    const upstream = lists.upstreams.find(({ id }) => id === target.upstreamId)
    const object = (kind: TargetObjection['kind'], field: TargetObjection['field'], takes: string) => ({
      kind,
      index,
      field,
      takes,
      key: [kind, upstream?.name ?? target.upstreamId, target.model].join('\n'),
    })
    const { groupIds } = target
    const its = groupIds === undefined ? null : lists.groups.filter(({ id }) => groupIds.includes(id))
    return [
      ...(isWeightless && target === asked[0] ? [object('weight', 'weight', WEIGHT_FORM)] : []),
      ...(upstream === undefined || canCarryAny(model.endpoints, upstream.protocol)
        ? []
        : [object('protocol', 'upstream', CARRIED_FORM)]),
      ...(upstream === undefined || maySend(upstream, target.model)
        ? []
        : [object('credentials', 'upstream', `an upstream with a credential that may be sent for "${target.model}"`)]),
      ...(its === null || its.length === 0 || its.some(({ models }) => serves(models, model.name))
        ? []
        : [object('groups', 'groups', 'must name at least one group that has the model')]),
    ]
  })
}

/** Objections to `after` that were not there before: what is stored already goes on as it is. */
export function newObjections(
  after: readonly TargetObjection[],
  before: readonly TargetObjection[],
): readonly TargetObjection[] {
  const known = new Set(before.map(({ key }) => key))
  return after.filter(({ key }) => !known.has(key))
}

const WEIGHT_FORM =
  'must be above 0 for at least one of the targets that are asked first: a weight of 0 takes none of them out, and they share the requests as equals'

function maySend({ credentials }: JudgedLists['upstreams'][number], model: string): boolean {
  return credentials.length === 0 || credentials.some(({ models }) => models === null || models.includes(model))
}

function serves(models: readonly string[], name: string): boolean {
  return models.includes('*') || models.includes(name)
}
