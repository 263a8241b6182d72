/** Everything that runs during a measurement, and one round on it. */
import type { JobProcess } from '../../job-process.ts'
import type { Expectation, Latency, LoadJob, LoadReport } from '../load/job.ts'
import { type Cores, readCoreTime } from '../machine/cores.ts'
import { cpuBetween, readProcessTree, residentMb, type ProcessUse } from '../machine/process-tree.ts'
import type { UpstreamSubject } from '../subjects/fake-upstream.ts'
import type { ClientWire } from '../request-body.ts'
import type { Subject } from '../subjects/subject.ts'
import { jobOf, type JobRound, type Workload } from '../workloads.ts'

export interface Stage {
  readonly cores: Cores
  readonly upstream: UpstreamSubject
  readonly load: JobProcess<LoadJob, LoadReport>
  /** What else works for the subjects, and is not to be taken for a disturbance: the root of each process tree. */
  readonly others: readonly number[]
}

/** What one subject did in one round. */
export interface Round {
  readonly requests: number
  readonly events: number
  readonly requestsPerSecond: number
  /** Events that arrived at the load in one read. The more, the cheaper each of them is on both sides. */
  readonly eventsPerRead: number
  readonly latency: Latency
  /** Zeros where the answers have no time stamps. */
  readonly chunkDelay: Latency
  /** User and system time of the subject's processes. */
  readonly cpuMs: number
  /** Part of its core that the subject used, 0-1. */
  readonly busy: number
  readonly residentMb: number
  /** Part of all cores looked at that neither the subject nor the load nor the upstream used, and yet was busy, 0-1. */
  readonly foreign: number
}

/** Sends one round of the workload to the subject. Rejects when a single answer is wrong. */
export async function measureRound(
  stage: Stage,
  subject: Subject,
  round: JobRound & { readonly workload: Workload },
): Promise<Round> {
  const { workload } = round
  const job = jobOf(workload, subject.target(workload), round)
  const before = await takeReading(stage, subject)
  const report = await stage.load.run(job)
  const after = await takeReading(stage, subject)
  if (report.errors > 0 || report.requests === 0) {
    throw new Error(
      `${workload.name} through ${subject.name}: ${report.errors} answers were wrong, ${report.requests} right; ` +
        `the first: ${report.firstError ?? 'none came'}\n${subject.output()}`,
    )
  }
  const cpuMs = subject.pid === null ? 0 : cpuBetween(before.subject, after.subject)
  const coresMs = after.cores.allMs - before.cores.allMs
  const foreignMs = after.cores.busyMs - before.cores.busyMs - cpuMs - cpuBetween(before.own, after.own)
  return {
    requests: report.requests,
    events: report.events,
    requestsPerSecond: (report.requests * 1000) / report.elapsedMs,
    eventsPerRead: report.events / report.reads,
    latency: report.latency,
    chunkDelay: report.chunkDelay,
    cpuMs,
    busy: cpuMs / report.elapsedMs,
    residentMb: residentMb(after.subject),
    foreign: Math.max(0, foreignMs / coresMs),
  }
}

/**
 * What a right answer to the workload is, found by asking once: the upstream itself, where it passes through; else who
 * translates, since only the number of events may then be its own. Makes no request for a whole answer.
 */
export async function learnExpectation(from: Subject, workload: Workload): Promise<Expectation> {
  if (!workload.stream) return { kind: 'object' }
  const target = from.target(workload)
  const { path, headers, body } = jobOf(workload, target, { durationMs: 0, expect: { kind: 'object' } })
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  const events = text.split('\n\n')
  const { sign, end } = ENDS[workload.wire]
  // Behind the last event nothing stands any more.
  if (events.length <= 100 || events.at(-1) !== '' || events.at(-2)?.includes(sign) !== true || !text.endsWith(end)) {
    throw new Error(`${from.name} answers ${workload.name} with ${response.status} and no whole stream: ${text}`)
  }
  return { kind: 'events', events: events.length - 1, end }
}

/** A sign of the last event of each wire's streams, and the last bytes. */
const ENDS: Record<ClientWire, { readonly sign: string; readonly end: string }> = {
  chat: { sign: 'data: [DONE]', end: 'data: [DONE]\n\n' },
  responses: { sign: 'event: response.completed', end: '}\n\n' },
  messages: { sign: 'event: message_stop', end: '}\n\n' },
}

interface Reading {
  readonly subject: readonly ProcessUse[]
  /** The load, the upstream and this process. */
  readonly own: readonly ProcessUse[]
  readonly cores: { readonly busyMs: number; readonly allMs: number }
}

async function takeReading({ cores, upstream, load, others }: Stage, subject: Subject): Promise<Reading> {
  const own = [upstream.processId, load.pid, ...others]
  const trees = await Promise.all(own.map(readProcessTree))
  const { user, system } = process.cpuUsage()
  const self = { pid: process.pid, cpuMs: (user + system) / 1000, residentKb: 0, threadMs: new Map<number, number>() }
  return {
    subject: subject.pid === null ? [] : await readProcessTree(subject.pid),
    own: [...trees.flat(), self],
    cores: await readCoreTime(cores.all),
  }
}
