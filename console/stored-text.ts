/** What this browser keeps under a name; null: nothing. A browser may forbid storage altogether. */
export function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function storeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing is kept then.
  }
}
