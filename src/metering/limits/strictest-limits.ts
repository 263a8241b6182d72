import type { LimitState } from './limit-terms.ts'

/**
 * Returns, of each limit that a key and its account both have, the one that allows less now; where that is the same, the one that is
 * free again later. In the order of the key's, then of what the account has besides.
 */
export function strictestLimits(ofKey: readonly LimitState[], ofAccount: readonly LimitState[]): readonly LimitState[] {
  const merged = ofKey.map((state) => {
    const other = ofAccount.find(({ limit }) => limit === state.limit)
    return other !== undefined && isTighter(other, state) ? other : state
  })
  return [...merged, ...ofAccount.filter(({ limit }) => !ofKey.some((state) => state.limit === limit))]
}

function isTighter(one: LimitState, other: LimitState): boolean {
  const [room, otherRoom] = [one.max - one.used, other.max - other.used]
  return room < otherRoom || (room === otherRoom && one.resetMs > other.resetMs)
}
