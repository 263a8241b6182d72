import { type RemoteProtocol, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import {
  isCredential,
  objectionToBaseUrl,
  readBaseUrl,
  isHeaderValue,
  objectionToHeader,
} from '../../routing/upstream-settings.ts'
import type { ImportNotes, PlannedCredential, PlannedUpstream } from '../import-plan.ts'
import { isNamed, type NamedVariables, nameIn, placeholderIn } from './named-variables.ts'
import type { NamedProvider, NotCarried, Provider } from './provider-table.ts'
import type { Deployment } from './read-config.ts'
import { entriesOf, words } from '../source.ts'

/** What stands for a credential where none is needed, or none is known. */
export const NO_CREDENTIAL = 'none'
const LONGEST_TIMEOUT_MS = 86_400_000

/** Where a deployment is served, and by what. Deployments with the same are one upstream. */
export interface DeploymentPlace extends Pick<
  PlannedUpstream,
  | 'protocol'
  | 'baseUrl'
  | 'baseUrlFrom'
  | 'headers'
  | 'maxConcurrency'
  | 'firstByteTimeoutMs'
  | 'dialect'
  | 'region'
  | 'apiVersion'
> {
  readonly secret: string
  /** Absent: the secret is sent as it is. */
  readonly kind?: PlannedCredential['kind']
  readonly settings?: PlannedCredential['settings']
  readonly isDisabled: boolean
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  /** The id of a deployment with limits of its own, which no other deployment shares. */
  readonly alone?: string
}

export interface PlacesAbout {
  readonly variables: NamedVariables
  readonly notes: ImportNotes
  /** Where the configuration is. */
  readonly path: string
}

const WHY_NOT: Readonly<Record<NotCarried, string>> = {
  own_form: 'its API has a form of its own that this gateway does not speak, so set them up by hand',
  own_sign_in: 'it is signed in to by a person’s subscription',
}

/** A sentence: why it cannot be served from here. */
export function placeOf(
  deployment: Deployment,
  named: NamedProvider,
  { variables, notes }: Pick<PlacesAbout, 'variables' | 'notes'>,
): DeploymentPlace | string {
  const { id, params } = deployment
  const { provider } = named
  if (typeof provider === 'string') return `are of ${named.name}, which is not carried: ${WHY_NOT[provider]}`
  const isRanking = rankingOf(deployment, named)
  const address = addressOf(params, { named, provider, variables, isRanking })
  const protocol = protocolOf(address, { named, provider })
  const { baseUrl, from } = address
  const to = from === null ? hostOf(baseUrl ?? '') : `the address in ${from}`
  const credential = credentialOf(params, { provider, variables, to })
  if (baseUrl === null || objectionToBaseUrl(protocol, baseUrl) !== null)
    return 'name no api_base that can be used: set them up by hand'
  if (isRanking && provider.limits !== undefined)
    notes.note('model_list', id, `are of ${named.name}, which ${provider.limits}`)
  if (credential.kind !== 'there') notes.note('model_list', id, lackingOf(credential))
  const common = commonsOf(deployment, { variables, notes, to }, [])
  return {
    protocol,
    baseUrl,
    ...(from === null ? {} : { baseUrlFrom: from }),
    secret: credential.kind === 'there' ? credential.secret : NO_CREDENTIAL,
    ...common,
    isDisabled: credential.kind !== 'there' || common.isDisabled,
  }
}

/**
 * What deployments of all providers may say beside their address and their credential. `to`: where headers go; `understood`:
 * parameters that are read elsewhere.
 */
export function commonsOf(
  deployment: Deployment,
  { variables, notes, to }: Pick<PlacesAbout, 'variables' | 'notes'> & { readonly to: string },
  understood: readonly string[],
) {
  const { id, params, lacks } = deployment
  if (lacks !== null) notes.note('model_list', id, `name a credential ${lacks}, which credential_list has not`)
  noteParams(deployment, { notes, understood })
  const limits = limitsOf(params)
  return {
    isDisabled: lacks !== null,
    headers: headersOf(deployment, { variables, to, notes }),
    maxConcurrency: wholeIn(params.get('max_parallel_requests')),
    ...timeoutOf(deployment, notes),
    ...limits,
    ...(Object.keys(limits).length === 0 ? {} : { alone: id }),
  }
}

const RANKING: ReadonlySet<unknown> = new Set(['rerank'])

/** Ranking has its own address at some providers. */
function rankingOf({ info }: Deployment, { model }: NamedProvider): boolean {
  const mode = info.get('mode')
  return RANKING.has(mode) || (mode === undefined && /rerank/i.test(model))
}

interface DeploymentAddress {
  readonly baseUrl: string | null
  /** The variable that it stands in; null: it is written. */
  readonly from: string | null
  /** The deployment names it. */
  readonly isGiven: boolean
}

function addressOf(
  params: Deployment['params'],
  about: { named: NamedProvider; provider: Provider; variables: NamedVariables; isRanking: boolean },
): DeploymentAddress {
  const { named, provider, variables, isRanking } = about
  const written = params.get('api_base') ?? params.get('base_url')
  const as = `the address of ${named.name}`
  if (written === undefined) {
    const variable = baseVariableOf(provider, variables)
    const value = variable === null ? null : variables.read(variable, as)
    if (value !== null) return { baseUrl: baseOf(value, provider), from: variable, isGiven: true }
    const own = isRanking ? (provider.rerankUrl ?? provider.baseUrl) : provider.baseUrl
    return { baseUrl: own, from: null, isGiven: false }
  }
  const text = textIn(written)
  const given = text === null || placeholderIn(text) !== null ? null : variables.resolve(text, as)
  const from = text !== null && isNamed(text) ? nameIn(text) : null
  return { baseUrl: given === null ? null : baseOf(given, provider), from, isGiven: true }
}

/** LiteLLM looks for addresses in variables as well; one of this machine does not count where the provider has an address. */
function baseVariableOf(
  { baseUrl, baseVariable, variables: [first] }: Provider,
  variables: NamedVariables,
): string | null {
  const usual = first?.replace(/_(?:API_)?(?:KEY|TOKEN)$/, '_API_BASE')
  const configured = [baseVariable, usual].find((name) => name !== undefined && variables.isConfigured(name))
  return configured ?? (baseUrl === null ? (baseVariable ?? null) : null)
}

const ENDPOINT = /\/(?:chat\/completions|responses|embeddings|rerank|messages)\/?$/

/** What is asked below it is appended here, also where the deployment has written it out. */
function baseOf(given: string, { version }: Provider): string | null {
  const url = readBaseUrl(given.trim().replace(ENDPOINT, ''))
  return url === null || version === '' || /\/v\d\w{0,8}$/.test(url) ? url : url + version
}

function protocolOf(
  { baseUrl, isGiven }: DeploymentAddress,
  { named, provider }: { named: NamedProvider; provider: Provider },
): RemoteProtocol {
  // `openai/responses/NAME` says that the address takes them.
  if (named.way === 'responses' && upstreamProtocolFacts(provider.protocol).wires.includes('openai-chat'))
    return 'openai'
  const isElsewhere = isGiven && hostOf(baseUrl ?? '') !== hostOf(provider.baseUrl ?? '')
  return isElsewhere ? (provider.protocolElsewhere ?? provider.protocol) : provider.protocol
}

type FoundCredential =
  | { readonly kind: 'there'; readonly secret: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'placeholder'; readonly text: string }

function lackingOf(found: Exclude<FoundCredential, { readonly kind: 'there' }>): string {
  return found.kind === 'absent'
    ? 'name an api_key that is not here, or not taken: see the environment variables above, or set the credential here'
    : `have ${found.text} in place of an api_key, which LiteLLM sends as it is written: set the credential here`
}

function credentialOf(
  params: Deployment['params'],
  { provider, variables, to }: { provider: Provider; variables: NamedVariables; to: string },
): FoundCredential {
  const written = params.get('api_key')
  if (written === undefined) {
    if (provider.variables.length === 0) return { kind: 'there', secret: NO_CREDENTIAL }
    return usable(variables.readFirst(provider.variables, to))
  }
  const text = textIn(written)
  return usable(text === null ? null : variables.resolve(text, to))
}

function usable(secret: string | null): FoundCredential {
  if (secret === null || !isCredential(secret)) return { kind: 'absent' }
  const text = placeholderIn(secret)
  return text === null ? { kind: 'there', secret } : { kind: 'placeholder', text }
}

/**
 * LiteLLM’s clients give up where nothing came for so long, which is the time to the first byte of an answer. Of a time for all
 * requests and one for streams the longer holds, since there is one for both here.
 */
function timeoutOf({ id, params }: Deployment, notes: ImportNotes): Pick<PlannedUpstream, 'firstByteTimeoutMs'> {
  const [all, streams] = ['timeout', 'stream_timeout'].map((name) => {
    const value = params.get(name)
    const ms = millisecondsOf(value)
    if (value !== undefined && ms === null)
      notes.note('model_list', id, `have a ${name} that is not carried: it is not a number of seconds up to a day`)
    return ms
  })
  if (all == null && streams != null)
    notes.note('model_list', id, 'have a stream_timeout alone, which holds for all requests here')
  if (all != null && streams != null && streams < all)
    notes.note('model_list', id, 'have a stream_timeout below their timeout: the timeout holds for both here')
  const longest = Math.max(all ?? 0, streams ?? 0)
  return longest === 0 ? {} : { firstByteTimeoutMs: longest }
}

function millisecondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return null
  const ms = Math.max(1, Math.round(seconds * 1_000))
  return ms > LONGEST_TIMEOUT_MS ? null : ms
}

