import { DAY_MS } from '../core/durations.ts'

/** What an owner hears before it comes: the expiry of a key, the end of a subscription. */
export const ENDING_ALERTS = ['key_ending', 'subscription_ending'] as const
export type AnnouncedEnd = (typeof ENDING_ALERTS)[number]

/**
 * `renewal_failed`: a subscription that was to be renewed from the balance ends all the same. Its limit is what the plan
 * costs now (0: it is not sold any more), and used is what the balance lacks of it (0: it costs more than was agreed to).
 */
export type EndingAlertKind = AnnouncedEnd | 'renewal_failed'

export function isEndingAlert(kind: string): kind is EndingAlertKind {
  return kind === 'renewal_failed' || ENDING_ALERTS.some((each) => each === kind)
}

/** One time at which an end is announced. */
export interface EndNotice {
  /** Part of the id of its alert: each end is announced once for each notice. */
  readonly name: string
  /** How long before the end it becomes due … */
  readonly fromMs: number
  /** … until so long before it: then the next one is due in its place, and after an outage only one comes. */
  readonly untilMs: number
}

export const END_NOTICES: readonly EndNotice[] = [
  { name: '7d', fromMs: 7 * DAY_MS, untilMs: DAY_MS },
  { name: '1d', fromMs: DAY_MS, untilMs: 0 },
]

/** What lasts less than so many times a notice is not announced by it: who makes a key for a day knows when it ends. */
export const LASTS_AT_LEAST = 2

export interface EndingAlertStore {
  /**
   * Notes an alert for each active key, and each subscription, whose end is announced at `nowMs`, the nearest end first; at
   * most `limit` of each kind at a time, once for each end and notice however often and on however many nodes it is called.
   * A later end (a key made valid for longer, a subscription renewed) is announced anew. Not announced: keys of the
   * playground, subscriptions that are renewed from the balance, what belongs to an account that is not active, and a subscription that is followed by another to the same
   * plan. Returns how many were noted.
   */
  announceEnds(nowMs: number, limit: number): Promise<number>
}
