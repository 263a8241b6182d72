import type { KeyWithOwner } from '../access/api-key.ts'
import type { Fault } from '../core/faults.ts'
import { Slots } from '../core/slots.ts'
import type { NotableRequest } from './open-request-log.ts'

/** A request that is being served, as those see it who look after all of them. */
export interface RunningRequest extends NotableRequest {
  readonly caller: KeyWithOwner
  /** Time has passed: keep the client waiting, or end what takes too long. `elapsed` as of `Clock.elapsed`. */
  tick(elapsed: number): void
  /** Ends it now, with this fault. */
  cut(fault: Fault): void
}

/** The requests that are being served by this process. */
export class RunningRequests {
  readonly #requests = new Slots<RunningRequest>()
  #idleWaiters: (() => void)[] = []

  #arriving = 0
  #served = 0

  /** Requests that have run so far. */
  get served(): number {
    return this.#served
  }

  get size(): number {
    return this.#requests.size
  }

  /** Nothing runs, and nothing is being prepared. */
  get isIdle(): boolean {
    return this.#requests.size === 0 && this.#arriving === 0
  }

  /** A request begins to be prepared; `work` ends when it is running or refused. */
  async arrive<T>(work: () => Promise<T>): Promise<T> {
    this.#arriving += 1
    try {
      return await work()
    } finally {
      this.#arriving -= 1
      this.#notifyIfIdle()
    }
  }

  /** Returns the slot by which it is removed when it is over. */
  add(request: RunningRequest): number {
    this.#served += 1
    return this.#requests.add(request)
  }

  remove(place: number): void {
    this.#requests.remove(place)
    this.#notifyIfIdle()
  }

  #notifyIfIdle(): void {
    if (!this.isIdle) return
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const wake of waiters) wake()
  }

  /** Called several times a second. */
  tick(elapsed: number): void {
    for (const request of this.#requests) request.tick(elapsed)
  }

  /** All that is running at this moment. */
  [Symbol.iterator](): Iterator<RunningRequest> {
    return this.#requests[Symbol.iterator]()
  }

  /** Callers of which some request is running: those whose state may have to be looked at again. */
  callers(): ReadonlySet<KeyWithOwner> {
    return new Set([...this.#requests].map((request) => request.caller))
  }

  /** Ends those for which `faultFor` returns a fault. */
  cut(faultFor: (caller: KeyWithOwner) => Fault | null): void {
    for (const request of this.#requests) {
      const fault = faultFor(request.caller)
      if (fault !== null) request.cut(fault)
    }
  }

  /** Resolves when nothing runs any more, or when `timeoutMs` are over; returns which. */
  async idle(timeoutMs: number): Promise<boolean> {
    if (this.isIdle) return true
    let timer: NodeJS.Timeout | undefined
    const isIdle = await new Promise<boolean>((resolve) => {
      this.#idleWaiters.push(() => resolve(true))
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    clearTimeout(timer)
    return isIdle
  }
}
