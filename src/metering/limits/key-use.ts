import { SlidingCount } from '../../core/sliding-count.ts'
import type { OverdrawnTokenWindow } from './overdrawn-token-window.ts'
import { TokenWindow } from './token-window.ts'

/** What one key has running, and what it did in the last minute. */
export interface KeyUse {
  running: number
  /** How many of those have a client that is there. */
  present: number
  /** Tokens that the running requests are counted with. */
  reserved: number
  /** When it was used, by the clock's `elapsed`. */
  usedAt: number
  readonly requests: SlidingCount
  readonly tokens: OverdrawnTokenWindow
}

/** What all keys that have limits did lately, by their ids. */
export interface Uses {
  /** Other threads use them as well: what is seen outside of `enter` and `leave` may have changed. */
  readonly isShared: boolean
  /** Keys that are remembered. */
  readonly size: number
  /** Nothing else reads or changes them until `leave`. To be left soon, whatever happens. */
  enter(): void
  leave(): void
  find(id: string): KeyUse | null
  /** The use of a key, made where it is missing; null: there is no room for one more. */
  of(id: string, elapsed: number): KeyUse | null
  /** Forgets keys of which nothing counts any more. */
  forgetIdle(elapsed: number): void
}

/** A part of a count lasts for a minute and a quarter of a second. */
const FORGOTTEN_AFTER_MS = 61_000

/** Whether nothing of a use counts any more. */
export function isIdle({ running, usedAt, tokens }: KeyUse, elapsed: number): boolean {
  return running === 0 && usedAt < elapsed - FORGOTTEN_AFTER_MS && tokens.isEmpty(elapsed)
}

/** The uses of one thread alone. */
export class OwnUses implements Uses {
  readonly isShared = false
  readonly #uses = new Map<string, KeyUse>()

  get size(): number {
    return this.#uses.size
  }

  enter(): void {}

  leave(): void {}

  find(id: string): KeyUse | null {
    return this.#uses.get(id) ?? null
  }

  of(id: string): KeyUse {
    let use = this.#uses.get(id)
    if (use === undefined) {
      use = { running: 0, present: 0, reserved: 0, usedAt: 0, requests: new SlidingCount(), tokens: new TokenWindow() }
      this.#uses.set(id, use)
    }
    return use
  }

  forgetIdle(elapsed: number): void {
    for (const [id, use] of this.#uses) if (isIdle(use, elapsed)) this.#uses.delete(id)
  }
}
