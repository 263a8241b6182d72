import { azureAddress, azureProtocol, foundryAnthropicBase, hasResponses, V1_NAMES } from '../cloud-addresses.ts'
import { readBaseUrl } from '../../routing/upstream-settings.ts'
import { type CloudCredential, type CloudParams, type CloudPlace, LACKS_SECRET } from './cloud-params.ts'
import type { NamedProvider } from './provider-table.ts'

/** Facts of `litellm/llms/azure/common_utils.py` and `llms/azure_ai/` of LiteLLM 1.109.1. */

/** The version that LiteLLM asks for where none is written. */
const STANDARD_VERSION = '2025-02-01-preview'
/** Names that stand before a deployment's, and say which parameters it takes. */
const SERIES = /^(?:o_series|gpt5_series|gpt4_series|model[_-]router)\//

/** Where a deployment of Azure OpenAI or Microsoft Foundry is asked. A sentence: why it is not carried. */
export function azurePlace(params: CloudParams, named: NamedProvider): CloudPlace | string {
  const isFoundry = named.name === 'azure_ai'
  const model = named.model.replace(SERIES, '')
  if (/^(?:agents|doc-intelligence)\//.test(model)) return 'are agents or readers of documents in Foundry: not carried'
  const address = params.textOr(
    ['api_base', 'base_url'],
    [isFoundry ? 'AZURE_AI_API_BASE' : 'AZURE_API_BASE'],
    `the address of ${named.name}`,
  )
  if (address === null) return 'name no api_base that can be used: set them up by hand'
  const apiVersion = versionIn(params)
  const place = isFoundry
    ? foundryPlace(address, { model, apiVersion })
    : azureOpenAiPlace(address, { apiVersion, named, model })
  if (place === null) return 'name no api_base that can be used: set them up by hand'
  const to = URL.parse(place.baseUrl)?.host ?? 'Azure'
  return { ...place, credential: credentialOf(params, { isFoundry, to }) }
}

type Place = Omit<CloudPlace, 'credential'>

function azureOpenAiPlace(
  address: string,
  {
    apiVersion: written,
    named,
    model,
  }: { readonly apiVersion: string | null; readonly named: NamedProvider; readonly model: string },
): Place | null {
  const isWritten = /[?&]api-version=|\/openai\/v1/.test(address)
  const standard = isWritten ? null : STANDARD_VERSION
  const { baseUrl, apiVersion, deployment } = azureAddress(address, written ?? standard)
  if (baseUrl === null || readBaseUrl(baseUrl) === null) return null
  const asksResponses = named.way === 'responses'
  const isOld = asksResponses && !hasResponses(apiVersion)
  return {
    protocol: azureProtocol(isOld ? null : apiVersion),
    baseUrl: isOld ? `${baseUrl}/v1` : baseUrl,
    dialect: 'azure',
    ...(apiVersion === null || isOld ? {} : { apiVersion }),
    model: deployment ?? model,
    notes: isOld
      ? [`ask for Responses at a version (${apiVersion}) that has none: they are asked at /openai/v1 here`]
      : [],
  }
}

function versionIn(params: CloudParams): string | null {
  const written = params.textOr(['api_version'], ['AZURE_API_VERSION'], 'the version of Azure’s API')
  return written?.replace(/^api-version=/, '') ?? null
}

/** Hosts of Foundry and Azure OpenAI, which take a key in the header `api-key` and have the API without versions. */
const RESOURCE_HOST = /\.(?:services\.ai|openai|cognitiveservices)\.azure\.(?:com|us|cn)$/

function foundryPlace(
  address: string,
  { model, apiVersion }: { readonly model: string; readonly apiVersion: string | null },
): Place | null {
  if (/^claude/i.test(model)) {
    const baseUrl = foundryAnthropicBase(address)
    return baseUrl === null ? null : { protocol: 'anthropic', baseUrl, dialect: 'azure', model, notes: [] }
  }
  const url = URL.parse(address)
  if (url === null) return null
  if (RESOURCE_HOST.test(url.hostname)) {
    const version = url.pathname.includes('/openai') ? null : (url.searchParams.get('api-version') ?? apiVersion)
    const isV1 = version === null || V1_NAMES.has(version)
    return {
      protocol: isV1 && /^(?:gpt-|o\d)/.test(model) ? 'openai' : 'openai-chat',
      baseUrl: `${url.origin}/${isV1 ? 'openai/v1' : 'models'}`,
      dialect: 'azure',
      ...(isV1 ? {} : { apiVersion: version }),
      model,
      notes: [],
    }
  }
  // Endpoints of one model each, which speak as OpenAI does and take their key as it does.
  const baseUrl = readBaseUrl((url.origin + url.pathname).replace(/\/chat\/completions\/?$/, ''))
  return baseUrl === null ? null : { protocol: 'openai-chat', baseUrl, model, notes: [] }
}

/** An API key counts before what signs in at Microsoft Entra ID. */
function credentialOf(
  params: CloudParams,
  { isFoundry, to }: { readonly isFoundry: boolean; readonly to: string },
): CloudCredential {
  const keys = isFoundry ? ['AZURE_AI_API_KEY'] : ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY']
  if (params.has('api_key')) return ofKey(params.secret('api_key', [], to))
  const app = appOf(params)
  if (app !== null) return app
  if (params.has('azure_username')) return { lacks: BY_PASSWORD }
  if (params.has('azure_ad_token')) return { lacks: BY_TOKEN }
  const key = params.secret('api_key', keys, to)
  if (key !== null) return ofKey(key)
  if (params.value('enable_azure_ad_token_refresh') === true)
    return { secret: '', kind: 'azure', settings: { source: 'managed_identity' } }
  return { lacks: LACKS_SECRET }
}

const BY_PASSWORD = 'sign in with a person’s password, which is not carried: set a credential of the kind azure here'
const BY_TOKEN =
  'have an azure_ad_token, which ends and is not renewed, or is exchanged for one: set a credential of the kind azure here'

function ofKey(key: string | null | false): CloudCredential {
  return typeof key === 'string' ? { secret: key } : { lacks: LACKS_SECRET }
}

/** An application that signs in at Microsoft Entra ID with a secret. */
function appOf(params: CloudParams): CloudCredential | null {
  const tenant = params.textOr(['tenant_id'], ['AZURE_TENANT_ID'], 'the tenant at Microsoft Entra ID')
  const client = params.textOr(['client_id'], ['AZURE_CLIENT_ID'], 'the application at Microsoft Entra ID')
  const secret = params.secret('client_secret', ['AZURE_CLIENT_SECRET'], 'Microsoft Entra ID')
  const isWritten = ['tenant_id', 'client_id', 'client_secret'].every((name) => params.has(name))
  if (tenant === null || client === null || typeof secret !== 'string')
    return isWritten ? { lacks: LACKS_SECRET } : null
  return { secret, kind: 'azure', settings: { source: 'client_secret', tenant_id: tenant, client_id: client } }
}
