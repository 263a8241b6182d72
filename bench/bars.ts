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

export interface Bar {
  readonly name: string
  readonly figure: Figure
  /** The most that is allowed, of the median. */
  readonly limit: number
  readonly unit: '×' | 'ms' | 'MB'
  readonly met: boolean
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
    bars.push({ name, figure, ...limit, met: figure.median <= limit.limit })
  }
  for (const one of series) {
    const { name } = one.workload
    if (name === 'plain') {
      add('CPU per request, of nginx', ratioOf(one, ['gateway', 'nginx'], cpuUsPerRequest), { limit: 8, unit: '×' })
    }
    if (name === 'stream') {
      add('CPU per chunk, of nginx', ratioOf(one, ['gateway', 'nginx'], cpuUsPerEvent), { limit: 2.5, unit: '×' })
    }
    if (name === 'latency') {
      add('added latency, p50', differenceOf(one, ['gateway', 'direct'], p50Ms), { limit: 1.5, unit: 'ms' })
    }
  }
  if (extras.readyMs.length > 0) add('npm start to ready', summarize(extras.readyMs), { limit: 1_500, unit: 'ms' })
  if (extras.idleMb.length > 0) add('memory when idle', summarize(extras.idleMb), { limit: 120, unit: 'MB' })
  return bars
}
