import { HOUR_MS } from './durations.ts'

/** A quota's span of time that opens with its first charge, not by the calendar. */
export type QuotaWindow = '5h' | '1d' | '7d' | '30d'

/** The windows that a limit on spending may have. */
export type SpendWindow = '5h' | '1d' | '7d'

/** The windows of a subscription: `term` is its whole life, in which there is one quota. */
export type SubscriptionWindow = QuotaWindow | 'term'

const LENGTHS_MS: Record<QuotaWindow, number> = {
  '5h': 5 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** How long a window lasts once it has opened, in milliseconds. */
export function windowMs(window: QuotaWindow): number {
  return LENGTHS_MS[window]
}
