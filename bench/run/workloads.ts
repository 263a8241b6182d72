/** Every workload: the gateway beside nginx, and beside itself where it translates. */
import { ANSWERS, gatewayModel, type UpstreamProtocol } from './gateway-models.ts'
import type { Expectation, LoadJob } from './load/job.ts'
import { type ClientWire, writeBody } from './request-body.ts'

export interface Workload extends WorkloadPlan {
  readonly name: WorkloadName
}

/** The work that every subject is given. */
interface WorkloadPlan {
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
  /** Each chunk says when it left the upstream. */
  readonly isStamped: boolean
  /** Turns of something slow are few, of everything else as many as the run wants. */
  readonly mostTurns: number
  /** Model names that choose the same answer: at the fake upstream and nginx, and at the gateway. */
  readonly upstreamModel: string
  readonly gatewayModel: string
  /** The gateway's model that has it from an upstream of another wire; null: nothing is translated here. */
  readonly translatedModel: string | null
  /** `one`: the subject has a core to itself, and what drives it has another. `all`: each may use every core. */
  readonly cores: 'one' | 'all'
  readonly spell: Spell
}

/**
 * `translating` is the gateway as well, asked for models whose upstream speaks another wire than the client. `warm` is
 * the gateway as well, after so many requests that a pause or its start is forgotten. `beside`: another gateway of ours.
 */
export type SubjectName = 'direct' | 'nginx' | 'gateway' | 'warm' | 'translating' | 'beside' | PeerName

/** A gateway of other people. */
export type PeerName = `peer ${string}`

export interface Target {
  readonly port: number
  /** The model's name as this subject knows it. */
  readonly model: string
  /** Value of the Authorization header. */
  readonly authorization: string
}

/** What goes before the requests that are measured. */
export type Spell =
  /** Requests like those that are measured: the code is warm. */
  | { readonly kind: 'steady' }
  /** Nothing for `pauseMs`; then so many requests are measured. */
  | { readonly kind: 'after-pause'; readonly pauseMs: number; readonly requests: number }
  /** The start of the gateway; then so many requests are measured. */
  | { readonly kind: 'after-start'; readonly requests: number }

const MANY = 100
/** Long enough for whatever a gateway does when nothing is asked of it. */
const PAUSE_MS = 15_000
const BURST_REQUESTS = 5_000
const FIRST_REQUESTS = 2_000
/** Each turn of them takes longer than a whole series of the others. */
const SLOW_TURNS = 3

/** The usual case: a small request and its whole answer, by warm code on a core of its own, and nothing to translate. */
const WHOLE = {
  wire: 'chat',
  stream: false,
  isStamped: false,
  bodyBytes: 1_024,
  connections: 32,
  requestsPerSecond: null,
  mostTurns: MANY,
  upstreamModel: ANSWERS.fixed,
  gatewayModel: gatewayModel('openai', 'fixed'),
  translatedModel: null,
  cores: 'one',
  spell: { kind: 'steady' },
} as const

const LARGE = { ...WHOLE, bodyBytes: 204_800, connections: 10 } as const

const FAST_STREAM = {
  ...WHOLE,
  stream: true,
  connections: 16,
  upstreamModel: ANSWERS.stream,
  gatewayModel: gatewayModel('openai', 'stream'),
} as const

const PACED_STREAM = {
  ...WHOLE,
  stream: true,
  isStamped: true,
  connections: 256,
  // A rate, so that the streams are spread over the 50 ms and don't write all at once.
  requestsPerSecond: 40,
  mostTurns: 3,
  upstreamModel: ANSWERS.paced,
  gatewayModel: gatewayModel('openai', 'paced'),
} as const

const NGINX = ['nginx', 'gateway'] as const
const WITH_WARM = [...NGINX, 'warm'] as const

