import type { BarScale } from './bar-scale.ts'

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
  /** CSS colours, from the lowest up. */
  readonly colours: readonly string[]
  readonly scale: BarScale
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
