import type { UpstreamDialect } from '../core/upstream-dialect.ts'
import { type UpstreamProtocol, upstreamProtocolFacts } from '../core/upstream-protocol.ts'
import { familyOf, type WireFamily } from '../core/wire.ts'

interface WrittenBaseUrl {
  readonly protocol: UpstreamProtocol
  /** The URL as it is written; no slash stands at its end. */
  readonly baseUrl: string
  /** null: none is set. */
  readonly apiVersion: string | null
}

/** What requests to a cloud go below, where people write its base URL in more than one way. Left out: it is taken as it is written. */
const BASE_URLS: Readonly<Partial<Record<UpstreamDialect, (written: WrittenBaseUrl) => string>>> = {
  azure: azureBaseUrl,
  vertex: vertexBaseUrl,
}

export function cloudBaseUrl(dialect: UpstreamDialect, written: WrittenBaseUrl): string {
  return BASE_URLS[dialect]?.(written) ?? written.baseUrl
}

/** The API of a resource that serves a family of wires; `/openai` where none stands here. */
const AZURE_APIS: Readonly<Partial<Record<WireFamily, AzureApi>>> = { anthropic: '/anthropic' }

export type AzureApi = '/openai' | '/anthropic'

/** The API of an Azure resource that serves a protocol, as it begins its paths. */
export function azureApiOf(protocol: UpstreamProtocol): AzureApi {
  return AZURE_APIS[familyOf(upstreamProtocolFacts(protocol).wires[0])] ?? '/openai'
}

/**
 * Azure's older APIs have a date as their version and no version in the path; others, such as `preview`, are of the API whose
 * paths begin with `/openai/v1` (Microsoft's documentation of Azure OpenAI, "API version lifecycle"). Anthropic's has one version.
 */
export function isDatedAzureVersion(api: AzureApi, apiVersion: string | null): boolean {
  return api === '/openai' && apiVersion !== null && /^\d{4}-\d{2}-\d{2}/.test(apiVersion)
}

/**
 * A resource's pages show its host alone, its endpoint for OpenAI's SDK (`/openai/v1`), that of Azure's (`/openai`, with a version
 * beside it), that of a project (`/api/projects/…`), that of Anthropic's SDK (`/anthropic`) and the URI of one deployment. The
 * deployment is the model of each request here, so it is left out. `/models` is the inference API for models of other makers.
 */
function azureBaseUrl({ protocol, baseUrl, apiVersion }: WrittenBaseUrl): string {
  const api = azureApiOf(protocol)
  const isDated = isDatedAzureVersion(api, apiVersion)
  if (isDated && baseUrl.endsWith('/models')) return baseUrl
  const isVersioned = baseUrl.endsWith('/v1')
  const root = isVersioned ? baseUrl.slice(0, -'/v1'.length) : baseUrl.replace(/\/deployments\/[^/]+$/, '')
  const below = isVersioned || root.endsWith(api) ? root : `${root}${api}`
  return isDated ? below : `${below}/v1`
}

/** What its pages show behind the location belongs to each request; the version is left out by people who write the path by hand. */
function vertexBaseUrl({ baseUrl }: WrittenBaseUrl): string {
  return baseUrl.replace(BEHIND_LOCATION, '').replace(WITHOUT_VERSION, '$1/v1')
}

const BEHIND_LOCATION = /\/(?:publishers|endpoints)(?:\/.*)?$/
const WITHOUT_VERSION = /^(https?:\/\/[^/]+)(?=\/projects\/|$)/
