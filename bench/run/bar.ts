/** One line of the table at the end of the bench. */
import type { Figure } from './measure/figures.ts'

export interface Bar extends BarLimits {
  readonly name: string
  /** Null: it could not be taken, because something else used the cores. */
  readonly figure: Figure | null
  readonly met: boolean
}

export interface BarLimits {
  readonly unit: '×' | 'ms' | 'MB'
  /** The most that is allowed, of the median; null: nothing was promised, but it belongs beside the others. */
  readonly limit: number | null
  /** What is aimed at, which nothing depends on; null: nothing. */
  readonly goal: number | null
  /** More is better: the goal is the least that is aimed at. */
  readonly atLeast?: boolean
}
