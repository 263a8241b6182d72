import { Fault } from '../../core/faults.ts'
import { LARGE_EVENT_BYTES, LARGE_EVENTS_LIMIT_BYTES } from '../../core/limits.ts'

/** What keeps the bytes of an event that has not arrived whole. */
export interface EventHolder {
  /** Bytes of memory that it takes now. */
  readonly size: number
}

/**
 * The memory that large events take while they arrive, of all streams of a thread together. Holders are referred to weakly:
 * a stream may be dropped at any time, and counts for as long as its memory is not given back.
 */
export class LargeEvents {
  readonly #limit: number
  readonly #leastBytes: number
  readonly #holders = new Set<WeakRef<EventHolder>>()

  /** A holder that takes less than `leastBytes` counts for nothing. */
  constructor(options: { readonly limit: number; readonly leastBytes: number }) {
    this.#limit = options.limit
    this.#leastBytes = options.leastBytes
  }

  /** Whether the holder may take so many bytes in place of what it takes now. To be asked before it grows. */
  mayGrow(holder: EventHolder, bytes: number): boolean {
    let taken = bytes
    let isKnown = false
    for (const reference of this.#holders) {
      const other = reference.deref()
      if (other === holder) isKnown = true
      else if (other === undefined || other.size < this.#leastBytes) this.#holders.delete(reference)
      else taken += other.size
    }
    if (taken > this.#limit) return false
    if (!isKnown) this.#holders.add(new WeakRef(holder))
    return true
  }
}

/** Shared by all streams of the thread. */
export const LARGE_EVENTS = new LargeEvents({ limit: LARGE_EVENTS_LIMIT_BYTES, leastBytes: LARGE_EVENT_BYTES })

/** The Fault where the large events of other streams leave no memory for one more. */
export function noRoom(): Fault {
  return new Fault('rate_limited', 'The gateway is receiving too many large answers at the moment. Retry the request.')
}
