import type { Clock } from './clock.ts'

interface WindowCount {
  readonly since: number
  count: number
}

interface CountInWindow {
  readonly count: number
  readonly endsInSeconds: number
}

/** Counts by name, each in a window that opens with the first, in memory; those that began first are forgotten first. */
export class CountsInWindow {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #windowMs: number
  readonly #mostNames: number
  readonly #counts = new Map<string, WindowCount>()

  constructor(clock: Pick<Clock, 'elapsed'>, about: { readonly windowMs: number; readonly mostNames: number }) {
    this.#clock = clock
    this.#windowMs = about.windowMs
    this.#mostNames = about.mostNames
  }

  /** Counts one more; returns how many there are in the window, and after how many seconds it ends. */
  add(name: string): CountInWindow {
    const now = this.#clock.elapsed()
    const counted = this.#countedOf(name, now)
    counted.count += 1
    return this.#stateOf(counted, now)
  }

  /** Returns how many there are in the window that runs; null: none does. */
  read(name: string): CountInWindow | null {
    const now = this.#clock.elapsed()
    const counted = this.#counts.get(name)
    return counted === undefined || now - counted.since >= this.#windowMs ? null : this.#stateOf(counted, now)
  }

  #stateOf({ count, since }: WindowCount, now: number): CountInWindow {
    return { count, endsInSeconds: Math.max(1, Math.ceil((since + this.#windowMs - now) / 1000)) }
  }

  /** Takes one back in the window that runs. */
  takeBack(name: string): void {
    const counted = this.#counts.get(name)
    if (counted !== undefined && counted.count > 0) counted.count -= 1
  }

  forget(name: string): void {
    this.#counts.delete(name)
  }

  #countedOf(name: string, now: number): WindowCount {
    const running = this.#counts.get(name)
    if (running !== undefined && now - running.since < this.#windowMs) return running
    this.#makeRoom(now)
    const counted = { since: now, count: 0 }
    this.#counts.delete(name)
    this.#counts.set(name, counted)
    return counted
  }

  #makeRoom(now: number): void {
    for (const [name, { since }] of this.#counts) {
      if (this.#counts.size < this.#mostNames && now - since < this.#windowMs) return
      this.#counts.delete(name)
    }
  }
}
