/**
 * The events of one stream that are not read yet, as bytes beside V8's heap. As strings they were all of what a collection of
 * young objects found alive: each was copied twice while its stream ran, in pauses in which no chunk passed (decision 0057).
 */
export class Tape {
  #memory = NOTHING
  #bytes = 0

  /** How many have come since they were taken last. */
  get bytes(): number {
    return this.#bytes
  }

  /** Takes whole events, as Latin-1. */
  add(events: string): void {
    const at = this.#bytes
    this.#bytes += events.length
    if (this.#bytes > this.#memory.length) this.#grow(at)
    this.#memory.write(events, at, 'latin1')
  }

  /** All of them, as Latin-1; they are not kept. */
  take(): string {
    const events = this.#memory.toString('latin1', 0, this.#bytes)
    this.#bytes = 0
    // What one large event needed is not kept for as long as its stream runs.
    if (this.#memory.length > LARGEST_KEPT_BYTES) this.#memory = NOTHING
    return events
  }

  /** Grows by memory of its own, since a slice of Node's shared pool would keep all of that alive. */
  #grow(written: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST_BYTES, this.#bytes, this.#memory.length * 2))
    this.#memory.copy(larger, 0, 0, written)
    this.#memory = larger
  }
}

const NOTHING = Buffer.alloc(0)
const SMALLEST_BYTES = 4 * 1024
const LARGEST_KEPT_BYTES = 64 * 1024
