/** What several workloads have in common. */
import { ANSWERS, gatewayModel } from '../gateway-models.ts'

const MANY = 100
export const BESIDE_NGINX = ['nginx', 'gateway'] as const

export const WHOLE = {
  wire: 'chat',
  stream: false,
  isStamped: false,
  mostTurns: MANY,
  upstreamModel: ANSWERS.fixed,
  gatewayModel: gatewayModel('openai', 'fixed'),
} as const

export const FAST_STREAM = {
  stream: true,
  isStamped: false,
  bodyBytes: 1_024,
  connections: 16,
  requestsPerSecond: null,
  mostTurns: MANY,
  upstreamModel: ANSWERS.stream,
} as const

export const PACED_STREAM = {
  wire: 'chat',
  stream: true,
  isStamped: true,
  bodyBytes: 1_024,
  connections: 256,
  // A rate, so that the streams are spread over the 50 ms and don't write all at once.
  requestsPerSecond: 40,
  mostTurns: 3,
  upstreamModel: ANSWERS.paced,
  gatewayModel: gatewayModel('openai', 'paced'),
} as const

export const SMALL_SHAPE = { bodyBytes: 1_024, connections: 32, requestsPerSecond: null } as const
export const LARGE_SHAPE = { bodyBytes: 204_800, connections: 10, requestsPerSecond: null } as const

/** The usual case: warm code on a core of its own, and nothing to translate. */
export const STEADY = { translatedModel: null, cores: 'one', spell: { kind: 'steady' } } as const
