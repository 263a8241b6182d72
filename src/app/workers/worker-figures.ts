import { METRICS_WITHIN_MS } from '../../core/limits.ts'
import { type Figures, merged, withoutGauges } from '../../telemetry/figures.ts'
import type { ToWorker } from './worker-messages.ts'

interface WorkerThread {
  readonly index: number
  readonly worker: { postMessage(message: ToWorker): void }
}

/** What the threads beside the main one have counted, as they last said. What one had counted when it ended goes on to count. */
export class WorkerFigures {
  readonly #last = new Map<number, Figures>()
  #ofEnded: Figures = { values: [], distributions: [] }
  #waiting: { readonly left: Set<number>; readonly done: () => void }[] = []

  /** Resolves with the figures of all, those that have ended included, in `METRICS_WITHIN_MS` at most. */
  async ask(threads: readonly WorkerThread[]): Promise<readonly Figures[]> {
    if (threads.length > 0) await this.#answers(threads)
    return [...this.#last.values(), this.#ofEnded]
  }

  said(index: number, figures: Figures): void {
    this.#last.set(index, figures)
    this.#cross(index)
  }

  ended(index: number): void {
    const last = this.#last.get(index)
    this.#last.delete(index)
    if (last !== undefined) this.#ofEnded = merged([this.#ofEnded, withoutGauges(last)])
    this.#cross(index)
  }

  #answers(threads: readonly WorkerThread[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry = { left: new Set(threads.map(({ index }) => index)), done: resolve }
    this.#waiting.push(entry)
    for (const { worker } of threads) worker.postMessage({ kind: 'figures' })
    const late = setTimeout(resolve, METRICS_WITHIN_MS)
    return promise.finally(() => {
      clearTimeout(late)
      this.#waiting = this.#waiting.filter((each) => each !== entry)
    })
  }

  #cross(index: number): void {
    for (const { left, done } of this.#waiting) {
      left.delete(index)
      if (left.size === 0) done()
    }
  }
}
