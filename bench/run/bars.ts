/** The speed that was promised, the speed that is aimed at, and whether they are reached. */
import {
  type Figure,
  type Reader,
  chunkDelayP99Ms,
  cpuUsPerEvent,
  cpuUsPerRequest,
  differenceOf,
  figureOf,
  p50Ms,
  p99Ms,
  ratioOf,
  summarize,
} from './measure/figures.ts'
import type { Series } from './measure/series.ts'
import type { PeerName, SubjectName, Workload, WorkloadName } from './workloads.ts'

interface CpuBar {
  readonly name: string
  readonly most: number | null
  readonly goal?: number
}

/** CPU as a multiple of what it is compared with on the same work: nginx's, or the gateway's own where it passes through. */
const CPU_LIMITS: Partial<Record<WorkloadName, CpuBar>> = {
  plain: { name: 'CPU per request, of nginx', most: 8, goal: 3 },
  crowd: { name: 'CPU per request at 64 connections, of nginx', most: null, goal: 3 },
  stream: { name: 'CPU per chunk, of nginx', most: 2.5, goal: 1 },
  // Here no two chunks arrive together, so that a slow subject cannot make them cheaper by letting them pile up.
  paced: { name: 'CPU per paced chunk, of nginx', most: null, goal: 1.4 },
  large: { name: 'CPU per 200 KB request, of nginx', most: null, goal: 3.5 },
  'large-2mb': { name: 'CPU per 2 MB request, of nginx', most: null },
  latency: { name: 'CPU per request at 500 a second, of nginx', most: null, goal: 4 },
  wide: { name: 'CPU per request on all cores, of nginx', most: null },
  bursty: { name: 'CPU per request after 15 s without any, of nginx', most: null, goal: 4 },
  cold: { name: 'CPU per request after the start, of nginx', most: null },
  'translated-stream': { name: 'CPU per chunk, chat from messages, of passed through', most: 3 },
  'translated-gemini': { name: 'CPU per chunk, chat from Gemini, of passed through', most: 3 },
  'translated-responses': { name: 'CPU per chunk, responses from messages, of passed through', most: 3 },
  'translated-messages': { name: 'CPU per chunk, messages from responses, of passed through', most: 3 },
  'translated-paced': { name: 'CPU per paced chunk, chat from messages, of passed through', most: 3 },
  'translated-plain': { name: 'CPU per request, chat to messages, of passed through', most: null },
  'translated-large': { name: 'CPU per 200 KB request, chat to messages, of passed through', most: null },
}

/** The two subjects whose CPU is compared. */
export function comparedIn({ subjects }: Workload): readonly [of: SubjectName, to: SubjectName] {
  return subjects.includes('translating') ? ['translating', 'gateway'] : ['gateway', 'nginx']
}

/** What the workload is counted in. */
export function cpuReader({ stream }: Workload): Reader {
  return stream ? cpuUsPerEvent : cpuUsPerRequest
}

/** What was measured besides the workloads. Empty: not asked for in this run; null: asked for, and not taken. */
export interface Extras {
  /** The times from `npm start` to ready, without any data. */
  readonly readyMs: readonly number[] | null
  /** The times from `node bin/tollgate.js start` to ready, on data that are there. */
  readonly againMs: readonly number[] | null
  readonly idleMb: readonly number[]
  readonly afterMb: readonly number[]
}

/** The bars that this run can judge, in the order in which they are promised. */
export function judge(series: readonly Series[], extras: Extras): Bar[] {
  const fromSeries = series.flatMap(judgeSeries)
  const extra = (name: string, values: readonly number[] | null, limits: BarLimits): Bar[] =>
    values?.length === 0 ? [] : [barOf(name, values === null ? null : summarize(values), limits)]
  return [
    ...fromSeries,
    ...judgeBesidePeers(series),
    ...extra('npm start to ready', extras.readyMs, { unit: 'ms', limit: 1_500, goal: null }),
    ...extra('start again, bin directly', extras.againMs, { unit: 'ms', limit: null, goal: 400 }),
    ...extra('memory when idle', extras.idleMb, { unit: 'MB', limit: 120, goal: 80 }),
    ...extra('memory 30 s after the loads', extras.afterMb, { unit: 'MB', limit: null, goal: 150 }),
  ]
}

