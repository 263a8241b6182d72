import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Bodies lie outside V8's heap. By default every 30 MB of them cause a full collection, however few of them are alive:
 * half of the CPU that a 200 KB request costs. So their limit is made to grow with what is alive, as the heap's does.
 * To be called before traffic comes.
 */
export function tuneCollector(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--external-memory-max-growing-factor=4')
}

/**
 * Collects all garbage and gives the memory back: after the start, of which 20 MB are left (sources, syntax trees,
 * schemas), and when traffic has stopped, since an idle process collects nothing by itself. Takes some 30 ms.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
}

/** Releases memory once after each spell of traffic, at the second look that finds nothing running and nothing new. */
export class IdleCollector {
  #seen = 0
  #collected = 0

  /** To be called every few seconds. `served`: requests so far. */
  look(running: { readonly size: number; readonly served: number }): void {
    const isQuiet = running.size === 0 && running.served === this.#seen
    this.#seen = running.served
    if (!isQuiet || this.#collected === running.served) return
    this.#collected = running.served
    releaseMemory()
  }
}
