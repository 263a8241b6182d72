import type { SnapshotKeeper } from '../snapshot-keeper.ts'
import type { Clock } from '../../../core/clock.ts'
import { isStoreFailure, STORE_FAILURES, type StoreFailure } from '../../../core/store-failures.ts'
import type { UpstreamInUse, Snapshot } from '../../../gateway/snapshot.ts'
import type { CredentialStanding } from '../../../routing/credential-health.ts'
import { ONLY_CREDENTIAL } from '../../../routing/credential-settings.ts'
import { type Figures, type Value, merged } from '../../../telemetry/figures.ts'
import { upstreamNow } from '../upstream-now.ts'
import type { JoinedNode } from '../join-node.ts'
import type { SpendCap } from '../../../routing/spend-cap.ts'
import type { ShadowCount } from '../../../control/parts.ts'

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
  'renewal_failing',
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
    // While its renewal fails it is used as ever.
    const isLeftAlone = until !== null && learned !== 'renewal_failing'
    const unixSeconds = isLeftAlone ? (clock.now() + until - now) / 1_000 : 0
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

/**
 * The series of all rules in shadow, which begin with 0, so that their first step is one; and one for each upstream. What was
 * counted is added to them.
 */
function shadowValues({ upstreamsById, modelsByName }: Snapshot): readonly Value[] {
  const ofTargets = [...modelsByName.values()].flatMap(({ name, targets }) =>
    targets.flatMap(({ upstreamId, model, shadow = [] }) => {
      const upstream = upstreamsById.get(upstreamId)?.upstream.name
      return upstream === undefined ? [] : shadow.flatMap((rule) => shadowSeries([rule, upstream, '', name, model]))
    }),
  )
  const ofUpstreams = [...upstreamsById.values()].flatMap(({ upstream: { name, credentials } }) => [
    ...shadowSeries(['spend_per_day', name, '', '', '']),
    ...credentials.flatMap((each) =>
      (each.shadow ?? []).flatMap((rule) => shadowSeries([rule, name, each.name, '', ''])),
    ),
  ])
  return [...ofUpstreams, ...ofTargets]
}

function shadowSeries(labels: readonly string[]): readonly Value[] {
  return [
    { of: 'shadowRefusals', labels, value: 0 },
    { of: 'shadowRefusedAt', labels, value: 0 },
  ]
}

/** How far the caps on spending that are enforced are used: those of credentials, of targets by their model, and one value for each upstream. */
function spendCapValues({ upstreamsById, modelsByName }: Snapshot): readonly Value[] {
  const ofTargets = [...modelsByName.values()].flatMap(({ name, targets }) =>
    targets.flatMap((target): Value[] => {
      const inUse = upstreamsById.get(target.upstreamId)
      const cap = inUse?.caps?.ofTargets.get(target)
      return inUse === undefined || cap === undefined || cap.isShadow
        ? []
        : [usedOf([inUse.upstream.name, '', name], cap)]
    }),
  )
  const ofUpstreams = [...upstreamsById.values()].flatMap(({ upstream, caps, pool }) => [
    usedOf([upstream.name, '', ''], caps?.ofUpstream ?? null),
    ...pool.flatMap(({ credential, health }): Value[] => {
      const { cap } = health.use
      return cap === null || cap.isShadow || credential === null
        ? []
        : [usedOf([upstream.name, credential.name, ''], cap)]
    }),
  ])
  return [...ofUpstreams, ...ofTargets]
}

function usedOf(labels: readonly string[], cap: SpendCap | null): Value {
  return { of: 'spendCapUsed', labels, value: cap === null || cap.isShadow ? 0 : cap.usedPart }
}

/** How often rules in shadow would have refused, by the figures of all threads. */
export function shadowCountsIn(figures: readonly Figures[]): readonly ShadowCount[] {
  const own = figures.map(({ values }) => ({
    values: values.filter(({ of }) => of === 'shadowRefusals' || of === 'shadowRefusedAt'),
    distributions: [],
  }))
  const { values } = merged(own)
  const lastAt = new Map(
    values.flatMap(({ of, labels, value }) => (of === 'shadowRefusedAt' ? [[labels.join('\n'), value] as const] : [])),
  )
  return values.flatMap(({ of, labels, value }): ShadowCount[] => {
    if (of !== 'shadowRefusals') return []
    const [rule = '', upstream = '', credential = '', model = '', upstreamModel = ''] = labels
    // 0: it never did.
    const at = lastAt.get(labels.join('\n')) ?? 0
    return [
      {
        rule,
        upstream,
        credential,
        model,
        upstreamModel,
        refusals: value,
        lastAt: at === 0 ? null : Math.round(at * 1_000),
      },
    ]
  })
}
