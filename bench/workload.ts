/** The work that every subject is given. */
import { ANSWERS, gatewayModel, type UpstreamProtocol } from './gateway-models.ts'
import type { Expectation, LoadJob } from './load/job.ts'
import { type ClientWire, writeBody } from './request-body.ts'
import type { SubjectName, Target } from './subjects/target.ts'

export interface Workload {
  readonly name: WorkloadName
  /** What it is, for people. */
  readonly title: string
  /** What is compared in it, in the order in which they take turns. The last is the one that has to be fast. */
  readonly subjects: readonly SubjectName[]
  readonly wire: ClientWire
  readonly stream: boolean
  readonly bodyBytes: number
  readonly connections: number
  /** Null: each connection sends its next request when it has its answer. */
  readonly requestsPerSecond: number | null
  /** Turns of something slow are few, of everything else as many as the run wants. */
  readonly mostTurns: number
  /** Model names that choose the same answer: at the fake upstream and nginx, and at the gateway. */
  readonly upstreamModel: string
  readonly gatewayModel: string
  /** The gateway's model that has it from an upstream of another wire; null: nothing is translated here. */
  readonly translatedModel: string | null
}

export type WorkloadName = 'plain' | 'stream' | 'paced' | 'large' | 'latency' | TranslatedName

type TranslatedName =
  | 'translated-stream'
  | 'translated-gemini'
  | 'translated-responses'
  | 'translated-messages'
  | 'translated-paced'
  | 'translated-plain'
  | 'translated-large'

const PATHS: Record<ClientWire, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

const MANY = 100
/** The gateway beside nginx, which does nothing but pass on. */
const BESIDE_NGINX = ['nginx', 'gateway'] as const
/** The gateway beside itself. */
const BESIDE_PASSING = ['gateway', 'translating'] as const

const WHOLE = {
  wire: 'chat',
  stream: false,
  mostTurns: MANY,
  upstreamModel: ANSWERS.fixed,
  gatewayModel: gatewayModel('openai', 'fixed'),
} as const

const FAST_STREAM = {
  stream: true,
  bodyBytes: 1_024,
  connections: 16,
  requestsPerSecond: null,
  mostTurns: MANY,
  upstreamModel: ANSWERS.stream,
} as const

const PACED_STREAM = {
  wire: 'chat',
  stream: true,
  bodyBytes: 1_024,
  connections: 256,
  // A rate, so that the streams are spread over the 20 ms and don't write all at once.
  requestsPerSecond: 80,
  mostTurns: 3,
  upstreamModel: ANSWERS.paced,
  gatewayModel: gatewayModel('openai', 'paced'),
} as const

const SMALL_SHAPE = { bodyBytes: 1_024, connections: 32, requestsPerSecond: null } as const
const LARGE_SHAPE = { bodyBytes: 204_800, connections: 10, requestsPerSecond: null } as const

/** A client's wire as it passes through, and what the upstream speaks in the model beside it. */
function fastStream(
  name: TranslatedName,
  wire: ClientWire,
  [own, other]: readonly [UpstreamProtocol, UpstreamProtocol],
) {
  return {
    name,
    title: `streams of 100 chunks as fast as they go, a ${wire} client on ${own} (passed through) and on ${other} (translated)`,
    subjects: BESIDE_PASSING,
    wire,
    ...FAST_STREAM,
    gatewayModel: gatewayModel(own, 'stream'),
    translatedModel: gatewayModel(other, 'stream'),
  }
}

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  plain: {
    name: 'plain',
    title: '1 KB chat, not streamed, 32 connections, closed loop',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...SMALL_SHAPE,
    translatedModel: null,
  },
  stream: {
    name: 'stream',
    title: 'streams of 100 chunks as fast as they go, 16 connections, closed loop',
    subjects: BESIDE_NGINX,
    wire: 'chat',
    ...FAST_STREAM,
    gatewayModel: gatewayModel('openai', 'stream'),
    translatedModel: null,
  },
  paced: {
    name: 'paced',
    title: 'streams of 100 chunks, one every 20 ms, 80 streams a second offered (about 170 at once)',
    subjects: BESIDE_NGINX,
    ...PACED_STREAM,
    translatedModel: null,
  },
  large: {
    name: 'large',
    title: '200 KB coding-agent prompt, not streamed, 10 connections, closed loop',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...LARGE_SHAPE,
    translatedModel: null,
  },
  latency: {
    name: 'latency',
    title: '1 KB chat, not streamed, 10 connections, 500 requests a second offered',
    subjects: ['direct', ...BESIDE_NGINX],
    ...WHOLE,
    bodyBytes: 1_024,
    connections: 10,
    requestsPerSecond: 500,
    translatedModel: null,
  },
  'translated-stream': fastStream('translated-stream', 'chat', ['openai', 'anthropic']),
  'translated-gemini': fastStream('translated-gemini', 'chat', ['openai', 'gemini']),
  'translated-responses': fastStream('translated-responses', 'responses', ['openai', 'anthropic']),
  'translated-messages': fastStream('translated-messages', 'messages', ['anthropic', 'openai']),
  'translated-paced': {
    name: 'translated-paced',
    title: 'chat streams of 100 chunks, one every 20 ms, 80 a second offered, passed through and from messages',
    subjects: BESIDE_PASSING,
    ...PACED_STREAM,
    translatedModel: gatewayModel('anthropic', 'paced'),
  },
  'translated-plain': {
    name: 'translated-plain',
    title: '1 KB chat, not streamed, passed through and to messages, 32 connections, closed loop',
    subjects: BESIDE_PASSING,
    ...WHOLE,
    ...SMALL_SHAPE,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
  'translated-large': {
    name: 'translated-large',
    title: '200 KB coding-agent prompt, not streamed, passed through and to messages, 10 connections, closed loop',
    subjects: BESIDE_PASSING,
    ...WHOLE,
    ...LARGE_SHAPE,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
}

const MOST_REQUESTS = 1_000_000

/** One round of the workload against one target. */
export function jobOf(workload: Workload, target: Target, round: { durationMs: number; expect: Expectation }): LoadJob {
  const { wire, stream, bodyBytes } = workload
  return {
    port: target.port,
    path: PATHS[wire],
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: target.authorization },
    body: writeBody({ wire, model: target.model, stream, bytes: bodyBytes }),
    connections: workload.connections,
    durationMs: round.durationMs,
    maxRequests: MOST_REQUESTS,
    requestsPerSecond: workload.requestsPerSecond,
    expect: round.expect,
  }
}
