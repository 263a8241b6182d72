import type { BarScale } from './bar-scale.ts'
import type { SeriesFill } from './series-colours.ts'

export interface Bar {
  /** Below the axis, where there is room. */
  readonly label: string
  /** The name in full, read aloud and shown on the pointer. */
  readonly name: string
  /** Labels stand where this is a multiple of their step, such as the hour of the day. */
  readonly place: number
  /** One for each series. */
  readonly values: readonly bigint[]
}

export interface BarChartProps {
  readonly label: string
  readonly bars: readonly Bar[]
  /** One for each series, the larger first. */
  readonly fills: readonly SeriesFill[]
  readonly scale: BarScale
  /** The height of the bars, without what is written beside and below them; absent: the usual one. */
  readonly plotPx?: number
  /** How a tick of the scale is written. */
  tickText(value: bigint): string
  /** The bar that is looked at; null: none. */
  readonly active: number | null
  onActive(index: number | null): void
  /** What is said of a bar. */
  barText(index: number): string
  /** Opens a bar: a click, or Enter. */
  onChoose?(index: number): void
}
