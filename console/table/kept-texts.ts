/** A text that this browser keeps for each account: two who share it do not share these. */
export interface KeptTexts {
  /** The text that is kept; null: nothing. */
  read(accountId: string | null): string | null
  /** Changes what is kept by now, which another tab may have changed. null: it is kept no longer. */
  change(accountId: string | null, change: (text: string | null) => string | null): void
  /** Returns what ends it. */
  onChange(listener: () => void): () => void
}

/** The owner of what needs no sign-in. */
const SIGNED_OUT = 'signed-out'

/** `prefix`: before the account's ID in the names of the browser's storage. */
export function keptTexts(prefix: string): KeptTexts {
  /** Where the browser keeps nothing: as long as the page is open. */
  const unkept = new Map<string, string | null>()
  const listeners = new Set<() => void>()
  const nameOf = (accountId: string | null): string => prefix + (accountId ?? SIGNED_OUT)
  const read = (accountId: string | null): string | null => {
    const name = nameOf(accountId)
    const here = unkept.get(name)
    if (here !== undefined) return here
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  return {
    read,
    change(accountId, change) {
      const name = nameOf(accountId)
      const text = change(read(accountId))
      try {
        if (text === null) localStorage.removeItem(name)
        else localStorage.setItem(name, text)
        unkept.delete(name)
      } catch {
        unkept.set(name, text)
      }
      for (const listener of listeners) listener()
    },
    onChange(listener) {
      listeners.add(listener)
      // Another tab.
      addEventListener('storage', listener)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', listener)
      }
    },
  }
}
