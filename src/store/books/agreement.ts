import { hash } from 'node:crypto'

const BUCKETS = 4_096
/** Buckets that are looked into when something disagrees: enough names to begin with, and bounded memory. */
const SUSPECTS_LIMIT = 100
/** Tells the figures of one name apart; each power modulo 2^64 is odd. */
const FACTOR = 0x9e37_79b9_7f4a_7c15n

/**
 * Two accounts of the same thing, each a sum by name, that must agree for every name: say what the records charged to each
 * budget, and what each budget says was used. They come in any order and in millions, so at first only weighted sums are
 * kept, a few thousand of them; when these differ, a second reading of both sides gathers just the names concerned.
 *
 * A name may have several figures, which are compared one by one.
 */
export class Agreement {
  readonly #differences = new BigUint64Array(BUCKETS)
  #gathered: Map<string, { one: bigint[]; other: bigint[] }> | null = null
  #suspects: ReadonlySet<number> = new Set()

  /** Adds to what one side says of `name`. */
  one(name: string, ...figures: readonly bigint[]): void {
    this.#add('one', name, figures)
  }

  other(name: string, ...figures: readonly bigint[]): void {
    this.#add('other', name, figures)
  }

  get holds(): boolean {
    return this.#differences.every((difference) => difference === 0n)
  }

  /** Begins the second reading of both sides. */
  beginAgain(): void {
    const suspects = [...this.#differences.keys()].filter((bucket) => this.#differences[bucket] !== 0n)
    this.#suspects = new Set(suspects.slice(0, SUSPECTS_LIMIT))
    this.#gathered = new Map()
  }

  /** Returns the names on which the sides differ after the second reading. */
  differing(): readonly { readonly name: string; readonly sides: Sides }[] {
    return [...(this.#gathered ?? [])]
      .filter(([, { one, other }]) => one.some((figure, at) => figure !== other[at]))
      .map(([name, sides]) => ({ name, sides }))
  }

  #add(side: 'one' | 'other', name: string, figures: readonly bigint[]): void {
    const digest = hash('sha1', name, 'buffer')
    const bucket = digest.readUInt16LE(8) % BUCKETS
    if (this.#gathered !== null) {
      if (this.#suspects.has(bucket)) this.#gather(this.#gathered, { side, name, figures })
      return
    }
    const amount = figures.length === 1 ? (figures[0] ?? 0n) : combined(figures)
    const weighted = amount * digest.readBigUInt64LE(0)
    // Wraps at 64 bits. A cancellation by chance is as likely as guessing one of 2^64.
    this.#differences[bucket] = (this.#differences[bucket] ?? 0n) + (side === 'one' ? weighted : -weighted)
  }

  #gather(
    gathered: Map<string, { one: bigint[]; other: bigint[] }>,
    { side, name, figures }: { side: 'one' | 'other'; name: string; figures: readonly bigint[] },
  ): void {
    const sides = gathered.get(name) ?? { one: figures.map(() => 0n), other: figures.map(() => 0n) }
    gathered.set(name, sides)
    for (const [at, figure] of figures.entries()) sides[side][at] = (sides[side][at] ?? 0n) + figure
  }
}

/** What each side says, figure by figure. */
export interface Sides {
  readonly one: readonly bigint[]
  readonly other: readonly bigint[]
}

function combined(figures: readonly bigint[]): bigint {
  return figures.reduceRight((sum, figure) => sum * FACTOR + figure, 0n)
}