function limitsOf(params: Deployment['params']): Pick<DeploymentPlace, 'requestsPerMinute' | 'tokensPerMinute'> {
  const [rpm, tpm] = [wholeIn(params.get('rpm')), wholeIn(params.get('tpm'))]
  return {
    ...(rpm === null || rpm === 0 ? {} : { requestsPerMinute: rpm }),
    ...(tpm === null || tpm === 0 ? {} : { tokensPerMinute: tpm }),
  }
}

/** Fields of a deployment that are sent as one header each. */
const ONE_HEADER = {
  organization: 'openai-organization',
  custom_user_agent: 'user-agent',
}
const HEADER_FIELDS = [...Object.keys(ONE_HEADER), 'extra_headers', 'headers', 'default_headers']

/** What a deployment may say that is carried, or means nothing here. */
const UNDERSTOOD: ReadonlySet<string> = new Set(
  words(
    ...HEADER_FIELDS,
    'model api_key api_base base_url custom_llm_provider litellm_credential_name weight order',
    'max_parallel_requests timeout stream_timeout rpm tpm enable_azure_ad_token_refresh',
  ),
)
const NOT_CARRIED = ['temperature', 'max_tokens', 'max_budget', 'tags']

function noteParams(
  { id, params }: Deployment,
  { notes, understood }: { readonly notes: ImportNotes; readonly understood: readonly string[] },
): void {
  for (const name of params.keys()) {
    if (UNDERSTOOD.has(name) || understood.includes(name) || name.includes('cost') || name === 'tiered_pricing')
      continue
    const isSetting = NOT_CARRIED.includes(name)
    notes.note('model_list', id, `have ${name}, which is not carried${isSetting ? '' : ': see whether it is needed'}`)
  }
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? 'no address'
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** null: nothing is written, or nothing that counts. */
export function wholeIn(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/**
 * The headers that a deployment adds, in lower case as they are sent here. Those that the gateway writes by itself, and values
 * that no header can have, are named without their values. `to`: where they go.
 */
function headersOf(
  { id, params }: Deployment,
  { variables, to, notes }: { readonly variables: NamedVariables; readonly to: string; readonly notes: ImportNotes },
): Readonly<Record<string, string>> {
  const written = [
    ...['default_headers', 'headers', 'extra_headers'].flatMap((field) => entriesOf(params.get(field))),
    ...Object.entries(ONE_HEADER).map(([field, name]) => [name, params.get(field)] as const),
  ]
  const headers: Record<string, string> = {}
  for (const [given, value] of written) {
    if (value === undefined || value === null) continue
    const name = given.trim().toLowerCase()
    const text = valueOf(value, variables, to)
    const objection = objectionToHeader(name)
    if (objection === null && text !== null && isHeaderValue(text)) headers[name] = text
    else notes.note('model_list', id, `have a header ${name} that is not carried: ${reasonFor(objection, text)}`)
  }
  return headers
}

function reasonFor(objection: string | null, text: string | null): string {
  if (objection !== null) return `this gateway sends ${objection}`
  return text === null ? 'its value is not here' : 'its value cannot stand in a header'
}

function valueOf(value: unknown, variables: NamedVariables, to: string): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  if (placeholderIn(trimmed) !== null) return null
  return isNamed(trimmed) ? variables.resolve(trimmed, to) : trimmed
}
