import { FULL_HEIGHT, heightOf } from './bar-scale.ts'
import type { BarChartProps } from './bars.ts'

/** The usual height of the bars. */
export const PLOT_PX = 220

const BAR_SHARE = 0.7
const WIDEST_BAR_PX = 96
const CORNER_PX = 2
/** Narrower ones have no room for round corners. */
const NARROWEST_ROUND_PX = 6
/** What is little is still seen: three pixels or so. */
const LEAST_HEIGHT = FULL_HEIGHT / 75

/**
 * One SVG path for each series, with all of its bars: they stand on the ground, as high as all below them and themselves.
 * The lowest first; drawn from the last to the first, so that each is painted over the foot of the one above it. What is
 * hatched is the lowest.
 */
export function barShapes(
  { bars, fills, scale, plotPx = PLOT_PX }: Pick<BarChartProps, 'bars' | 'fills' | 'scale' | 'plotPx'>,
  widthPx: number,
): readonly { readonly series: number; readonly path: string }[] {
  const columnPx = widthPx / bars.length
  const barPx = Math.max(1, Math.min(WIDEST_BAR_PX, columnPx * BAR_SHARE))
  const places = fills.map((_, series) => series)
  const isRest = (series: number): boolean => fills[series]?.look === 'hatched'
  const order = [...places.filter(isRest), ...places.filter((series) => !isRest(series))]
  const columns = bars.map(({ values }, index) => {
    const middle = (index + 0.5) * columnPx
    const left = Math.round(middle - barPx / 2)
    const highest = order.findLast((series) => (values[series] ?? 0n) > 0n)
    return { left, right: Math.max(left + 1, Math.round(middle + barPx / 2)), values, highest, sum: 0n }
  })
  return order.map((series) => {
    const shapes = columns.map((column) => {
      const value = column.values[series] ?? 0n
      column.sum += value
      if (value === 0n) return ''
      const isRound = series === column.highest && barPx >= NARROWEST_ROUND_PX
      const top = yOf(Math.max(LEAST_HEIGHT, heightOf(column.sum, scale)), plotPx)
      return outline(column, { top, foot: plotPx, corner: isRound ? CORNER_PX : 0 })
    })
    return { series, path: shapes.join('') }
  })
}

function outline(
  { left, right }: { readonly left: number; readonly right: number },
  { top, foot, corner }: { readonly top: number; readonly foot: number; readonly corner: number },
): string {
  const head =
    corner === 0
      ? `V${top}H${right}`
      : `V${top + corner}Q${left} ${top} ${left + corner} ${top}H${right - corner}Q${right} ${top} ${right} ${top + corner}`
  return `M${left} ${foot}${head}V${foot}Z`
}

/** How far below the top of the chart a part of its height ends. */
export function yOf(height: number, plotPx: number): number {
  return Math.round((1 - height / FULL_HEIGHT) * plotPx)
}
