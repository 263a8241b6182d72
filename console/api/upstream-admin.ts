import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LocalServersView } from '../../src/contract/local-servers.ts'
import type { MarginsView } from '../../src/contract/margins.ts'
import type { UpstreamProbeView } from '../../src/contract/upstream-probe.ts'
import type {
  CredentialStateView,
  UpstreamDeletion,
  UpstreamStatusesView,
  UpstreamTrialView,
  UpstreamView,
} from '../../src/contract/upstreams.ts'
import type { UpstreamModelsView } from '../../src/contract/upstream-models.ts'
import { apiPath, everyPage, patch, post, read, readKept, request } from './request.ts'

const RENEWED_MS = 15_000
const SUMMED_MS = 60_000

/** All of them, by name. */
export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams', 'all'],
  queryFn: async ({ signal }) => (await everyPage<UpstreamView>('/api/upstreams', { signal })).data,
})

/** How they stand, renewed while it is looked at. */
export const upstreamStatusesQuery = readKept<UpstreamStatusesView>(['upstreams', 'status'], '/api/upstreams/status', {
  refetchInterval: RENEWED_MS,
})

/** What requests of this day of UTC cost at each upstream, by its name; of the 500 that cost most. */
export const upstreamSpendQuery = queryOptions({
  queryKey: ['upstreams', 'spend'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, SpendOfUpstream>> => {
    const query = { split: 'upstream', from: new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString() }
    const { rows } = await request<MarginsView>('/api/margins', { query, signal })
    return new Map(rows.map((row) => [row.id, row]))
  },
  placeholderData: keepPreviousData,
  refetchInterval: SUMMED_MS,
})

export type SpendOfUpstream = MarginsView['rows'][number]

export const upstreamQuery = (id: string) => read<UpstreamView>(['upstreams', 'one', id], apiPath`/api/upstreams/${id}`)

/** A credential as it is sent: the kind and its settings are left out where the secret is sent as it is. */
export interface CredentialInput {
  readonly secret?: string
  readonly kind?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** What an address is, before it is an upstream. */
export interface ProbeInput extends Omit<CredentialInput, 'secret'> {
  readonly base_url: string
  readonly credential: string | null
  /** null: it is reached without one. */
  readonly proxy_url: string | null
  readonly protocol: UpstreamProbeView['protocol']
  /** The cloud that it is bought from, with what that asks for; left out: none. */
  readonly dialect?: string
  readonly region?: string
  readonly api_version?: string
}

/** Servers of models that answer on the gateway's machine. */
export const localServersQuery = queryOptions({
  ...read<LocalServersView>(['upstreams', 'local'], '/api/upstreams/local'),
  staleTime: RENEWED_MS,
})

export const probeUpstream = (input: ProbeInput) => post<UpstreamProbeView>('/api/upstreams/probe', input)

export interface NewUpstream extends Omit<ProbeInput, 'credential' | 'kind' | 'settings' | 'protocol'> {
  readonly name: string
  readonly protocol: NonNullable<UpstreamProbeView['protocol']>
  readonly credentials: readonly (CredentialInput & { readonly name: string })[]
}

export const createUpstream = (input: NewUpstream, idempotencyKey: string) =>
  post<UpstreamView>('/api/upstreams', input, idempotencyKey)

export interface TrialInput {
  readonly model: string
  readonly credential?: string
  /** Left out: as the upstream speaks. */
  readonly protocol?: string
  readonly stream?: boolean
  readonly text?: string
}

/** One real request with a credential, on the way that clients' requests take. */
export const tryUpstream = (id: string, input: TrialInput) =>
  post<UpstreamTrialView>(apiPath`/api/upstreams/${id}/test-request`, input)

/** What it lists, beside what is served from it. */
export const compareUpstreamModels = (id: string) => post<UpstreamModelsView>(apiPath`/api/upstreams/${id}/models`)

/** Models that are new there are not offered any more, or again. */
export const ignoreUpstreamModels = (
  id: string,
  body: { readonly models: readonly string[]; readonly ignored: boolean },
) => post<unknown>(apiPath`/api/upstreams/${id}/ignored-models`, body)

/** Disables or enables it, or releases one that the provider refused. */
export function changeCredential(
  { upstreamId, name }: { readonly upstreamId: string; readonly name: string },
  change: { readonly disabled: boolean } | { readonly held: false },
  version: string,
): Promise<CredentialStateView> {
  const path = apiPath`/api/upstreams/${upstreamId}/credentials/${name}`
  return patch(path, change, version)
}

/** Gives one credential another secret; all else of the pool stays as it is. */
export function replaceSecret(
  { id, credentials }: UpstreamView,
  { name, version, ...input }: CredentialInput & { readonly name: string; readonly version: string },
): Promise<UpstreamView> {
  const pool = poolOf(credentials).map((each) => (each.name === name ? { ...each, ...input } : each))
  return changeUpstream(id, { credentials: pool }, version)
}

/** Adds credentials to a pool, in which all others stay as they are. */
export function addCredentials(
  { id, credentials }: UpstreamView,
  input: { readonly added: NewUpstream['credentials']; readonly version: string },
): Promise<UpstreamView> {
  return changeUpstream(id, { credentials: [...poolOf(credentials), ...input.added] }, input.version)
}

/** `version`: of the upstream as it was read. */
export const changeUpstream = (id: string, body: object, version: string) =>
  patch<UpstreamView>(apiPath`/api/upstreams/${id}`, body, version)

/** `models`: what becomes of those that have a target there; all of it happens, or nothing. */
export const deleteUpstream = (id: string, how: UpstreamDeletion) =>
  request<void>(apiPath`/api/upstreams/${id}`, { method: 'DELETE', query: { ...how } })

/** The credentials as they are sent back: without a secret, which then stays. */
function poolOf(credentials: UpstreamView['credentials']) {
  return credentials.map((each) => ({
    name: each.name,
    ...(each.kind === undefined ? {} : { kind: each.kind, settings: each.settings ?? {} }),
    weight: each.weight,
    realm: each.realm,
    max_concurrency: each.max_concurrency,
    requests_per_minute: each.requests_per_minute,
    tokens_per_minute: each.tokens_per_minute,
    spend_per_day: each.spend_per_day,
    models: each.models,
    expires_at: each.expires_at,
    shadow: each.shadow,
  }))
}
