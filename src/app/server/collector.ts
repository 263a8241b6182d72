import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { collect, COLLECTIONS_OF_A_SPELL, collectYoung } from '../../core/collect.ts'

/**
 * Bodies lie outside V8's heap. By default every 30 MB of them cause a full collection, however few of them are alive:
 * half of the CPU that a 200 KB request costs. So their limit is made to grow with what is alive, as the heap's does.
 *
 * And optimised code holds weakly to the shapes of the objects that it was made for. A full collection while no request
 * is there finds none of those objects, and throws away the shapes with all code that knows them. V8's memory reducer
 * makes such collections 8 s after traffic ends, so it is given none to make.
 *
 * While streams run, every full collection is a pause for each of them, and its helpers take turns with this thread where
 * there is one core. V8 made two a second, as it lets so small a heap grow by little; so it may grow to three times what is
 * alive. And the little that is alive of young objects is collected by this thread alone, without waiting for four others
 * (decision 0057).
 *
 * To be called before traffic comes.
 */
export function tuneCollector(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
  setFlagsFromString('--external-memory-max-growing-factor=4')
  setFlagsFromString('--memory-reducer-gc-count=0')
  setFlagsFromString('--heap-growing-percent=200')
  setFlagsFromString('--no-parallel-scavenge')
}

/**
 * Collects all garbage and gives the memory back: after the start, of which 20 MB are left (sources, syntax trees,
 * schemas). Takes some 30 ms, and costs most of the optimised code that there is.
 */
export function releaseMemory(): void {
  collect({ type: 'major', flavor: 'last-resort' })
}

/** The size from which memory is worth more than warm code. A usual load leaves half of it. */
const WORTH_ALL_CODE_BYTES = 128 * 2 ** 20

export interface Collections {
  readonly collectYoung: () => void
  readonly releaseMemory: () => void
  /** What lies on the heap and in buffers beside it. */
  readonly heldBytes: () => number
}

const COLLECTIONS: Collections = {
  collectYoung,
  releaseMemory,
  heldBytes: () => {
    const { heapUsed, arrayBuffers } = memoryUsage()
    return heapUsed + arrayBuffers
  },
}

/**
 * Collects after each spell of traffic, from the second look on that finds nothing running and nothing new, since an idle
 * process collects nothing by itself: what is young, and all only where a lot was left. An idle process is left alone then.
 */
export class IdleCollector {
  readonly #collections: Collections
  #seen = 0
  /** Collections that are still to come of this quiet spell. */
  #left = 0

  constructor(collections: Collections = COLLECTIONS) {
    this.#collections = collections
  }

  /** Called every few seconds. `served`: requests so far. */
  look(running: { readonly size: number; readonly served: number }): void {
    const isQuiet = running.size === 0 && running.served === this.#seen
    if (!isQuiet) {
      this.#seen = running.served
      this.#left = COLLECTIONS_OF_A_SPELL
    } else if (this.#left > 0) this.#collect()
  }

  #collect(): void {
    this.#left -= 1
    this.#collections.collectYoung()
    if (this.#collections.heldBytes() <= WORTH_ALL_CODE_BYTES) return
    this.#collections.releaseMemory()
    this.#left = 0
  }
}
