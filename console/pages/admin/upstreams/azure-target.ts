import type { Protocol } from './vendors.ts'

/** What an address of Azure says, taken apart. */
interface AzureTarget {
  readonly baseUrl: string
  /** null: the address is one of the v1 API, which asks for none. */
  readonly apiVersion: string | null
  /** The deployment that it names; null: none. */
  readonly deployment: string | null
  readonly protocol: Extract<Protocol, 'openai' | 'openai-chat' | 'anthropic'>
}

/**
 * Takes apart what people copy from Azure's portal: the endpoint of a resource or project, the target URI of a deployment with
 * its `api-version`, or the name of the resource alone. null: it is none of them.
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 */
export function azureTarget(pasted: string): AzureTarget | null {
  const whole = withHost(pasted.trim())
  // Browsers differ in whether a host may have spaces.
  const url = /^https?:\/\/[^\s/]+(?:\/|$)/.test(whole) ? URL.parse(whole) : null
  if (url === null) return null
  const version = url.searchParams.get('api-version')
  const path = url.pathname.replace(/\/+$/, '')
  const protocol = /\/chat\/completions$/.test(path) ? 'openai-chat' : 'openai'
  const claude = path.indexOf('/anthropic')
  if (claude >= 0) {
    const baseUrl = `${url.origin}${path.slice(0, claude)}/anthropic/v1`
    return { baseUrl, apiVersion: null, deployment: null, protocol: 'anthropic' }
  }
  const [, named = null] = /\/openai\/deployments\/([^/]+)/.exec(path) ?? []
  const deployment = named === null ? null : decoded(named)
  const api = path.indexOf('/openai')
  // What stands before it belongs to a gateway in front of Azure; the paths of projects and of other APIs do not.
  const root = url.origin + (api < 0 ? '' : path.slice(0, api))
  const isOfV1 = api < 0 || path.startsWith('/openai/v1', api) || version === null
  return {
    baseUrl: `${root}/openai${isOfV1 ? '/v1' : ''}`,
    apiVersion: isOfV1 ? null : version,
    deployment,
    protocol,
  }
}

/** A resource's name becomes its host, and a host a URL. */
function withHost(pasted: string): string {
  if (/^[a-z0-9][\w-]*$/i.test(pasted)) return `https://${pasted}.openai.azure.com`
  return pasted.includes('://') ? pasted : `https://${pasted}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
