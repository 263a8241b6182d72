/** How much is seeded, and from which numbers. The same plan makes the same rows. */
export interface SeedPlan {
  readonly accounts: number
  /** Keys of all accounts together. */
  readonly keys: number
  readonly records: number
  readonly days: number
  /** Where the span of the records ends: epoch milliseconds. */
  readonly untilMs: number
  readonly seed: number
}

/** The first account has so much of everything. */
export const BIG_ACCOUNT = { keys: 0.2, records: 0.4 }

/** Pseudo-random numbers from 0 to 1, the same ones for the same seed (xorshift of 32 bits). */
export function randomsFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
}

/** A place among `count`, the first ones far more often than the last: the n-th about 1/n times as often as the first. */
export function skewed(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count + 1))) - 1)
}

/** The key's digits: sixteen of base 32, from two random numbers. */
export function idDigits(random: () => number): string {
  const half = () =>
    Math.floor(random() * 0xff_ffff_ffff)
      .toString(32)
      .padStart(8, '0')
  return (half() + half()).replace(/[ilou]/g, 'z')
}
