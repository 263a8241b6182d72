import type { UpstreamProtocol } from '../../../core/upstream-protocol.ts'
import type { DialectUpstream } from '../dialect.ts'

/** How a request to an upstream's base URL goes out. */
export interface Endpoint {
  /** `invoke`: as an invocation of a model; else as it is, below this prefix. */
  readonly kind: 'invoke' | 'below'
  readonly prefix: string
}

/** The makers of the protocols that Bedrock serves; any other has paths of its own from the start. */
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
  const rows = ENDPOINTS[errorFormOf(protocol)]
  const named = rows.named.find(({ ending }) => ending.test(pathname))
  if (named !== undefined) return { kind: 'below', prefix: named.prefix }
  return hostname.includes('bedrock-mantle') ? { kind: 'below', prefix: rows.mantle } : rows.runtime
}

interface EndpointRows {
  /** What a base URL may end in, and what is appended to it then. */
  readonly named: readonly { readonly ending: RegExp; readonly prefix: string }[]
  readonly runtime: Endpoint
  readonly mantle: string
}

const ENDPOINTS: Readonly<Record<ReturnType<typeof errorFormOf>, EndpointRows>> = {
  anthropic: {
    named: [
      { ending: /\/anthropic\/v1\/?$/, prefix: '' },
      { ending: /\/anthropic\/?$/, prefix: '/v1' },
    ],
    runtime: { kind: 'invoke', prefix: '' },
    mantle: '/anthropic/v1',
  },
  openai: {
    named: [
      { ending: /\/v1\/?$/, prefix: '' },
      { ending: /\/openai\/?$/, prefix: '/v1' },
    ],
    runtime: { kind: 'below', prefix: '/openai/v1' },
    mantle: '/v1',
  },
  converse: { named: [], runtime: { kind: 'below', prefix: '' }, mantle: '' },
}

/** The kind of the errors of a protocol, as its own provider writes them. */
export function errorFormOf(protocol: UpstreamProtocol): 'anthropic' | 'openai' | 'converse' {
  return KINDS[protocol] ?? 'converse'
}
