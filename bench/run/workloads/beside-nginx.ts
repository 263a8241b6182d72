/** The gateway beside nginx, which does nothing but pass on: warm, after a pause and after its start. */
import { gatewayModel } from '../gateway-models.ts'
import type { Workload, WorkloadName } from '../workload.ts'
import { BESIDE_NGINX, FAST_STREAM, LARGE_SHAPE, PACED_STREAM, SMALL_SHAPE, STEADY, WHOLE } from './shapes.ts'

type NginxName = Exclude<WorkloadName, `translated-${string}`>

/** Long enough for whatever a gateway does when nothing is asked of it. */
const PAUSE_MS = 15_000
const BURST_REQUESTS = 5_000
const FIRST_REQUESTS = 2_000
/** Each turn of them takes longer than a whole series of the others. */
const SLOW_TURNS = 3

export const BESIDE_NGINX_WORKLOADS: Readonly<Record<NginxName, Workload>> = {
  plain: {
    name: 'plain',
    title: '1 KB chat, not streamed, 32 connections, closed loop',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...SMALL_SHAPE,
    ...STEADY,
  },
  crowd: {
    name: 'crowd',
    title: '1 KB chat, not streamed, 64 connections, closed loop',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...SMALL_SHAPE,
    connections: 64,
    ...STEADY,
  },
  stream: {
    name: 'stream',
    title: 'streams of 100 chunks as fast as they go, 16 connections, closed loop',
    subjects: BESIDE_NGINX,
    wire: 'chat',
    ...FAST_STREAM,
    gatewayModel: gatewayModel('openai', 'stream'),
    ...STEADY,
  },
  paced: {
    name: 'paced',
    title: 'streams of 100 chunks, one every 50 ms, 40 streams a second offered (about 200 at once)',
    subjects: BESIDE_NGINX,
    ...PACED_STREAM,
    ...STEADY,
  },
  large: {
    name: 'large',
    title: '200 KB coding-agent prompt, not streamed, 10 connections, closed loop',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...LARGE_SHAPE,
    ...STEADY,
  },
  latency: {
    name: 'latency',
    title: '1 KB chat, not streamed, 10 connections, 500 requests a second offered',
    subjects: ['direct', ...BESIDE_NGINX],
    ...WHOLE,
    bodyBytes: 1_024,
    connections: 10,
    requestsPerSecond: 500,
    ...STEADY,
  },
  wide: {
    name: 'wide',
    title: '1 KB chat, not streamed, 10 connections, closed loop, nothing bound to a core',
    subjects: BESIDE_NGINX,
    ...WHOLE,
    ...SMALL_SHAPE,
    connections: 10,
    ...STEADY,
    cores: 'all',
  },
  bursty: {
    name: 'bursty',
    title: `the first ${BURST_REQUESTS} requests after ${PAUSE_MS / 1000} s without any; 1 KB chat, 32 connections`,
    subjects: ['nginx', 'gateway', 'warm'],
    ...WHOLE,
    ...SMALL_SHAPE,
    ...STEADY,
    spell: { kind: 'after-pause', pauseMs: PAUSE_MS, requests: BURST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
  cold: {
    name: 'cold',
    title: `the first ${FIRST_REQUESTS} requests after the start; 1 KB chat, 32 connections`,
    subjects: ['nginx', 'gateway', 'warm'],
    ...WHOLE,
    ...SMALL_SHAPE,
    ...STEADY,
    spell: { kind: 'after-start', requests: FIRST_REQUESTS },
    mostTurns: SLOW_TURNS,
  },
}
