/** One arrangement of cores with everything that runs on it, and the workloads that belong there. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { JobProcess } from '../../job-process.ts'
import type { LoadJob, LoadReport } from '../load/job.ts'
import { chooseCores } from '../machine/cores.ts'
import { type Peer, startPeers } from '../peers/start-peers.ts'
import { startUpstream } from '../subjects/fake-upstream.ts'
import { startGateway, translatingSide, warmSide } from '../subjects/gateway.ts'
import { startNginx } from '../subjects/nginx.ts'
import { ON_A_SHARED_CORE } from '../subjects/pinned-process.ts'
import type { Subject } from '../subjects/subject.ts'
import { type SubjectName, type Workload, WORKLOADS } from '../workloads.ts'
import { checkBooks, type Books } from './books.ts'
import { interleave, type Plan } from './interleave.ts'
import type { Series } from './series.ts'
import { MemoryNotes, type MemoryUse } from './memory.ts'
import { makeWarm, WARM_UP_MS } from './spell.ts'
import type { Stage } from './stage.ts'

/** The time that a report may take beyond the job's own, with its grace for the last answers. */
const REPORT_TIMEOUT_MS = 20_000

/** `restarts`: on one core as well, but the gateway is started again for each turn. */
export type SettingName = 'one-core' | 'all-cores' | 'restarts'

export interface SettingOrder {
  readonly directory: string
  readonly nginxPath: string
  /** The file that starts the gateway. */
  readonly entry: string
  /** Another gateway of ours, to be measured in the same turns; null: none. */
  readonly beside: BesideOrder | null
  readonly peers: readonly Peer[]
  readonly plan: Plan
  /** Whether to wait for what the loads leave in memory. */
  readonly wantsMemory: boolean
  readonly onSeries: (series: Series) => void
  readonly say: (text: string) => void
}

export interface BesideOrder {
  /** The file that starts it. */
  readonly entry: string
  /** Threads of the gateway that carry requests; null: as many as it has by itself. */
  readonly workers: number | null
}

export interface SettingResult {
  readonly series: readonly Series[]
  readonly memory: readonly MemoryUse[]
  readonly books: Books
}

/** Where a workload is measured. */
export function settingOf({ cores, spell }: Workload): SettingName {
  if (spell.kind === 'after-start') return 'restarts'
  return cores === 'all' ? 'all-cores' : 'one-core'
}

/** Starts everything, measures the workloads and checks the books. Rejects when one of our answers is wrong. */
export async function measureSetting(
  name: SettingName,
  workloads: readonly Workload[],
  order: SettingOrder,
): Promise<SettingResult> {
  const cores = await chooseCores(name === 'all-cores' ? 'all' : 'one')
  const directory = join(order.directory, name)
  await mkdir(directory)
  const placed = { core: cores.subject, directory }
  await using parts = new AsyncDisposableStack()
  const keep = <T extends { stop(): unknown }>(part: T): T => parts.adopt(part, async (one) => void (await one.stop()))
  const upstream = keep(await startUpstream({ core: cores.load, directory }))
  const nginx = keep(await startNginx(order.nginxPath, upstream.port, placed))
  const ours = { ...placed, upstreamPort: upstream.port }
  const gateway = keep(await startGateway({ ...ours, entry: order.entry }))
  const others: Subject[] = []
  if (order.beside !== null) {
    const { entry, workers } = order.beside
    const env = workers === null ? {} : { TOLLGATE_WORKERS: String(workers) }
    others.push(keep(await startGateway({ ...ours, entry, env, name: 'beside' })))
  }
  // Some ask again, or ask for more than they were asked: what they do must not enter the books.
  const joining = name === 'restarts' ? [] : order.peers
  const peers = keep(await startPeers(joining, { cores, directory, say: order.say }))
  others.push(...peers.subjects)
  const load = keep(
    new JobProcess<LoadJob, LoadReport>({
      main: new URL('../load/main.ts', import.meta.url),
      flags: ON_A_SHARED_CORE,
      core: cores.load,
      withinMs: ({ durationMs }) => durationMs + REPORT_TIMEOUT_MS,
    }),
  )
  const memory = new MemoryNotes([nginx, gateway, ...others])
  await memory.noteIdle()
  const stage = { cores, upstream, load, others: peers.processIds }
  const sides = { direct: upstream, nginx, gateway, warm: warmSide(gateway), translating: translatingSide(gateway) }
  const series: Series[] = []
  const warming = name === 'restarts' ? {} : await warmUp(stage, [gateway, ...others])
  for (const workload of workloads) {
    const one = await interleave(stage, partnersIn(workload, sides, others), { workload, plan: order.plan })
    memory.noteRounds(one)
    order.onSeries(one)
    series.push(one)
  }
  if (order.wantsMemory && name === 'one-core') await memory.noteAfter()
  const books = await checkBooks(gateway, upstream, countRequests([{ requests: warming }, ...series]))
  return { series, memory: memory.taken, books }
}

/** What is measured first is otherwise measured in the making of its optimised code. */
async function warmUp(stage: Stage, subjects: readonly Subject[]): Promise<Series['requests']> {
  const requests: Partial<Record<SubjectName, number>> = {}
  for (const subject of subjects) {
    const round = { workload: WORKLOADS.plain, expect: { kind: 'object' }, durationMs: WARM_UP_MS } as const
    requests[subject.name] = await makeWarm(stage, subject, round)
  }
  return requests
}

type OwnSides = Readonly<Record<'direct' | 'nginx' | 'gateway' | 'warm' | 'translating', Subject>>

/** Other gateways stand beside nginx, so that ours stay the last: a warm gateway needs its own cold one before. */
function partnersIn({ subjects }: Workload, sides: OwnSides, others: readonly Subject[]): Subject[] {
  return subjects.flatMap((name) => {
    const own = (sides as Partial<Record<SubjectName, Subject>>)[name]
    if (own === undefined) throw new Error(`${name} is not a side of ours`)
    return name === 'nginx' ? [own, ...others] : [own]
  })
}

function countRequests(series: readonly Pick<Series, 'requests'>[]): { gateway: number; all: number } {
  const sum = (names: readonly SubjectName[]): number =>
    series.reduce((all, { requests }) => all + names.reduce((some, name) => some + (requests[name] ?? 0), 0), 0)
  const gateway = sum(['gateway', 'warm', 'translating'])
  return { gateway, all: gateway + sum(['direct', 'nginx', 'beside']) }
}
