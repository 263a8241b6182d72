/** Every workload: the gateway beside nginx, and beside itself where it translates. */
import { ANSWERS, gatewayModel, type UpstreamProtocol } from './gateway-models.ts'
import type { ClientWire } from './request-body.ts'
import type { TranslatedName, Workload, WorkloadName } from './workload.ts'

type NginxName = Exclude<WorkloadName, TranslatedName>

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
const BESIDE_NGINX_WORKLOADS: Readonly<Record<NginxName, Workload>> = {
  plain: {
    ...WHOLE,
    name: 'plain',
    title: '1 KB chat, not streamed, 32 connections, closed loop',
    subjects: NGINX,
  },
  crowd: {
    ...WHOLE,
    name: 'crowd',
    title: '1 KB chat, not streamed, 64 connections, closed loop',
    subjects: NGINX,
    connections: 64,
  },
  stream: {
    ...FAST_STREAM,
    name: 'stream',
    title: 'streams of 100 chunks as fast as they go, 16 connections, closed loop',
    subjects: NGINX,
  },
  paced: {
    ...PACED_STREAM,
    name: 'paced',
    title: 'streams of 100 chunks, one every 50 ms, 40 streams a second offered (about 200 at once)',
    subjects: NGINX,
  },
  large: {
    ...LARGE,
    name: 'large',
    title: '200 KB coding-agent prompt, not streamed, 10 connections, closed loop',
    subjects: NGINX,
  },
  latency: {
    ...WHOLE,
    name: 'latency',
    title: '1 KB chat, not streamed, 10 connections, 500 requests a second offered',
    subjects: ['direct', ...NGINX],
    connections: 10,
    requestsPerSecond: 500,
  },
  wide: {
    ...WHOLE,
    name: 'wide',
    title: '1 KB chat, not streamed, 10 connections, closed loop, nothing bound to a core',
    subjects: NGINX,
    connections: 10,
    cores: 'all',
  },
  bursty: {
    ...WHOLE,
    name: 'bursty',
    title: `the first ${BURST_REQUESTS} requests after ${PAUSE_MS / 1000} s without any; 1 KB chat, 32 connections`,
    subjects: WITH_WARM,
    spell: { kind: 'after-pause', pauseMs: PAUSE_MS, requests: BURST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
  cold: {
    ...WHOLE,
    name: 'cold',
    title: `the first ${FIRST_REQUESTS} requests after the start; 1 KB chat, 32 connections`,
    subjects: WITH_WARM,
    spell: { kind: 'after-start', requests: FIRST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
}

const BESIDE_PASSING = ['gateway', 'translating'] as const

/** A client's wire as it passes through, and what the upstream speaks in the model beside it. */
function fastStream(
  name: TranslatedName,
  wire: ClientWire,
  [own, other]: readonly [UpstreamProtocol, UpstreamProtocol],
): Workload {
  return {
    ...FAST_STREAM,
    name,
    title: `streams of 100 chunks as fast as they go, a ${wire} client on ${own} (passed through) and on ${other} (translated)`,
    subjects: BESIDE_PASSING,
    wire,
    gatewayModel: gatewayModel(own, 'stream'),
    translatedModel: gatewayModel(other, 'stream'),
  }
}

/** The gateway beside itself: what it takes to translate, beside what it takes to pass the same through. */
const TRANSLATED_WORKLOADS: Readonly<Record<TranslatedName, Workload>> = {
  'translated-stream': fastStream('translated-stream', 'chat', ['openai', 'anthropic']),
  'translated-gemini': fastStream('translated-gemini', 'chat', ['openai', 'gemini']),
  'translated-responses': fastStream('translated-responses', 'responses', ['openai', 'anthropic']),
  'translated-messages': fastStream('translated-messages', 'messages', ['anthropic', 'openai']),
  'translated-paced': {
    ...PACED_STREAM,
    name: 'translated-paced',
    title: 'chat streams of 100 chunks, one every 50 ms, 40 a second offered, passed through and from messages',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'paced'),
  },
  'translated-plain': {
    ...WHOLE,
    name: 'translated-plain',
    title: '1 KB chat, not streamed, passed through and to messages, 32 connections, closed loop',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
  'translated-large': {
    ...LARGE,
    name: 'translated-large',
    title: '200 KB coding-agent prompt, not streamed, passed through and to messages, 10 connections, closed loop',
    subjects: BESIDE_PASSING,
    translatedModel: gatewayModel('anthropic', 'fixed'),
  },
}

/** All of them by name, in the order of a full run. */
export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  ...BESIDE_NGINX_WORKLOADS,
  ...TRANSLATED_WORKLOADS,
}