/** The gateway beside nginx, which does nothing but pass on: warm, after a pause and after its start. */
const BESIDE_NGINX = {
  plain: {
    ...WHOLE,
    title: '1 KB chat, not streamed, 32 connections, closed loop',
    subjects: NGINX,
  },
  crowd: {
    ...WHOLE,
    title: '1 KB chat, not streamed, 64 connections, closed loop',
    subjects: NGINX,
    connections: 64,
  },
  stream: {
    ...FAST_STREAM,
    title: 'streams of 100 chunks as fast as they go, 16 connections, closed loop',
    subjects: NGINX,
  },
  paced: {
    ...PACED_STREAM,
    title: 'streams of 100 chunks, one every 50 ms, 40 streams a second offered (about 200 at once)',
    subjects: NGINX,
  },
  large: {
    ...LARGE,
    title: '200 KB coding-agent prompt, not streamed, 10 connections, closed loop',
    subjects: NGINX,
  },
  'large-2mb': {
    ...LARGE,
    title: '2 MB coding-agent prompt, not streamed, 10 connections, closed loop',
    subjects: NGINX,
    bodyBytes: 2_097_152,
  },
  latency: {
    ...WHOLE,
    title: '1 KB chat, not streamed, 10 connections, 500 requests a second offered',
    subjects: ['direct', ...NGINX],
    connections: 10,
    requestsPerSecond: 500,
  },
  wide: {
    ...WHOLE,
    title: '1 KB chat, not streamed, 10 connections, closed loop, nothing bound to a core',
    subjects: NGINX,
    connections: 10,
    cores: 'all',
  },
  bursty: {
    ...WHOLE,
    title: `the first ${BURST_REQUESTS} requests after ${PAUSE_MS / 1000} s without any; 1 KB chat, 32 connections`,
    subjects: WITH_WARM,
    spell: { kind: 'after-pause', pauseMs: PAUSE_MS, requests: BURST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
  cold: {
    ...WHOLE,
    title: `the first ${FIRST_REQUESTS} requests after the start; 1 KB chat, 32 connections`,
    subjects: WITH_WARM,
    spell: { kind: 'after-start', requests: FIRST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
} as const satisfies Readonly<Record<string, WorkloadPlan>>

const BESIDE_PASSING = ['gateway', 'translating'] as const

/** A client's wire as it passes through, and what the upstream speaks in the model beside it. */
function fastStream(wire: ClientWire, own: UpstreamProtocol, other: UpstreamProtocol): WorkloadPlan {
  return {
    ...FAST_STREAM,
    title: `streams of 100 chunks as fast as they go, a ${wire} client on ${own} (passed through) and on ${other} (translated)`,
    subjects: BESIDE_PASSING,
    wire,
    gatewayModel: gatewayModel(own, 'stream'),
    translatedModel: gatewayModel(other, 'stream'),
  }
}

/** The gateway beside itself: what it takes to translate, beside what it takes to pass the same through. */
const TRANSLATED = {
  'translated-stream': fastStream('chat', 'openai', 'anthropic'),
  'translated-gemini': fastStream('chat', 'openai', 'gemini'),
  'translated-responses': fastStream('responses', 'openai', 'anthropic'),
  'translated-messages': fastStream('messages', 'anthropic', 'openai'),
  'translated-paced': {
    ...PACED_STREAM,
    title: 'chat streams of 100 chunks, one every 50 ms, 40 a second offered, passed through and from messages',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'paced'),
  },
  'translated-plain': {
    ...WHOLE,
    title: '1 KB chat, not streamed, passed through and to messages, 32 connections, closed loop',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
  'translated-large': {
    ...LARGE,
    title: '200 KB coding-agent prompt, not streamed, passed through and to messages, 10 connections, closed loop',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
} as const satisfies Readonly<Record<string, WorkloadPlan>>

export const TRANSLATED_NAMES = Object.keys(TRANSLATED) as readonly (keyof typeof TRANSLATED)[]

export type WorkloadName = keyof typeof BESIDE_NGINX | keyof typeof TRANSLATED

const PLANS: Readonly<Record<WorkloadName, WorkloadPlan>> = { ...BESIDE_NGINX, ...TRANSLATED }
export const WORKLOAD_NAMES = Object.keys(PLANS) as readonly WorkloadName[]

/** All of them by name, in the order of a full run. */
export const WORKLOADS = Object.fromEntries(WORKLOAD_NAMES.map((name) => [name, { ...PLANS[name], name }])) as Readonly<
  Record<WorkloadName, Workload>
>

const PATHS: Record<ClientWire, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

const MOST_REQUESTS = 1_000_000

export interface JobRound {
  readonly durationMs: number
  readonly expect: Expectation
  /** A million unless given. */
  readonly maxRequests?: number
}

/** One round of the workload against one target. */
export function jobOf(workload: Workload, target: Target, round: JobRound): LoadJob {
  const { wire, stream, bodyBytes } = workload
  return {
    port: target.port,
    path: PATHS[wire],
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: target.authorization,
    },
    body: writeBody({ wire, model: target.model, stream, bytes: bodyBytes }),
    connections: workload.connections,
    durationMs: round.durationMs,
    maxRequests: round.maxRequests ?? MOST_REQUESTS,
    requestsPerSecond: workload.requestsPerSecond,
    expect: round.expect,
    readsStamps: workload.isStamped,
  }
}
