/** The work that every subject is given. */
import type { Expectation, LoadJob } from './load/job.ts'
import { type ClientWire, writeBody } from './request-body.ts'
import type { SubjectName, Target } from './subjects/subject.ts'

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

/** What goes before the requests that are measured. */
export type Spell =
  /** Requests like those that are measured: the code is warm. */
  | { readonly kind: 'steady' }
  /** Nothing for `pauseMs`; then so many requests are measured. */
  | { readonly kind: 'after-pause'; readonly pauseMs: number; readonly requests: number }
  /** The start of the gateway; then so many requests are measured. */
  | { readonly kind: 'after-start'; readonly requests: number }

export type WorkloadName =
  | 'plain'
  | 'crowd'
  | 'stream'
  | 'paced'
  | 'large'
  | 'latency'
  | 'wide'
  | 'bursty'
  | 'cold'
  | TranslatedName

export type TranslatedName =
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
