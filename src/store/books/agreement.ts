import { hash } from 'node:crypto'

const BUCKETS = 4_096
/** Buckets that are looked into when something disagrees: enough names to begin with, and bounded memory. */
const SUSPECTS_LIMIT = 100

/**
 * Two accounts of the same thing, each a sum by name, that must agree for every name: say what the records charged to each
 * budget, and what each budget says was used. They come in any order and in millions, so at first only weighted sums are
 * kept, a few thousand of them; when these differ, a second reading of both sides gathers just the names concerned.
 */
export class Agreement {
  readonly #differences = new BigUint64Array(BUCKETS)
  #gathered: Map<string, Sides> | null = null
  #suspects: ReadonlySet<number> = new Set()

  /** Adds to what one side says of `name`. */
  one(name: string, amount: bigint): void {
    this.#add(name, { one: amount, other: 0n })
  }

  other(name: string, amount: bigint): void {
    this.#add(name, { one: 0n, other: amount })
  }

  get holds(): boolean {
    return this.#differences.every((difference) => difference === 0n)
  }

  /** From now on both sides are given a second time. */
  beginAgain(): void {
    const suspects = [...this.#differences.keys()].filter((bucket) => this.#differences[bucket] !== 0n)
    this.#suspects = new Set(suspects.slice(0, SUSPECTS_LIMIT))
    this.#gathered = new Map()
  }

  /** After the second reading: the names on which the sides differ. */
  differing(): readonly { readonly name: string; readonly sides: Sides }[] {
    return [...(this.#gathered ?? [])]
      .filter(([, { one, other }]) => one !== other)
      .map(([name, sides]) => ({ name, sides }))
  }

  #add(name: string, { one, other }: Sides): void {
    const digest = hash('sha1', name, 'buffer')
    const bucket = digest.readUInt16LE(8) % BUCKETS
    if (this.#gathered === null) {
      const weight = digest.readBigUInt64LE(0)
      // Wraps at 64 bits. A cancellation by chance is as likely as guessing one of 2^64.
      this.#differences[bucket] = (this.#differences[bucket] ?? 0n) + (one - other) * weight
    } else if (this.#suspects.has(bucket)) {
      const before = this.#gathered.get(name) ?? { one: 0n, other: 0n }
      this.#gathered.set(name, { one: before.one + one, other: before.other + other })
    }
  }
}

export interface Sides {
  readonly one: bigint
  readonly other: bigint
}
