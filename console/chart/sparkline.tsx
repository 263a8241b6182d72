import type { ReactNode } from 'react'
import { nanoOf } from '../format/decimal.ts'

/** The amount of a day. */
export interface SparkDay {
  /** RFC 3339: when it begins. */
  readonly at: string
  readonly cost: string
}

const DAY_MS = 86_400_000
/** What is little is still seen. */
const LEAST_SHARE = 0.06

/**
 * The last days as bars, too small for an axis: `label` says in words what they show. Days without anything are gaps. `days`:
 * those with something; `count`: how many are drawn, up to `until`.
 */
export function Sparkline(props: {
  readonly days: readonly SparkDay[]
  readonly count: number
  /** Epoch milliseconds. */
  readonly until: number
  readonly label: string
  readonly className?: string
}): ReactNode {
  const heights = sparkHeights(props.days, props)
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`0 0 ${props.count * 4} 24`}
      preserveAspectRatio="none"
      className={props.className}
    >
      <path d={`M0 23.5H${props.count * 4}`} className="stroke-line" strokeWidth={1} />
      {heights.map((height, index) =>
        height === 0 ? null : (
          <rect
            key={index}
            x={index * 4 + 0.5}
            width={3}
            y={24 - height * 24}
            height={height * 24}
            className="fill-accent"
          />
        ),
      )}
    </svg>
  )
}

/** Heights from 0 to 1, the earliest day first. */
export function sparkHeights(
  days: readonly SparkDay[],
  { count, until }: { readonly count: number; readonly until: number },
): readonly number[] {
  const sums = Array.from({ length: count }, () => 0n)
  for (const { at, cost } of days) {
    const place = count - 1 - Math.floor((until - Date.parse(at)) / DAY_MS)
    if (place >= 0 && place < count) sums[place] = (sums[place] ?? 0n) + nanoOf(cost)
  }
  const most = sums.reduce((a, b) => (b > a ? b : a), 0n)
  return sums.map((sum) => (sum <= 0n ? 0 : Math.max(LEAST_SHARE, Number((sum * 1000n) / most) / 1000)))
}
