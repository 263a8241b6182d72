import type { LocalServersView } from '../../../../src/contract/local-servers.ts'
import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import type { CredentialInput, ProbeInput } from '../../../api/upstream-admin.ts'
import { azureTarget } from './azure-target.ts'
import { credentialInput } from './credential-fields.tsx'
import { suggestedName, untakenName } from './found-address.ts'
import { cloudOf, type Protocol, VENDOR_IDS, type VendorId, vendorOf } from './vendors.ts'

/** What is typed of a new upstream, by the names that the API has where it has them. */
export interface AddressForm {
  /** Empty: none is chosen. */
  readonly vendor: VendorId | ''
  readonly base_url: string
  /** The secrets, one a line; a file where the credential is one. */
  readonly credential: string
  /** Empty: the address is reached without a proxy. */
  readonly proxy_url: string
  readonly name: string
  /** The base URL of one of the vendor's sites; empty: the first. */
  readonly site: string
  /** Empty: the likeliest of the vendor. */
  readonly protocol: Protocol | ''
  /** `kind.source` of the credential; empty: the likeliest of the vendor. */
  readonly source: string
  /** What its source is set with. */
  readonly settings: Readonly<Record<string, string>>
  readonly region: string
  readonly project: string
  readonly location: string
}

export const BLANK_ADDRESS: AddressForm = {
  vendor: '',
  base_url: '',
  credential: '',
  proxy_url: '',
  name: '',
  site: '',
  protocol: '',
  source: '',
  settings: {},
  region: '',
  project: '',
  location: '',
}

/** How an upstream is reached, as the API takes it. */
interface Connection extends Omit<ProbeInput, 'credential' | 'kind' | 'settings'> {
  readonly credentials: readonly CredentialInput[]
  /** The models that the address names. */
  readonly models: readonly string[]
}

/** What was found out about an address with each of its credentials. */
export interface Found {
  readonly address: AddressForm
  readonly connection: Connection
  readonly probe: UpstreamProbeView
  /** Whether each credential after the first was accepted, in their order. */
  readonly others: readonly boolean[]
}

/** The most credentials that are tried one after the other while an admin waits. */
export const MOST_SECRETS = 50

/** The secrets that were pasted, each once. */
export function secretsIn(lines: string): readonly string[] {
  return [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}

/** Whether what is typed into the search is an address, and not the name of a vendor. */
export function isAddress(typed: string): boolean {
  return /^https?:\/\/|^[\w-]+(?:\.[\w-]+)+[:/]|^localhost[:/]/i.test(typed.trim())
}

/** How the credential is got at, as `kind.source`. */
export function sourceOf({ vendor, source }: Pick<AddressForm, 'vendor' | 'source'>): string {
  return source || (vendor === '' ? 'static.secret' : vendorOf(vendor).credentials[0])
}

/** What an upstream of this form is reached and authenticated by. */
export function connectionOf(form: AddressForm): Connection {
  const proxy = form.proxy_url.trim() || null
  return { ...addressOf(form), proxy_url: proxy, credentials: credentialsOf(form) }
}

function addressOf(form: AddressForm): Omit<Connection, 'credentials' | 'proxy_url'> {
  const typed = form.base_url.trim()
  const url = typed === '' || typed.includes('://') ? typed : `https://${typed}`
  if (form.vendor === '') return { base_url: url, protocol: null, models: [] }
  const { sites, protocols, dialect } = vendorOf(form.vendor)
  const protocol = form.protocol || protocols[0] || null
  if (dialect === null) {
    const [first] = sites
    return { base_url: form.site || first?.baseUrl || url, protocol, models: [] }
  }
  if (dialect === 'azure') {
    const target = azureTarget(typed)
    if (target === null) return { base_url: url, protocol, dialect, models: [] }
    const { baseUrl, apiVersion, deployment } = target
    return {
      base_url: baseUrl,
      protocol: form.protocol || target.protocol,
      dialect,
      ...(apiVersion === null ? {} : { api_version: apiVersion }),
      models: deployment === null ? [] : [deployment],
    }
  }
  if (dialect === 'bedrock') {
    const region = form.region.trim()
    return {
      base_url: url || bedrockUrl(region),
      protocol,
      dialect,
      ...(url === '' || region === '' ? {} : { region }),
      models: [],
    }
  }
  return { base_url: url || vertexUrl(projectOf(form), form.location.trim()), protocol, dialect, models: [] }
}

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
function bedrockUrl(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function vertexUrl(project: string, location: string): string {
  const at = location || 'global'
  const host =
    at === 'global'
      ? 'aiplatform.googleapis.com'
      : /^(?:us|eu)$/.test(at)
        ? `aiplatform.${at}.rep.googleapis.com`
        : `${at}-aiplatform.googleapis.com`
  return `https://${host}/v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(at)}`
}

/** The project that was typed, or that of the service account; empty: neither says one. */
export function projectOf({ project, credential }: Pick<AddressForm, 'project' | 'credential'>): string {
  if (project.trim() !== '') return project.trim()
  const said = fieldOf(jsonIn(credential), 'project_id')
  return typeof said === 'string' ? said : ''
}

/** undefined: it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function credentialsOf(form: AddressForm): readonly CredentialInput[] {
  const source = sourceOf(form)
  if (source === 'static.secret') return secretsIn(form.credential).map((secret) => ({ secret }))
  return [credentialInput({ source, settings: form.settings, secret: form.credential })]
}

/** The form of a vendor as it begins: a server on this machine has the address that it has by default. */
export function formOf(vendor: VendorId): AddressForm {
  const { group, example = '' } = vendorOf(vendor)
  return { ...BLANK_ADDRESS, vendor, base_url: group === 'local' ? example : '' }
}

/** The form of a server that answers on the gateway's machine. */
export function formOfLocal(
  { server, base_url: url }: LocalServersView['data'][number],
  taken: readonly string[],
): AddressForm {
  const vendor = VENDOR_IDS.find((id) => id === server)
  const known = vendor === undefined ? { name: untakenName(server, taken) } : {}
  return { ...BLANK_ADDRESS, vendor: vendor ?? 'other', base_url: url, ...known }
}

/** A name for the upstream: its vendor's, or that of its host; none that is taken. */
export function nameFor({ vendor, base_url: url }: AddressForm, taken: readonly string[]): string {
  return vendor === '' || vendorOf(vendor).group === 'others' ? suggestedName(url, taken) : untakenName(vendor, taken)
}

/** The form of a cloud whose address was pasted, with what the address says. */
export function formOfCloud(form: AddressForm, vendor: VendorId): AddressForm {
  const { hostname, pathname } = URL.parse(form.base_url.trim()) ?? { hostname: '', pathname: '' }
  const blank = { ...BLANK_ADDRESS, vendor, name: form.name, proxy_url: form.proxy_url, credential: form.credential }
  if (vendor === 'azure') return { ...blank, base_url: form.base_url }
  const [, region = ''] = /^bedrock[\w-]*\.([a-z0-9-]+)\.amazonaws\./.exec(hostname) ?? []
  const [, project = ''] = /\/projects\/([^/]+)/.exec(pathname) ?? []
  const [, location = ''] = /\/locations\/([^/]+)/.exec(pathname) ?? []
  return { ...blank, region, project, location }
}

/** The cloud that an address belongs to, where the form does not know it yet. */
export function unnamedCloud({ vendor, base_url: url }: AddressForm): VendorId | null {
  return vendor === '' || vendor === 'other' || vendor === 'gateway' ? cloudOf(url.trim()) : null
}
