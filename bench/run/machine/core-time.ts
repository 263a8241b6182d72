/** How busy cores were, from `/proc/stat`: shows when something else was using them while we measured. */
import { readFile } from 'node:fs/promises'

const TICK_MS = 10

/** Time since the machine started, in milliseconds, summed over some cores. */
export interface CoreTime {
  readonly busyMs: number
  readonly allMs: number
}

/** Reads the sum over `cores`. Time that the host took away from this machine counts as busy. */
export async function readCoreTime(cores: readonly number[]): Promise<CoreTime> {
  return sumCores(await readFile('/proc/stat', 'utf8'), cores)
}

/** The text of `/proc/stat` as CoreTime. */
export function sumCores(text: string, cores: readonly number[]): CoreTime {
  let busyMs = 0
  let allMs = 0
  for (const core of cores) {
    const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(text)?.[1] ?? ''
    // user nice system idle iowait irq softirq steal; what follows is contained in user and nice.
    const times = line
      .split(' ')
      .slice(0, 8)
      .map((ticks) => Number(ticks) * TICK_MS)
    const all = times.reduce((sum, one) => sum + one, 0)
    allMs += all
    busyMs += all - (times[3] ?? 0) - (times[4] ?? 0)
  }
  return { busyMs, allMs }
}
