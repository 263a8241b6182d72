/** Looks at a process's memory once a second. */
import { readResidentMb } from './levels.ts'
import type { MemorySample } from './memory-trend.ts'

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
