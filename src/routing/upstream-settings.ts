import { BOUNDS } from '../core/bounds.ts'
import { isSecretLine } from '../core/credential-secret.ts'
import {
  isBuiltIn,
  type UpstreamProtocol,
  upstreamProtocolFacts,
  UPSTREAM_PROTOCOLS,
} from '../core/upstream-protocol.ts'
import { UPSTREAM_DIALECT_NAMES, upstreamDialectFacts } from '../core/upstream-dialect.ts'
import { WIRES } from '../core/wire.ts'
import type { Upstream } from './catalog.ts'
import { cloudBaseUrl } from './cloud-base-url.ts'

/**
 * What an upstream may be configured with, wherever it is written (the declarative file, the console). Phrases
 * end sentences by `mustBe`.
 */

/** Where an upstream answers: an http(s) URL, kept without its trailing slash; null for anything else. */
export function readBaseUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isBare && !/[?#]/.test(text) ? url.origin + url.pathname.replace(/\/+$/, '') : null
}

/** The base URL with its version, where the protocol has one and people leave it out; a cloud's, as the cloud has it. */
export function baseUrlOf({ protocol, baseUrl, passage }: Pick<Upstream, 'protocol' | 'baseUrl' | 'passage'>): string {
  const { version } = upstreamProtocolFacts(protocol)
  const { dialect, apiVersion = null } = passage ?? {}
  if (dialect !== undefined) return cloudBaseUrl(dialect, { protocol, baseUrl, apiVersion })
  return version === null || version.ending.test(baseUrl) ? baseUrl : baseUrl + version.path
}

/** Whether two states of an upstream are asked in the same protocol, at the same address, through the same proxy or none. */
export function isReachedAlike(one: Upstream, other: Upstream): boolean {
  return (
    one.protocol === other.protocol &&
    one.baseUrl === other.baseUrl &&
    one.passage?.sealedProxyUrl === other.passage?.sealedProxyUrl &&
    one.passage?.dialect === other.passage?.dialect &&
    one.passage?.region === other.passage?.region &&
    one.passage?.apiVersion === other.passage?.apiVersion
  )
}

/** What is wrong with the dialect of an upstream and what is set for it, and with which field; null: nothing. */
export function objectionToDialect({ protocol, passage }: Pick<Upstream, 'protocol' | 'passage'>): {
  readonly field: 'dialect' | 'region' | 'api_version'
  readonly takes: string
} | null {
  const { dialect, region, apiVersion } = passage ?? {}
  const { protocols, settings } = dialect === undefined ? NO_DIALECT : upstreamDialectFacts(dialect)
  if (dialect === undefined && upstreamProtocolFacts(protocol).needsDialect === true) {
    const speaking = UPSTREAM_DIALECT_NAMES.filter((name) => upstreamDialectFacts(name).protocols.includes(protocol))
    return {
      field: 'dialect',
      takes: `must be ${speaking.join(' or ')}: the protocol ${protocol} is not spoken elsewhere`,
    }
  }
  if (dialect !== undefined && !protocols.includes(protocol)) {
    return { field: 'dialect', takes: `must have one of these protocols beside it: ${protocols.join(', ')}` }
  }
  if (region !== undefined && !settings.includes('region')) {
    return { field: 'region', takes: 'must be left out: only the dialect bedrock asks for it' }
  }
  if (apiVersion !== undefined && !settings.includes('api_version')) {
    return { field: 'api_version', takes: 'must be left out: only the dialect azure asks for it' }
  }
  return null
}

const NO_DIALECT: Pick<ReturnType<typeof upstreamDialectFacts>, 'settings'> & {
  readonly protocols: readonly UpstreamProtocol[]
} = { protocols: [], settings: [] }

export const BASE_URL_FORM =
  'an http or https URL without user name, query or fragment, such as https://api.example.com/v1'

/** What has to change about a base URL for this protocol, or null. */
export function objectionToBaseUrl(protocol: UpstreamProtocol, url: string | null): string | null {
  if (url === null) {
    return isBuiltIn(protocol) ? null : 'the URL of the upstream, such as https://api.example.com/v1'
  }
  if (isBuiltIn(protocol)) return 'must be left out: the demo upstream is built in'
  const endpoint = ENDPOINTS.find((path) => url.endsWith(path))
  return endpoint === undefined ? null : `the base URL alone: leave ${endpoint} out, the gateway appends it`
}

/** What the gateway appends to a base URL, the longest first. */
const ENDPOINTS = Object.values(WIRES)
  .flatMap(({ paths }) => Object.values<string>(paths))
  .sort((a, b) => b.length - a.length)

/** A credential is sent in a header, so it has to fit into one. */
export const isCredential = isSecretLine

export { CREDENTIAL_FORM } from '../core/credential-secret.ts'

export function isHeaderValue(text: string): boolean {
  return text.length <= BOUNDS.upstream.header_value.most && /^[\x20-\x7e]*$/.test(text)
}

export const HEADER_VALUE_FORM = 'a header value of printable ASCII characters'

/** Through which an upstream is reached: kept as it is written, login included; null for anything else. */
export function readProxyUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^(?:https?|socks5):$/.test(url.protocol) || url.hostname === '') return null
  if (text.length > BOUNDS.upstream.proxy_url.most || !/^[\x21-\x7e]+$/.test(text)) return null
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' ? url.href : null
}

export const PROXY_URL_FORM =
  'the URL of a proxy, such as http://proxy.example.com:3128 or socks5://user:password@10.0.0.7:1080'

/** What is wrong with headers that are left out or renamed, all in lower case; null: nothing. */
export function objectionToChangedHeaders(
  removed: readonly string[],
  renamed: Readonly<Record<string, string>>,
): { readonly field: 'remove_headers' | 'rename_headers'; readonly takes: string } | null {
  for (const name of removed) {
    const takes = objectionToHeader(name)
    if (takes !== null) return { field: 'remove_headers', takes }
  }
  for (const [from, to] of Object.entries(renamed)) {
    const takes = objectionToHeader(from) ?? objectionToHeader(to)
    if (takes !== null) return { field: 'rename_headers', takes }
    if (removed.includes(from)) return { field: 'rename_headers', takes: 'must not name a header that is left out' }
  }
  const after = Object.values(renamed)
  if (new Set(after).size < after.length) return { field: 'rename_headers', takes: 'must have each new name once' }
  return null
}

/** `name`: in lower case. Why it may not be sent with every request; null: it may. */
export function objectionToHeader(name: string): string | null {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return 'must be named with letters, digits and "-"'
  const { most } = BOUNDS.upstream.header_name
  if (name.length > most) return `must have a name of at most ${most} characters`
  if (CREDENTIAL_HEADERS.includes(name)) return 'must not be a credential: that belongs in the field credential'
  if (ENCODING_HEADERS.includes(name)) return 'must not ask for compression: compressed answers are not read'
  return CONNECTION_HEADERS.includes(name) ? 'must not concern the connection: the gateway sets such headers' : null
}

const CREDENTIAL_HEADERS: readonly string[] = [
  ...Object.values(UPSTREAM_PROTOCOLS).map(({ credential }) => credential.header),
  'api-key',
  'proxy-authorization',
  'cookie',
]
const ENCODING_HEADERS = ['accept-encoding', 'content-encoding']
const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
