/** Whether memory grows over time, or only goes up and down. */
import { quantile } from '../numbers.ts'
import { readResidentMb } from './levels.ts'

export interface MemorySample {
  readonly atMs: number
  readonly residentMb: number
}

export interface MemoryTrend {
  readonly mbPerMinute: number
  /** Standard error of it, in the same unit. */
  readonly errorMbPerMinute: number
}

/** Samples that follow each other closely say the same thing: garbage comes and goes in waves of seconds. */
const BLOCK_MS = 10_000

/** The straight line through the medians of blocks of ten seconds, by least squares. null: fewer than four blocks. */
export function trendOf(samples: readonly MemorySample[]): MemoryTrend | null {
  const [first] = samples
  if (first === undefined) return null
  const blocks = [...Map.groupBy(samples, ({ atMs }) => Math.floor((atMs - first.atMs) / BLOCK_MS))]
  if (blocks.length < 4) return null
  const points = blocks.map(([block, inBlock]) => {
    const median = quantile(
      inBlock.map(({ residentMb }) => residentMb),
      0.5,
    )
    return { x: (block * BLOCK_MS) / 60_000, y: median }
  })
  const meanX = mean(points.map(({ x }) => x))
  const meanY = mean(points.map(({ y }) => y))
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const misfit = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { mbPerMinute: slope, errorMbPerMinute: Math.sqrt(misfit / (points.length - 2) / spread) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const LOOK_MS = 1_000

export class MemoryWatch {
  /** `atMs`: readings of `performance.now()`, ascending. */
  readonly samples: MemorySample[] = []
  readonly #timer: NodeJS.Timeout

  constructor(processId: number) {
    this.#timer = setInterval(() => {
      readResidentMb(processId).then(
        (residentMb) => void this.samples.push({ atMs: performance.now(), residentMb }),
        // The process is gone.
        () => this.stop(),
      )
    }, LOOK_MS)
  }

  between(fromMs: number, toMs: number): readonly MemorySample[] {
    return this.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
