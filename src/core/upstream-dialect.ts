import type { CredentialKind } from './credential-kind.ts'
import { type UpstreamProtocol, upstreamProtocolFacts } from './upstream-protocol.ts'

/** What is known of a cloud that serves the protocols of others in a way of its own. */
interface UpstreamDialectFacts {
  /** The protocols that it may be combined with, the likeliest first. */
  readonly protocols: readonly [UpstreamProtocol, ...UpstreamProtocol[]]
  /** The kinds of credentials that it takes, the likeliest first. */
  readonly credentialKinds: readonly [CredentialKind, ...CredentialKind[]]
  /** The header of a static secret; null: the one of the protocol. */
  readonly credential: { readonly header: string; readonly prefix: string } | null
  /** Protocols whose own header it takes a static secret in instead. */
  readonly ownCredentialOf?: readonly UpstreamProtocol[]
  /** A base URL as its console shows it, for messages. */
  readonly example: string
  /** The settings of an upstream that it reads beside the base URL. */
  readonly settings: readonly ('region' | 'api_version')[]
}

/**
 * The clouds that models are bought from: how an upstream of some protocol is addressed and authenticated there. One row each,
 * and the only list of them; what becomes of requests and answers stands in `upstreams/dialects/<name>/`.
 */
export const UPSTREAM_DIALECTS = {
  azure: {
    protocols: ['openai', 'openai-chat', 'anthropic'],
    credentialKinds: ['static', 'azure'],
    credential: { header: 'api-key', prefix: '' },
    // As Anthropic's SDK for Foundry sends it; both are taken (Anthropic's documentation, "Claude in Microsoft Foundry").
    ownCredentialOf: ['anthropic'],
    example: 'https://my-resource.openai.azure.com/openai/v1',
    settings: ['api_version'],
  },
  bedrock: {
    protocols: ['anthropic', 'converse', 'openai-chat', 'openai'],
    credentialKinds: ['aws', 'static'],
    credential: { header: 'authorization', prefix: 'Bearer ' },
    example: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    settings: ['region'],
  },
  vertex: {
    protocols: ['gemini', 'anthropic', 'openai-chat'],
    credentialKinds: ['gcp', 'static'],
    credential: { header: 'x-goog-api-key', prefix: '' },
    example: 'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global',
    settings: [],
  },
} as const satisfies Record<string, UpstreamDialectFacts>

export type UpstreamDialect = keyof typeof UPSTREAM_DIALECTS

export const UPSTREAM_DIALECT_NAMES = Object.keys(UPSTREAM_DIALECTS) as readonly UpstreamDialect[] as readonly [
  UpstreamDialect,
  ...UpstreamDialect[],
]

/** The facts of one dialect, by their common type. */
export function upstreamDialectFacts(dialect: UpstreamDialect): UpstreamDialectFacts {
  return UPSTREAM_DIALECTS[dialect]
}

/** Where an upstream takes a static secret. `dialect` null: it is none of the clouds. */
export function credentialPlace(
  protocol: UpstreamProtocol,
  dialect: UpstreamDialect | null,
): { readonly header: string; readonly prefix: string } {
  const own = upstreamProtocolFacts(protocol).credential
  if (dialect === null) return own
  const { credential, ownCredentialOf } = upstreamDialectFacts(dialect)
  return credential === null || ownCredentialOf?.includes(protocol) === true ? own : credential
}
