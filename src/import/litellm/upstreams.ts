import { isCredential, isHeaderValue, objectionToBaseUrl, readBaseUrl } from '../../routing/upstream-settings.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { PlannedTarget, PlannedUpstream } from '../import-plan.ts'
import { entriesOf } from '../source.ts'
import { type NamedProvider, type Provider, providerOf } from './providers.ts'
import { isNamed, type NamedVariables, nameIn } from './named-variables.ts'
import type { Deployment } from './read-config.ts'

/** What stands for a credential where none is needed, or none is known. */
const NO_CREDENTIAL = 'none'
const LARGEST = 1_000_000
/** What a deployment may say that is carried, or means nothing here. */
const UNDERSTOOD = new Set([
  'model',
  'api_key',
  'api_base',
  'base_url',
  'custom_llm_provider',
  'organization',
  'extra_headers',
  'weight',
  'order',
  'max_parallel_requests',
])
const NOT_CARRIED = ['rpm', 'tpm', 'timeout', 'stream_timeout', 'temperature', 'max_tokens', 'max_budget', 'tags']

export interface DeploymentsAbout {
  readonly variables: NamedVariables
  readonly group: string
  readonly notes: ImportNotes
}

/** Deployments as upstreams: those of one address and one credential are one. And what each of them serves. */
export function planDeployments(deployments: readonly Deployment[], about: DeploymentsAbout) {
  const upstreams = new Map<string, PlannedUpstream>()
  const served: { readonly name: string; readonly target: PlannedTarget }[] = []
  const names = new Set<string>()
  const first = Math.min(...deployments.map(({ params }) => wholeIn(params.get('order')) ?? 1), 1)
  for (const deployment of deployments) {
    const { params, id, name } = deployment
    const custom = textIn(params.get('custom_llm_provider'))
    const named = providerOf(textIn(params.get('model')) ?? '', custom)
    const upstream = upstreamOf(deployment, { ...about, named })
    if (upstream === null) continue
    noteParams(deployment, about.notes)
    const key = JSON.stringify(upstream)
    const known = upstreams.get(key) ?? plannedUpstream(upstream, { id, name: freeName(named.name, names) })
    upstreams.set(key, known)
    const target = {
      upstream: known.name,
      model: named.model,
      priority: Math.min((wholeIn(params.get('order')) ?? first) - first, LARGEST),
      weight: Math.min(wholeIn(params.get('weight')) ?? 1, LARGEST),
      groups: [about.group],
      costFactor: null,
    }
    if (name.includes('*'))
      about.notes.note('model_list', id, 'stand for many models (*): name each that is to be served')
    else served.push({ name, target })
  }
  return { upstreams: [...upstreams.values()], served }
}

interface Place {
  readonly protocol: Provider['protocol']
  readonly baseUrl: string
  readonly baseUrlFrom?: string
  readonly secret: string
  readonly isDisabled: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly maxConcurrency: number | null
}

function upstreamOf(
  { id, params }: Deployment,
  { named, variables, notes }: DeploymentsAbout & { readonly named: NamedProvider },
): Place | null {
  const { provider } = named
  if (provider === null) {
    notes.note('model_list', id, `are of ${named.name}, which is not carried: set them up by hand`)
    return null
  }
  const written = params.get('api_base') ?? params.get('base_url')
  const text = textIn(written)
  const from = text !== null && isNamed(text) ? nameIn(text) : null
  const given = text === null ? null : variables.resolve(text, `the address of ${named.name}`)
  const baseUrl = given === null ? (written === undefined ? provider.baseUrl : null) : addressOf(given, provider)
  const protocol = given === null ? provider.protocol : (provider.protocolElsewhere ?? provider.protocol)
  const to = from === null ? hostOf(baseUrl ?? '') : `the address in ${from}`
  const secret = credentialOf(params, { provider, variables, to })
  if (baseUrl === null || objectionToBaseUrl(protocol, baseUrl) !== null) {
    notes.note('model_list', id, 'name no api_base that can be used: set them up by hand')
    return null
  }
  if (secret === null) {
    notes.note(
      'model_list',
      id,
      'name an api_key that is not here, or not taken: see the environment variables above, or set the credential here',
    )
  }
  return {
    protocol,
    baseUrl,
    ...(from === null ? {} : { baseUrlFrom: from }),
    secret: secret ?? NO_CREDENTIAL,
    isDisabled: secret === null,
    headers: headersOf(params, { id, notes }),
    maxConcurrency: wholeIn(params.get('max_parallel_requests')),
  }
}

function addressOf(given: string, { version }: Provider): string | null {
  const url = readBaseUrl(given)
  return url === null || version === '' || /\/v\d\w{0,8}$/.test(url) ? url : url + version
}

function credentialOf(
  params: Deployment['params'],
  { provider, variables, to }: { provider: Provider; variables: NamedVariables; to: string },
): string | null {
  const { variable } = provider
  const written = params.get('api_key')
  if (written === undefined || written === null) {
    return variable === null ? NO_CREDENTIAL : usable(variables.read(variable, to))
  }
  const text = textIn(written)
  return usable(text === null ? null : variables.resolve(text, to))
}

function usable(secret: string | null): string | null {
  return secret !== null && isCredential(secret) ? secret : null
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? 'no address'
}

function headersOf(
  params: Deployment['params'],
  { id, notes }: { id: string; notes: ImportNotes },
): Readonly<Record<string, string>> {
  const organization = textIn(params.get('organization'))
  const written = entriesOf(params.get('extra_headers'))
  const plain = written.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' &&
      isHeaderValue(entry[1]) &&
      !isNamed(entry[1]) &&
      /^[\w-]{1,100}$/.test(entry[0]) &&
      !OF_CONNECTION.test(entry[0]),
  )
  if (plain.length < written.length) notes.note('model_list', id, 'have extra_headers that are not carried')
  const ofOrganization = organization === null || isNamed(organization) ? {} : { 'openai-organization': organization }
  return { ...ofOrganization, ...Object.fromEntries(plain) }
}

const OF_CONNECTION = /^(?:host|connection|content-length|transfer-encoding|authorization|x-api-key|x-goog-api-key)$/i

function noteParams({ id, params }: Deployment, notes: ImportNotes): void {
  for (const name of params.keys()) {
    if (UNDERSTOOD.has(name) || name.includes('cost')) continue
    const isSetting = NOT_CARRIED.includes(name)
    notes.note('model_list', id, `have ${name}, which is not carried${isSetting ? '' : ': see whether it is needed'}`)
  }
}

function plannedUpstream(place: Place, { id, name }: { id: string; name: string }): PlannedUpstream {
  const { secret, isDisabled, ...others } = place
  const credentials = [{ name: 'default', secret, isDisabled }]
  return { id, name, ...others, credentials, proxyUrl: null }
}

function freeName(provider: string, names: Set<string>): string {
  let name = provider
  for (let number = 2; names.has(name); number++) name = `${provider} ${number}`
  names.add(name)
  return name
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** null: nothing is written, or nothing that counts. */
function wholeIn(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}
