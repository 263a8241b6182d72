import { DAY_MS } from '../../core/durations.ts'
import { FAULTS } from '../../core/faults.ts'
import type { UpstreamStatusesView, UpstreamStatusView } from '../../contract/upstreams.ts'
import type { ExploredNewest } from '../../metering/usage/explore.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ModelListStanding } from '../../routing/listed-models.ts'
import type { TargetState } from '../../routing/target-health.ts'
import type { ControlParts, UpstreamNow } from '../parts.ts'
import { statesOf } from './credential-states.ts'
import { readModelLists } from './model-lists.ts'

const LATELY_MS = 300_000
/** The most records that one page may have. */
const LOOKED_AT = 200
/** So many of the newest requests are counted and timed. */
const COUNTED = 5_000

/** How every upstream stands now, with what failed there lately. `nowMs`: epoch milliseconds. */
export async function readUpstreamStatuses(
  nowMs: number,
  { store, credentialsNow, upstreamNow }: Pick<ControlParts, 'store' | 'credentialsNow' | 'upstreamNow'>,
): Promise<UpstreamStatusesView> {
  const span = { fromMs: nowMs - LATELY_MS, toMs: nowMs + 1, where: {}, newest: COUNTED }
  const [upstreams, stored, ofUpstreams, ofCredentials, { records }] = await Promise.all([
    store.catalog.upstreams(),
    store.catalog.credentialStates(),
    store.usage.exploreNewest({ ...span, by: ['upstream'] }),
    store.usage.exploreNewest({ ...span, by: ['upstream', 'credential'] }),
    store.usage.list({ accountId: null, fault: 'any', fromMs: nowMs - DAY_MS }, { after: null, limit: LOOKED_AT }),
  ])
  const [lists, unproven] = await Promise.all([
    readModelLists(store, upstreams),
    namesWithoutSuccess(records, { nowMs, store }),
  ])
  const served = (rows: ExploredNewest['rows'], ...names: readonly string[]) => {
    const row = rows.find(({ ids }) => names.every((name, i) => ids[i] === name))
    const { requests = 0, failed = 0, times = null } = row ?? {}
    return { requests, failed, first_byte_ms: times?.firstByte ?? null }
  }
  const data = upstreams.map((upstream): UpstreamStatusView => {
    const states = statesOf(upstream, { credentialsNow, stored })
    const { inFlight, models } = upstreamNow(upstream.id)
    const isHere = ({ upstreamName }: UsageRecord) => upstreamName === upstream.name
    return {
      id: upstream.id,
      state: provenState(
        stateWith(
          models.map(({ state }) => state),
          stateOf(states.map(({ state }) => state)),
        ),
        unproven.has(upstream.name),
      ),
      in_flight: inFlight,
      models: models.flatMap(modelView),
      model_list: listView(lists.get(upstream.id)),
      last_failure: failureOf(records.find(isHere)),
      ...served(ofUpstreams.rows, upstream.name),
      credentials: states.map((each) => ({
        ...each,
        last_failure: failureOf(records.find((record) => isHere(record) && record.credentialName === each.name)),
        ...served(ofCredentials.rows, upstream.name, each.name),
      })),
    }
  })
  const { sinceMs } = ofUpstreams
  return {
    looked_at: new Date(nowMs).toISOString(),
    counted_since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    data,
  }
}

/** States of credentials with which requests go out. */
const USED: ReadonlySet<CredentialStateName> = new Set(['healthy', 'degraded', 'renewal_failing'])

type CredentialStateName = UpstreamStatusView['credentials'][number]['state']

function stateOf(states: readonly CredentialStateName[]): UpstreamStatusView['state'] {
  if (states.length === 0) return 'open'
  const enabled = states.filter((state) => state !== 'disabled')
  if (enabled.length === 0) return 'disabled'
  if (enabled.every((state) => state === 'healthy')) return 'healthy'
  if (enabled.some((state) => USED.has(state))) return 'degraded'
  return enabled.every((state) => state === 'held') ? 'held' : 'resting'
}

/** What is known of its models beside that of its credentials: where the host is dead, no credential helps. */
function stateWith(
  models: readonly TargetState[],
  ofCredentials: UpstreamStatusView['state'],
): UpstreamStatusView['state'] {
  if (ofCredentials !== 'open' && ofCredentials !== 'healthy' && ofCredentials !== 'degraded') return ofCredentials
  if (models.length > 0 && models.every((state) => state === 'cooling')) return 'resting'
  return models.every((state) => state === 'healthy') ? ofCredentials : 'degraded'
}

/** An upstream that is not known to be bad is well only where a request ended well. */
function provenState(state: UpstreamStatusView['state'], isUnproven: boolean): UpstreamStatusView['state'] {
  return isUnproven && (state === 'open' || state === 'healthy' || state === 'degraded') ? 'failing' : state
}

/** Names of upstreams at which requests of the last day failed by the upstream's fault, and none ended well. */
async function namesWithoutSuccess(
  failed: readonly UsageRecord[],
  { nowMs, store }: Pick<ControlParts, 'store'> & { readonly nowMs: number },
): Promise<ReadonlySet<string>> {
  const isByUpstream = ({ fault }: UsageRecord) => fault !== null && FAULTS[fault].blame === 'upstream'
  const names = new Set(failed.flatMap((record) => (isByUpstream(record) ? [record.upstreamName] : [])))
  const found = new Set<string>()
  for (const name of names) {
    if (name === null) continue
    const filter = { accountId: null, upstream: name, outcome: 'completed', fromMs: nowMs - DAY_MS } as const
    const { records, next } = await store.usage.list(filter, { after: null, limit: 1 })
    if (records.length === 0 && next === null) found.add(name)
  }
  return found
}

function modelView({ model, state, because, why, until, count }: UpstreamNow['models'][number]) {
  if (state === 'healthy') return []
  return [{ model, state, reason: because, why, until: until === null ? null : new Date(until).toISOString(), count }]
}

function listView(standing: ModelListStanding | undefined): UpstreamStatusView['model_list'] {
  if (standing === undefined) return null
  const { checkedAt, result, added, gone } = standing
  return { checked_at: new Date(checkedAt).toISOString(), result, added: [...added], gone: [...gone] }
}

function failureOf(record: UsageRecord | undefined): UpstreamStatusView['last_failure'] {
  if (record?.fault == null) return null
  return {
    fault: record.fault,
    at: new Date(record.createdAt).toISOString(),
    request_id: record.id,
    status: record.attempts.at(-1)?.status ?? null,
    said: record.attempts.at(-1)?.said ?? null,
    why: record.attempts.at(-1)?.why ?? null,
    redirects_to: record.attempts.at(-1)?.redirectsTo ?? null,
  }
}
