import type { StartFlag } from './start-flag.ts'

/** One of several threads of a process that carry requests. */
export interface WorkerSlot {
  /** 0: the main thread. */
  readonly index: number
  readonly count: number
  /** The host, as the main thread names it: see `thisHost`. */
  readonly host: string
  /** Where the threads count the limits of keys together. */
  readonly limits: SharedArrayBuffer
  /** Whether all threads of the process have been up together. */
  readonly start: StartFlag
}