function judgeSeries(one: Series): Bar[] {
  const { workload } = one
  const bars: Bar[] = []
  const add = (name: string, read: () => Figure, limits: BarLimits): void => {
    bars.push(barOf(name, one.turns.length === 0 ? null : read(), limits))
  }
  const limit = CPU_LIMITS[workload.name]
  if (limit !== undefined) {
    const limits = { unit: '×', limit: limit.most, goal: limit.goal ?? null } as const
    add(limit.name, () => ratioOf(one, comparedIn(workload), cpuReader(workload)), limits)
  }
  if (workload.name === 'latency') {
    const pair = ['gateway', 'direct'] as const
    add('added latency, p50', () => differenceOf(one, pair, p50Ms), { unit: 'ms', limit: 1.5, goal: 0.3 })
    add('p99 at 500 requests a second', () => figureOf(one, 'gateway', p99Ms), { unit: 'ms', limit: null, goal: 2 })
  }
  if (workload.name === 'paced') {
    add('delay of a paced chunk, p99', () => figureOf(one, 'gateway', chunkDelayP99Ms), {
      unit: 'ms',
      limit: null,
      goal: 1,
    })
  }
  return bars
}

function barOf(name: string, figure: Figure | null, limits: BarLimits): Bar {
  const met = figure === null ? limits.limit === null : limits.limit === null || figure.median <= limits.limit
  return { name, figure, ...limits, met }
}

export interface Bar extends BarLimits {
  readonly name: string
  /** Null: it could not be taken, because something else used the cores. */
  readonly figure: Figure | null
  readonly met: boolean
}

export interface BarLimits {
  readonly unit: '×' | 'ms' | 'MB'
  /** The most that is allowed, of the median; null: nothing was promised, but it belongs beside the others. */
  readonly limit: number | null
  /** What is aimed at, which nothing depends on; null: nothing. */
  readonly goal: number | null
  /** More is better: the goal is the least that is aimed at. */
  readonly atLeast?: boolean
}

interface PeerGoal {
  readonly name: string
  readonly read: Reader
  readonly goal: number
  /** More is better. */
  readonly atLeast: boolean
}

const requestsPerSecond: Reader = (round) => round.requestsPerSecond

/** The gateway's figure as a multiple of each peer's. */
const GOALS: Partial<Record<WorkloadName, readonly PeerGoal[]>> = {
  crowd: [{ name: 'requests a second at 64 connections', read: requestsPerSecond, goal: 5, atLeast: true }],
  wide: [
    { name: 'requests a second on all cores', read: requestsPerSecond, goal: 3, atLeast: true },
    { name: 'p99 on all cores', read: p99Ms, goal: 0.5, atLeast: false },
  ],
}
/** What stands in for the floor of Node meters nothing and has no keys. */
const NO_GATEWAY: PeerName = 'peer bare'

/** None where no peer was measured to the end, or no quiet turn was taken. */
function judgeBesidePeers(series: readonly Series[]): Bar[] {
  return series.flatMap((one) => {
    const goals = GOALS[one.workload.name] ?? []
    return peersIn(one).flatMap((peer) =>
      goals.map(({ name, read, goal, atLeast }) => ({
        name: `${name}, of ${peer.slice('peer '.length)}`,
        figure: ratioOf(one, ['gateway', peer], read),
        unit: '×' as const,
        limit: null,
        goal,
        atLeast,
        met: true,
      })),
    )
  })
}

/** The peers that were measured in every turn. */
function peersIn({ turns }: Series): PeerName[] {
  const [first, ...others] = turns
  const names = Object.keys(first ?? {}).filter((name) => name.startsWith('peer ') && name !== NO_GATEWAY)
  return (names as PeerName[]).filter((name) => others.every((turn) => turn[name] !== undefined))
}
