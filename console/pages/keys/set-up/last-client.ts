const STORED = 'tollgate.client'

/** The client that was set up last in this browser, by its id; null: none. */
export function lastClient(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

export function keepLastClient(id: string): void {
  try {
    localStorage.setItem(STORED, id)
  } catch {
    // A browser may forbid storage; then the usual clients come first.
  }
}
