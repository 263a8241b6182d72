import type { Clock } from '../../core/clock.ts'
import type { Model, Target } from '../../routing/catalog.ts'
import { CredentialHealth } from '../../routing/credential-health.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import type { TrialAnswer, TrialQuestion } from '../../routing/upstream-trial.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import type { CredentialInUse, Snapshot, UpstreamInUse } from '../snapshot.ts'
import { TRIAL_GROUP } from './trial-caller.ts'

export interface TrialPlace {
  readonly model: Model
  readonly target: Target
  readonly inUse: UpstreamInUse
  readonly credential: CredentialInUse
}

/** The place that a question means; or which of its fields names none, and why. */
export function placeOf(
  { upstreamId, modelName, targetModel, credentialName }: TrialQuestion,
  { modelsByName, upstreamsById }: Snapshot,
): TrialPlace | Omit<Extract<TrialAnswer, { kind: 'refused' }>, 'kind'> {
  const inUse = upstreamsById.get(upstreamId)
  if (inUse === undefined) {
    const why = 'The gateway cannot use this upstream as it is configured: its log says why. Set its credential again.'
    return { field: 'upstream', why }
  }
  const model = modelsByName.get(modelName)
  const [first, ...others] = model?.targets.filter((each) => each.upstreamId === upstreamId) ?? []
  if (model === undefined || first === undefined) {
    return { field: 'model', why: `No model "${modelName}" has a target at this upstream.` }
  }
  const target = targetModel === null ? first : [first, ...others].find((each) => each.model === targetModel)
  if (target === undefined) {
    return { field: 'upstream_model', why: `The model "${modelName}" has no target "${targetModel}" at this upstream.` }
  }
  const { pool } = inUse
  const credential =
    credentialName === null
      ? (pool.find(({ isDisabled }) => !isDisabled) ?? pool[0])
      : pool.find((each) => each.credential?.name === credentialName)
  if (credential === undefined) {
    return { field: 'credential', why: `This upstream has no credential "${credentialName}" that can be used.` }
  }
  return { model, target, inUse, credential }
}

const UNLIMITED = {
  maxConcurrency: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendPerDay: null,
  expiresAt: null,
}

/**
 * A catalogue with this one place in it, so that a request can go nowhere else. Nothing is known of its health: what rests or
 * is refused is asked all the same, and what comes of it changes nothing for clients.
 */
export function trialSnapshot(
  { model, target, inUse, credential }: TrialPlace,
  { client, clock, random }: { readonly client: UpstreamClient; readonly clock: Clock; readonly random: () => number },
): Snapshot {
  const { groupIds: _groups, minMargin: _margin, shadow: _shadow, ...open } = target
  const { caps: _caps, ...uncapped } = inUse
  const health = new CredentialHealth({ limits: UNLIMITED, clock, random })
  // The target names which models it is for; a test is for the one that is asked.
  const unbound = credential.credential === null ? null : { ...credential.credential, models: null }
  const pool = [{ credential: unbound, client, health, isDisabled: false }]
  return {
    groupsById: new Map([[TRIAL_GROUP.id, TRIAL_GROUP]]),
    modelsByName: new Map([[model.name, { ...model, targets: [open] }]]),
    upstreamsById: new Map([[inUse.upstream.id, { ...uncapped, pool, health: new UpstreamHealth(random) }]]),
  }
}
