import { useSyncExternalStore } from 'react'

// Which notices were read, kept by this browser for each account: what was read on one device may be news on another.

const NAME = 'tollgate.seen.'
const listeners = new Set<() => void>()

/** The ids of what was read, as this browser remembers them. Empty where it may keep nothing. */
export function useSeen(accountId: string): readonly string[] {
  const text = useSyncExternalStore(subscribe, () => remembered(accountId))
  return readIds(text)
}

/** Remembers what was read. Only what there still is, so that what comes again is news. */
export function keepSeen(accountId: string, ids: readonly string[]): void {
  try {
    localStorage.setItem(NAME + accountId, JSON.stringify(ids))
  } catch {
    // It is news again with the next visit.
  }
  for (const listener of listeners) listener()
}

function remembered(accountId: string): string {
  try {
    return localStorage.getItem(NAME + accountId) ?? ''
  } catch {
    return ''
  }
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
