/** The work that every subject is given. */
import type { Expectation, LoadJob } from './load/job.ts'
import type { Target } from './subjects/subject.ts'
import { writeBody } from './request-body.ts'

export interface Workload {
  readonly name: WorkloadName
  /** What it is, for people. */
  readonly title: string
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
}

export type WorkloadName = 'plain' | 'stream' | 'paced' | 'large' | 'latency'

/** The gateway's models and what they are called at the fake upstream: it has a name to change in each body. */
export const GATEWAY_MODELS = {
  'bench-fixed': 'fake/fixed',
  'bench-stream': 'fake/fixed?chunks=100',
  'bench-paced': 'fake/fixed?chunks=100&delay_ms=20',
} as const

const MANY = 100

const WHOLE = { upstreamModel: GATEWAY_MODELS['bench-fixed'], gatewayModel: 'bench-fixed', stream: false }

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  plain: {
    name: 'plain',
    title: '1 KB chat, not streamed, 32 connections, closed loop',
    bodyBytes: 1_024,
    connections: 32,
    requestsPerSecond: null,
    mostTurns: MANY,
    ...WHOLE,
  },
  stream: {
    name: 'stream',
    title: 'streams of 100 chunks as fast as they go, 16 connections, closed loop',
    bodyBytes: 1_024,
    connections: 16,
    requestsPerSecond: null,
    mostTurns: MANY,
    stream: true,
    upstreamModel: GATEWAY_MODELS['bench-stream'],
    gatewayModel: 'bench-stream',
  },
  paced: {
    name: 'paced',
    // A rate, so that the streams are spread over the 20 ms and don't write all at once.
    title: 'streams of 100 chunks, one every 20 ms, 80 streams a second offered (about 170 at once)',
    bodyBytes: 1_024,
    connections: 256,
    requestsPerSecond: 80,
    mostTurns: 3,
    stream: true,
    upstreamModel: GATEWAY_MODELS['bench-paced'],
    gatewayModel: 'bench-paced',
  },
  large: {
    name: 'large',
    title: '200 KB coding-agent prompt, not streamed, 10 connections, closed loop',
    bodyBytes: 204_800,
    connections: 10,
    requestsPerSecond: null,
    mostTurns: MANY,
    ...WHOLE,
  },
  latency: {
    name: 'latency',
    title: '1 KB chat, not streamed, 10 connections, 500 requests a second offered',
    bodyBytes: 1_024,
    connections: 10,
    requestsPerSecond: 500,
    mostTurns: MANY,
    ...WHOLE,
  },
}

const MOST_REQUESTS = 1_000_000

/** One round of the workload against one target. */
export function jobOf(workload: Workload, target: Target, round: { durationMs: number; expect: Expectation }): LoadJob {
  return {
    port: target.port,
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: target.authorization },
    body: writeBody({ model: target.model, stream: workload.stream, bytes: workload.bodyBytes }),
    connections: workload.connections,
    durationMs: round.durationMs,
    maxRequests: MOST_REQUESTS,
    requestsPerSecond: workload.requestsPerSecond,
    expect: round.expect,
  }
}
