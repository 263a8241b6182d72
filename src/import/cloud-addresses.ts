import type { RemoteProtocol } from '../core/upstream-protocol.ts'
import { entriesOf, jsonOf } from './source.ts'

/** Base URLs of clouds, as upstreams of their dialects have them, and what is known of models by their names there. */

/** Names of versions that stand for Azure's API without versions. */
export const V1_NAMES: ReadonlySet<string> = new Set(['v1', 'latest', 'preview'])

export interface AzureAddress {
  /** null: it cannot be read as a URL. */
  readonly baseUrl: string | null
  /** null: the API without versions. */
  readonly apiVersion: string | null
  /** The deployment that the address names; null: none. */
  readonly deployment: string | null
}

/**
 * The address of an Azure OpenAI resource, or of what stands before one, from what people write: with a deployment's path and
 * a query, or without.
 */
export function azureAddress(written: string, version: string | null): AzureAddress {
  const url = URL.parse(written.trim())
  if (url === null || url.username !== '' || url.password !== '')
    return { baseUrl: null, apiVersion: null, deployment: null }
  const apiVersion = version ?? url.searchParams.get('api-version')
  const path = url.pathname.replace(/\/{1,10}$/, '')
  const at = path.indexOf('/openai')
  const root = url.origin + (at < 0 ? path : path.slice(0, at))
  const [, deployment = null] = /\/openai\/deployments\/([^/]{1,200})/.exec(path) ?? []
  const isV1 = deployment === null && (path.includes('/openai/v1') || apiVersion === null || V1_NAMES.has(apiVersion))
  return isV1
    ? { baseUrl: `${root}/openai/v1`, apiVersion: null, deployment }
    : { baseUrl: `${root}/openai`, apiVersion: apiVersion ?? AZURE_VERSION, deployment }
}

/** The last version of Azure's API with versions that all deployments take: the one of general availability. */
const AZURE_VERSION = '2024-10-21'

/** What is served at a version of Azure's API; null: at the one without versions. */
export function azureProtocol(apiVersion: string | null): RemoteProtocol {
  return hasResponses(apiVersion) ? 'openai' : 'openai-chat'
}

/** Whether a version of Azure's API has Responses, which came with 2025-03-01-preview. */
export function hasResponses(apiVersion: string | null): boolean {
  return apiVersion === null || apiVersion >= '2025-03-01'
}

/** Where Claude is asked in Microsoft Foundry. */
export function foundryAnthropicBase(written: string): string | null {
  const url = URL.parse(written.trim())
  if (url === null || url.username !== '' || url.password !== '') return null
  return `${url.origin + url.pathname.replace(/\/anthropic(?:\/.{0,200})?$/, '').replace(/\/{1,10}$/, '')}/anthropic/v1`
}

export const AWS_REGION = /^[a-z]{2,3}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/

export function bedrockBase(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** How Bedrock is asked for a model. null: in a form that this gateway does not speak. */
export function bedrockProtocol(model: string): RemoteProtocol | null {
  if (/anthropic[./]|claude/.test(model)) return 'anthropic'
  if (NOT_CHATTING.test(model)) return null
  // Newer models of these makers are asked for chat completions at bedrock-runtime.
  if (/(?:^|\.)(?:openai\.gpt-(?!oss)|xai\.)/.test(model)) return 'openai-chat'
  return 'converse'
}

const NOT_CHATTING = /embed|rerank|stability\.|canvas|nova-reel|sonic|titan-image|marengo|pegasus/

/** Locations of Vertex AI: `global`, regions, and the multi-regions `us` and `eu`. */
const VERTEX_LOCATION = /^[a-z]{2,20}(?:-[a-z]{2,20}\d{1,2})?$/
const PROJECT = /^[a-z][a-z0-9:.-]{2,99}$|^\d{4,20}$/

/** null: no project or location can have these names. */
export function vertexBase(project: string, location: string): string | null {
  if (!PROJECT.test(project) || !VERTEX_LOCATION.test(location)) return null
  return `https://${vertexHost(location)}/v1/projects/${project}/locations/${location}`
}

function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com'
  return location.includes('-') ? `${location}-aiplatform.googleapis.com` : `aiplatform.${location}.rep.googleapis.com`
}

/** How Vertex AI is asked for a model. null: in a form that this gateway does not speak. */
export function vertexProtocol(model: string): RemoteProtocol | null {
  if (model.startsWith('claude')) return 'anthropic'
  if (model.startsWith('gemini') && !model.includes('embedding')) return 'gemini'
  // The makers of models that are sold as a service, which stand before the slash, and the ending that these have.
  return /^[a-z][a-z-]{1,30}\/|-maas$/.test(model) && !model.includes('/endpoints/') ? 'openai-chat' : null
}

/** A key file of Google's, by what it says that it is. */
export interface GoogleKeyFile {
  /** The setting `source` of a credential; null: another kind of sign-in, which is a person's. */
  readonly source: 'service_account' | 'workload_identity' | null
  /** The file on one line. */
  readonly secret: string
  readonly project: string | null
}

const SOURCES: Readonly<Record<string, GoogleKeyFile['source']>> = {
  service_account: 'service_account',
  external_account: 'workload_identity',
}

/** null: it is none. */
export function googleKeyFile(written: unknown): GoogleKeyFile | null {
  const value = typeof written === 'string' ? jsonOf(written) : written
  const fields = new Map(entriesOf(value))
  const type = fields.get('type')
  if (typeof type !== 'string') return null
  const project = fields.get('project_id') ?? fields.get('quota_project_id')
  return {
    source: (Object.hasOwn(SOURCES, type) ? SOURCES[type] : undefined) ?? null,
    secret: JSON.stringify(value),
    project: typeof project === 'string' && project !== '' ? project : null,
  }
}
