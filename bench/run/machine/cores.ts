/** The work of each core: the subject has one to itself, and everything that drives it shares another. */
import { readFile } from 'node:fs/promises'

export interface Cores {
  /** Null: any. */
  readonly subject: number | null
  /** Null: any. */
  readonly load: number | null
  /** The cores whose time is looked at, to see what others use of it. */
  readonly all: readonly number[]
}

/**
 * `one`: the first two cores that this process may use. `all`: every core that it may use, for all that runs. Throws when
 * there is only one, or where there is no Linux.
 */
export async function chooseCores(which: 'one' | 'all'): Promise<Cores> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const allowed = readCoreList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '')
  const [subject, load] = allowed
  if (subject === undefined || load === undefined) {
    throw new Error(`the bench needs Linux and two cores, and may use ${allowed.length}`)
  }
  return which === 'all' ? { subject: null, load: null, all: allowed } : { subject, load, all: [subject, load] }
}

/** `0-2,5` as numbers. */
export function readCoreList(list: string): number[] {
  return list
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    })
}

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
