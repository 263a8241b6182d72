import { useSyncExternalStore } from 'react'
import { keptTexts } from '../../table/kept-texts.ts'

// Which notices were read, kept by this browser for each account: what was read on one device may be news on another.

const KEPT = keptTexts('tollgate.seen.')

/** The ids of what was read, as this browser remembers them. Empty where it may keep nothing. */
export function useSeen(accountId: string): readonly string[] {
  return readIds(useSyncExternalStore(KEPT.onChange, () => KEPT.read(accountId)) ?? '')
}

/** Remembers what was read. Only what there still is, so that what comes again is news. */
export function keepSeen(accountId: string, ids: readonly string[]): void {
  KEPT.change(accountId, () => JSON.stringify(ids))
}

/** What something else wrote there counts as nothing. */
export function readIds(text: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
