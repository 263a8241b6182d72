import { FULL_HEIGHT, heightOf } from './bar-scale.ts'
import type { BarChartProps } from './bars.ts'

/** The height of the bars, without what is written beside and below them. */
export const PLOT_HEIGHT_PX = 220

const BAR_SHARE = 0.72
const WIDEST_BAR_PX = 44
/** Narrower ones have no gap between their parts: it would be all that is seen of them. */
const NARROWEST_WITH_GAPS_PX = 10
/** What is little is still seen: three pixels or so. */
const LEAST_HEIGHT = FULL_HEIGHT / 75

export interface BarShapes {
  /**
   * One SVG path for each series, from the lowest up, with all of its bars: they stand on the ground, as high as all below
   * them and themselves. Drawn from the last to the first, so that each is painted over the foot of the one above it.
   */
  readonly paths: readonly string[]
  readonly hasGaps: boolean
}

/** The bars of a chart, as wide as `widthPx` allows. */
export function barShapes(
  { bars, colours, scale }: Pick<BarChartProps, 'bars' | 'colours' | 'scale'>,
  widthPx: number,
): BarShapes {
  const columnPx = widthPx / bars.length
  const barPx = Math.max(1, Math.min(WIDEST_BAR_PX, columnPx * BAR_SHARE))
  const ends = bars.map((_, index) => {
    const middle = (index + 0.5) * columnPx
    return { left: Math.round(middle - barPx / 2), right: Math.round(middle + barPx / 2) }
  })
  const sums = bars.map(() => 0n)
  const paths = colours.map((_, series) =>
    bars
      .map(({ values }, index) => {
        const value = values[series] ?? 0n
        const sum = (sums[index] ?? 0n) + value
        sums[index] = sum
        const { left = 0, right = 0 } = ends[index] ?? {}
        return value === 0n ? '' : `M${left} ${PLOT_HEIGHT_PX}V${topPx(sum, scale)}H${right}V${PLOT_HEIGHT_PX}Z`
      })
      .join(''),
  )
  return { paths, hasGaps: columnPx >= NARROWEST_WITH_GAPS_PX }
}

function topPx(sum: bigint, scale: BarChartProps['scale']): number {
  return yOf(Math.max(LEAST_HEIGHT, heightOf(sum, scale)))
}

/** How far below the top of the chart a part of its height ends. */
export function yOf(height: number): number {
  return Math.round((1 - height / FULL_HEIGHT) * PLOT_HEIGHT_PX)
}
