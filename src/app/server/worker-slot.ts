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

/** Memory that the threads of a process share: 1 once all of them have been up together. */
type StartFlag = SharedArrayBuffer

export function newStartFlag(): StartFlag {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

export function raise(flag: StartFlag): void {
  Atomics.store(new Int32Array(flag), 0, 1)
}

export function isRaised(flag: StartFlag): boolean {
  return Atomics.load(new Int32Array(flag), 0) === 1
}
