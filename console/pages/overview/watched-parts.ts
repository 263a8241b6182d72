import type { Overview } from '../../../src/contract/overview.ts'
import { shareOf } from '../../format/money.ts'

export type WatchedKey = Overview['keys'][number]

/** What is watched, by keys. */
export interface WatchedParts {
  /** Keys without any quota left. */
  readonly spent: readonly WatchedKey[]
  /** All that is to be said of each other key. */
  readonly others: readonly (readonly [WatchedKey, ...WatchedKey[]])[]
}

/** Each key once: one with a used-up quota has no other news. */
export function watchedParts(keys: Overview['keys']): WatchedParts {
  const spent = keys.filter(({ why, used, limit }) => why === 'quota' && shareOf(used ?? '0', limit ?? '0') === 1)
  const spentIds = new Set(spent.map(({ id }) => id))
  const byKey = Map.groupBy(
    keys.filter(({ id }) => !spentIds.has(id)),
    ({ id }) => id,
  )
  const others = [...byKey.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const],
  )
  return { spent, others }
}

/** Alerts about what is not watched: of those keys more is said already. */
export function otherAlerts({ alerts, keys }: Pick<Overview, 'alerts' | 'keys'>): Overview['alerts'] {
  const watched = new Set(keys.map(({ id }) => id))
  return alerts.filter(({ subject_id: id }) => !watched.has(id))
}

/** About how high each is, in lines of a list. */
const HEIGHTS = { days: 6, requests: 2, keys: 2, subscriptions: 2, key: 1.5, subscription: 1.5, alert: 1.2 }

/** Whether alerts stand below the requests, so that the columns end at nearly the same height. */
export function areAlertsLeft(overview: Pick<Overview, 'keys' | 'subscriptions' | 'alerts' | 'requests'>): boolean {
  const { spent, others } = watchedParts(overview.keys)
  const left = HEIGHTS.days + HEIGHTS.requests + overview.requests.length
  const right =
    HEIGHTS.keys +
    HEIGHTS.key * (Math.min(6, others.length) + Math.min(1, spent.length)) +
    (overview.subscriptions.length === 0 ? 0 : HEIGHTS.subscriptions) +
    HEIGHTS.subscription * overview.subscriptions.length
  return right + HEIGHTS.alert * overview.alerts.length > left
}
