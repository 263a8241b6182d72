import type { SnapshotKeeper } from '../snapshot-keeper.ts'
import type { Clock } from '../../../core/clock.ts'
import { isStoreFailure, STORE_FAILURES, type StoreFailure } from '../../../core/store-failures.ts'
import type { UpstreamInUse } from '../../../gateway/snapshot.ts'
import type { CredentialStanding } from '../../../routing/credential-health.ts'
import { ONLY_CREDENTIAL } from '../../../routing/credential-settings.ts'
import type { Figures, Value } from '../../../telemetry/figures.ts'
import { upstreamNow } from '../upstream-now.ts'
import type { JoinedNode } from '../join-node.ts'
import { shadowValues } from './shadow-values.ts'
import { spendCapValues } from './spend-cap-values.ts'

/** What one thread knows at this moment: what it counted, and how its queue, its leases and its upstreams stand. */
export function nodeFigures(
  { parts, leases, standing }: Pick<JoinedNode, 'parts' | 'leases' | 'standing'>,
  snapshots: Pick<SnapshotKeeper, 'current'>,
): Figures {
  const counted = parts.figures.read()
  const upstreams = [...snapshots.current.upstreamsById.values()]
  return {
    distributions: counted.distributions,
    values: [
      ...counted.values,
      ...upstreams.flatMap((upstream) => credentialValues(upstream, parts.clock)),
      ...upstreams.flatMap((upstream) => modelValues(upstream, parts.clock)),
      ...spendCapValues(snapshots.current),
      ...shadowValues(snapshots.current),
      { of: 'inFlight', labels: [], value: parts.running.size },
      { of: 'cacheAnswers', labels: [], value: parts.responseCache.size },
      { of: 'cacheBytes', labels: [], value: parts.responseCache.bytes },
      { of: 'settleQueue', labels: [], value: parts.settleQueue.length },
      { of: 'setAside', labels: [], value: parts.settleQueue.setAside },
      { of: 'overrunCharges', labels: [], value: parts.settleQueue.overruns },
      { of: 'leaseGrants', labels: [], value: leases.grants },
      ...storeValues(standing.closed),
      ...redisValues(parts.keyLimits.isExact),
    ],
  }
}

/** What keeps the threads of some figures from using the database. */
export function failuresIn(all: readonly Figures[]): readonly StoreFailure[] {
  return all
    .flatMap(({ values }) => values)
    .flatMap(({ of, labels: [because], value }) =>
      of === 'storeFailing' && value > 0 && isStoreFailure(because) ? [because] : [],
    )
}

function storeValues(closed: StoreFailure | null): Value[] {
  return STORE_FAILURES.map((because) => ({
    of: 'storeFailing',
    labels: [because],
    value: closed === because ? 1 : 0,
  }))
}

function redisValues(isExact: boolean | null): Value[] {
  return isExact === null ? [] : [{ of: 'redisUp', labels: [], value: isExact ? 1 : 0 }]
}

type CredentialMetricState = CredentialStanding['state'] | 'expired' | 'disabled'

/** The states from the best to the worst: of several models, the worst state is that of the credential. */
const STATES: readonly CredentialMetricState[] = [
  'healthy',
  'degraded',
  'probing',
  'cooling',
  'expired',
  'held',
  'disabled',
]

function credentialValues({ upstream, pool }: UpstreamInUse, clock: Clock): Value[] {
  const now = clock.elapsed()
  return pool.flatMap(({ credential, health, isDisabled }): Value[] => {
    const { state: learned, until } = health.standing(now)
    const pause = health.use.pause(now)
    // As the API says it: what the provider refuses is held, expired or not.
    const own: CredentialMetricState = learned !== 'held' && pause === 'expired' ? pause : learned
    const state = isDisabled ? 'disabled' : own
    const unixSeconds = until === null ? 0 : (clock.now() + until - now) / 1_000
    const labels = [upstream.name, credential?.name ?? ONLY_CREDENTIAL]
    return [
      ...STATES.map((each) => ({
        of: 'credentialState' as const,
        labels: [...labels, each],
        value: each === state ? 1 : 0,
      })),
      { of: 'coolingUntil', labels, value: unixSeconds },
      { of: 'spendCapReached', labels, value: pause === 'spend_cap' ? 1 : 0 },
    ]
  })
}

function modelValues(inUse: UpstreamInUse, clock: Clock): Value[] {
  return upstreamNow(inUse, clock).models.flatMap(({ model, until, count }): Value[] => {
    const labels = [inUse.upstream.name, model]
    return [
      { of: 'upstreamRestsUntil', labels, value: (until ?? 0) / 1_000 },
      { of: 'upstreamRests', labels, value: count },
    ]
  })
}
