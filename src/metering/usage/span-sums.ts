/**
 * Sums of closed hours, days and blocks of days over all accounts. Nothing follows from them: what was not made, or has got
 * another request since, is read from the sums of hours. Any number of nodes may make them at once, and be killed at it.
 */
export interface SpanSums {
  /** Where the window of the oldest requests begins, epoch milliseconds; null: there are none. */
  oldestWindow(): Promise<number | null>
  /**
   * Makes the sums that a window of sixteen days lacks and that can be made by now; returns how many. `pause` is given the
   * milliseconds that the writing before took, for which settlements may have waited.
   */
  fillWindow(
    atMs: number,
    by: {
      readonly nowMs: number
      readonly signal: AbortSignal
      elapsed(): number
      pause(afterMs: number): Promise<void>
    },
  ): Promise<number>
}

export const SPAN_WINDOW_MS = 16 * 86_400_000
