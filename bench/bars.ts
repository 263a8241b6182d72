/** The speed that was promised, and whether it is reached. */
import {
  cpuUsPerEvent,
  cpuUsPerRequest,
  differenceOf,
  p50Ms,
  ratioOf,
  summarize,
  type Figure,
} from './measure/figures.ts'
import type { Series } from './measure/interleave.ts'
import type { SubjectName } from './subjects/target.ts'
import type { Workload, WorkloadName } from './workload.ts'

export interface Bar {
  readonly name: string
  readonly figure: Figure
  /** The most that is allowed, of the median; null: nothing was promised, but it belongs beside the others. */
  readonly limit: number | null
  readonly unit: '×' | 'ms' | 'MB'
  readonly met: boolean
}

/** CPU as a multiple of what it is compared with on the same work: nginx's, or the gateway's own where it passes through. */
const CPU_LIMITS: Partial<Record<WorkloadName, { readonly name: string; readonly most: number | null }>> = {
  plain: { name: 'CPU per request, of nginx', most: 8 },
  stream: { name: 'CPU per chunk, of nginx', most: 2.5 },
  // Here no two chunks arrive together, so that a slow subject cannot make them cheaper by letting them pile up.
  paced: { name: 'CPU per paced chunk, of nginx', most: null },
  large: { name: 'CPU per 200 KB request, of nginx', most: null },
  'translated-stream': { name: 'CPU per chunk, chat from messages, of passed through', most: 3 },
  'translated-gemini': { name: 'CPU per chunk, chat from Gemini, of passed through', most: 3 },
  'translated-responses': { name: 'CPU per chunk, responses from messages, of passed through', most: 3 },
  'translated-messages': { name: 'CPU per chunk, messages from responses, of passed through', most: 3 },
  'translated-paced': { name: 'CPU per paced chunk, chat from messages, of passed through', most: 3 },
  'translated-plain': { name: 'CPU per request, chat to messages, of passed through', most: null },
  'translated-large': { name: 'CPU per 200 KB request, chat to messages, of passed through', most: null },
}

/** Whose CPU is compared with whose. */
export function comparedIn({ subjects }: Workload): readonly [of: SubjectName, to: SubjectName] {
  return subjects.includes('translating') ? ['translating', 'gateway'] : ['gateway', 'nginx']
}

/** What was measured besides the workloads. Empty: not asked for in this run. */
export interface Extras {
  readonly readyMs: readonly number[]
  readonly idleMb: readonly number[]
}

/** The bars that this run can judge, in the order in which they are promised. */
export function judge(series: readonly Series[], extras: Extras): Bar[] {
  const bars: Bar[] = []
  const add = (name: string, figure: Figure, limit: Pick<Bar, 'limit' | 'unit'>): void => {
    bars.push({ name, figure, ...limit, met: limit.limit === null || figure.median <= limit.limit })
  }
  for (const one of series) {
    const { workload } = one
    const read = workload.stream ? cpuUsPerEvent : cpuUsPerRequest
    const limit = CPU_LIMITS[workload.name]
    if (limit !== undefined) add(limit.name, ratioOf(one, comparedIn(workload), read), { limit: limit.most, unit: '×' })
    if (workload.name === 'latency') {
      add('added latency, p50', differenceOf(one, ['gateway', 'direct'], p50Ms), { limit: 1.5, unit: 'ms' })
    }
  }
  if (extras.readyMs.length > 0) add('npm start to ready', summarize(extras.readyMs), { limit: 1_500, unit: 'ms' })
  if (extras.idleMb.length > 0) add('memory when idle', summarize(extras.idleMb), { limit: 120, unit: 'MB' })
  return bars
}
