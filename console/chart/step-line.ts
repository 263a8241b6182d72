/** A value and the time from which it holds. */
export interface Step {
  /** Epoch milliseconds. */
  readonly at: number
  readonly amount: bigint
}

/**
 * What stays until it changes, as the path of a line: steps, the first and the last of which go on to the edges. It is drawn
 * from 0, or from below it, up to the most.
 */
export function stepLine(
  steps: readonly Step[],
  by: { readonly fromMs: number; readonly toMs: number; readonly width: number; readonly height: number },
): string {
  const { fromMs, toMs, width, height } = by
  const most = steps.reduce((max, { amount }) => (amount > max ? amount : max), 0n)
  const least = steps.reduce((min, { amount }) => (amount < min ? amount : min), 0n)
  const range = Number(most - least) || 1
  const drawn = steps.map(({ at, amount }, index) => {
    const y = (height - (Number(amount - least) / range) * height).toFixed(1)
    if (index === 0) return `M0 ${y}`
    const share = Math.min(1, Math.max(0, (at - fromMs) / (toMs - fromMs || 1)))
    return `H${(share * width).toFixed(1)}V${y}`
  })
  return `${drawn.join('')}H${width}`
}
