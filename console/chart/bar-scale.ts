/** The height of a chart in parts: what is drawn is a share of it, so that exact amounts never become floats. */
export const FULL_HEIGHT = 1_000_000

export interface BarScale {
  /** What the top of the chart stands for: at most 15 % above the largest value. */
  readonly top: bigint
  /** The marks from zero up, in even and round steps. */
  readonly ticks: readonly bigint[]
}

const MOST_STEPS = 5n
const ROUND = [1n, 2n, 5n]

/** A scale from zero that `largest` fits into. Where there is nothing to draw, it has nothing to say but zero. */
export function barScale(largest: bigint): BarScale {
  if (largest <= 0n) return { top: 1n, ticks: [0n] }
  const step = roundStep((largest + MOST_STEPS - 1n) / MOST_STEPS)
  const next = ((largest + step - 1n) / step) * step
  // A mark that is far above all bars would leave the chart half empty.
  const top = next * 100n <= largest * 115n ? next : largest + largest / 20n
  return { top, ticks: Array.from({ length: Number(top / step) + 1 }, (_, index) => BigInt(index) * step) }
}

/** `value` as a part of the height. */
export function heightOf(value: bigint, { top }: BarScale): number {
  return Number((value * BigInt(FULL_HEIGHT)) / top)
}

/** The smallest of 1, 2, 5, 10, 20 … that is not below. */
function roundStep(least: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const found = ROUND.find((digit) => digit * power >= least)
    if (found !== undefined) return found * power
  }
}
