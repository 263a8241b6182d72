/** A question to the counting thread, while it waits for its turn. */
export interface QueuedCount {
  /** What it keeps in memory meanwhile. */
  readonly bytes: number
  /** The key that asks; null: a settlement, which goes first. */
  readonly keyId: string | null
}

/** How much may wait, of one kind. */
export interface QueueBounds {
  readonly entries: number
  readonly bytes: number
}

/**
 * What waits to be counted, in two lines: what is to be settled goes before what a client asks for free. Each line has a bound
 * in entries and bytes, and in the free one each key a smaller one, so that no key fills it.
 */
export class CountingQueue<T extends QueuedCount> {
  readonly #settlements: Line<T>
  readonly #free: Line<T>
  readonly #ofKey: QueueBounds

  constructor(bounds: { settlements: QueueBounds; free: QueueBounds; freeOfKey: QueueBounds }) {
    this.#settlements = new Line(bounds.settlements)
    this.#free = new Line(bounds.free)
    this.#ofKey = bounds.freeOfKey
  }

  /** False, and it does not wait, where there is no room for it. */
  add(count: T): boolean {
    if (count.keyId === null) return this.#settlements.add(count)
    const own = this.#free.items.filter(({ keyId }) => keyId === count.keyId)
    const bytes = own.reduce((sum, each) => sum + each.bytes, count.bytes)
    if (own.length >= this.#ofKey.entries || bytes > this.#ofKey.bytes) return false
    return this.#free.add(count)
  }

  /** Takes the count whose turn it is; null when none waits. */
  next(): T | null {
    return this.#settlements.shift() ?? this.#free.shift() ?? null
  }

  /** Drops a count that is not wanted any more. */
  drop(count: T): void {
    this.#settlements.drop(count)
    this.#free.drop(count)
  }

  /** Everything that waits; none of it waits afterwards. */
  empty(): readonly T[] {
    const all: T[] = []
    for (let count = this.next(); count !== null; count = this.next()) all.push(count)
    return all
  }
}

/** First come, first served. Short enough to be searched. */
class Line<T extends QueuedCount> {
  readonly items: T[] = []
  readonly #bounds: QueueBounds
  #bytes = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  add(count: T): boolean {
    const { entries, bytes } = this.#bounds
    if (this.items.length >= entries || this.#bytes + count.bytes > bytes) return false
    this.items.push(count)
    this.#bytes += count.bytes
    return true
  }

  shift(): T | null {
    const first = this.items.shift() ?? null
    if (first !== null) this.#bytes -= first.bytes
    return first
  }

  drop(count: T): void {
    const place = this.items.indexOf(count)
    if (place < 0) return
    this.items.splice(place, 1)
    this.#bytes -= count.bytes
  }
}
