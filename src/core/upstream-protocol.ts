import { CHAT_WIRES, type ClientWire, type HubWire, isClientWire, PLAIN_WIRES, type Wire } from './wire.ts'

/** What is known of a protocol that an upstream is configured with. */
interface UpstreamProtocolFacts {
  /** Built into the gateway: without an address or a credential. */
  readonly isBuiltIn: boolean
  /** Spoken by clouds alone, so that an upstream of it has to have a dialect. */
  readonly needsDialect?: true
  /** The wires it understands as they are. Its list of models is asked for with the headers of the first. */
  readonly wires: readonly [Wire, ...Wire[]]
  /**
   * What it is asked in when the client's wire is not its own, the best first: the next is tried when the request has
   * something that the one before cannot carry.
   */
  readonly translatedTo: readonly [HubWire, ...HubWire[]]
  /** The provider, as OpenTelemetry's GenAI conventions name the flavor (`gen_ai.provider.name`). */
  readonly provider: string
  /** Where it takes its credential. */
  readonly credential: { readonly header: string; readonly prefix: string }
  /** What a base URL ends in, and what is appended where it does not; null: it is taken as it is written. */
  readonly version: { readonly ending: RegExp; readonly path: string } | null
}

const BEARER = { header: 'authorization', prefix: 'Bearer ' } as const

/** The protocols of upstreams: one row each, and the only list of them. */
export const UPSTREAM_PROTOCOLS = {
  openai: {
    isBuiltIn: false,
    provider: 'openai',
    wires: ['openai-chat', 'openai-responses', ...PLAIN_WIRES],
    // Responses hand reasoning back, which chat completions do not.
    translatedTo: ['openai-responses', 'openai-chat'],
    credential: BEARER,
    version: null,
  },
  'openai-chat': {
    isBuiltIn: false,
    provider: 'openai',
    wires: ['openai-chat', ...PLAIN_WIRES],
    translatedTo: ['openai-chat'],
    credential: BEARER,
    version: null,
  },
  anthropic: {
    isBuiltIn: false,
    provider: 'anthropic',
    wires: ['anthropic-messages'],
    translatedTo: ['anthropic-messages'],
    credential: { header: 'x-api-key', prefix: '' },
    // Anthropic's base URL goes without its version by custom, and so does Google's; people write them both ways.
    version: { ending: /\/v1$/, path: '/v1' },
  },
  gemini: {
    isBuiltIn: false,
    provider: 'gcp.gemini',
    wires: ['gemini'],
    translatedTo: ['gemini'],
    credential: { header: 'x-goog-api-key', prefix: '' },
    version: { ending: /\/v\d+(?:alpha|beta)?\d*$/, path: '/v1beta' },
  },
  // Only in Bedrock's dialect: what a stream is framed in, and how a request is addressed, is the dialect's.
  converse: {
    isBuiltIn: false,
    needsDialect: true,
    provider: 'aws.bedrock',
    wires: ['bedrock-converse'],
    translatedTo: ['bedrock-converse'],
    credential: BEARER,
    version: null,
  },
  demo: {
    isBuiltIn: true,
    provider: 'tollgate',
    wires: [...CHAT_WIRES, ...PLAIN_WIRES],
    translatedTo: ['openai-responses', 'openai-chat'],
    credential: BEARER,
    version: null,
  },
} as const satisfies Record<string, UpstreamProtocolFacts>

type UpstreamProtocolRows = typeof UPSTREAM_PROTOCOLS

export type UpstreamProtocol = keyof UpstreamProtocolRows
/** The protocols that a person may configure an upstream with in the console. */
export type RemoteProtocol = {
  [P in UpstreamProtocol]: UpstreamProtocolRows[P]['isBuiltIn'] extends false ? P : never
}[UpstreamProtocol]

const NAMES = Object.keys(UPSTREAM_PROTOCOLS) as readonly UpstreamProtocol[]

export const UPSTREAM_PROTOCOL_NAMES = NAMES as readonly [UpstreamProtocol, ...UpstreamProtocol[]]
export const REMOTE_PROTOCOL_NAMES = NAMES.filter(
  (name) => !UPSTREAM_PROTOCOLS[name].isBuiltIn,
) as readonly RemoteProtocol[] as readonly [RemoteProtocol, ...RemoteProtocol[]]

/** The facts of one protocol, by their common type. */
export function upstreamProtocolFacts(protocol: UpstreamProtocol): UpstreamProtocolFacts {
  return UPSTREAM_PROTOCOLS[protocol]
}

/** The wire of clients that an upstream of this protocol is tried with: its own where clients speak it. */
export function trialWireOf(protocol: UpstreamProtocol): ClientWire {
  return upstreamProtocolFacts(protocol).wires.find(isClientWire) ?? CHAT_WIRES[0]
}

/** Whether an upstream of this protocol has neither address nor credential. */
export function isBuiltIn(protocol: UpstreamProtocol): protocol is Exclude<UpstreamProtocol, RemoteProtocol> {
  return UPSTREAM_PROTOCOLS[protocol].isBuiltIn
}
