import type { UpstreamProtocol } from '../../../core/upstream-protocol.ts'
import type { DialectUpstream } from '../dialect.ts'

/** How a request to an upstream's base URL goes out. */
export interface Endpoint {
  /** `invoke`: as an invocation of a model; else as it is, below this prefix. */
  readonly kind: 'invoke' | 'below'
  readonly prefix: string
}

/** Whose words the protocols are in that Bedrock serves; any other has paths of its own from the start. */
const KINDS: Partial<Record<UpstreamProtocol, 'anthropic' | 'openai'>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  'openai-chat': 'openai',
}

/**
 * What each of Bedrock's hosts has. OpenAI's two chat APIs: below `/openai/v1` on bedrock-runtime, and `/v1` (for some models
 * `/openai/v1`) on bedrock-mantle. Anthropic's: as invocations on bedrock-runtime, and as they are below `/anthropic/v1` on either.
 * A base URL that names one of these paths already is taken at its word.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html
 */
export function endpointOf({ protocol, baseUrl }: Pick<DialectUpstream, 'protocol' | 'baseUrl'>): Endpoint {
  const { hostname, pathname } = new URL(baseUrl)
  const isMantle = hostname.includes('bedrock-mantle')
  const kind = KINDS[protocol]
  if (kind === undefined) return { kind: 'below', prefix: '' }
  if (kind === 'openai') {
    if (/\/v1\/?$/.test(pathname)) return { kind: 'below', prefix: '' }
    if (/\/openai\/?$/.test(pathname)) return { kind: 'below', prefix: '/v1' }
    return { kind: 'below', prefix: isMantle ? '/v1' : '/openai/v1' }
  }
  if (/\/anthropic\/v1\/?$/.test(pathname)) return { kind: 'below', prefix: '' }
  if (/\/anthropic\/?$/.test(pathname)) return { kind: 'below', prefix: '/v1' }
  return isMantle ? { kind: 'below', prefix: '/anthropic/v1' } : { kind: 'invoke', prefix: '' }
}

/** The kind of the errors of a protocol, as its own provider writes them. */
export function errorFormOf(protocol: UpstreamProtocol): 'anthropic' | 'openai' | 'converse' {
  return KINDS[protocol] ?? 'converse'
}
