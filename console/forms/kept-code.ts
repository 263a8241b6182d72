/** Where `first-paint.ts` and this file keep the code: in this tab, so that it outlives the way over the sign-in page. */
const NAME = 'tollgate.device-code'
/** How long a program waits for its approval. */
const OLDEST_MS = 600_000
const MOST_CHARACTERS = 20

/** A code of a program that asks to be signed in. */
export interface AskedCode {
  readonly code: string
  /** Whether its reader typed it, which shows that they see the program; a link may come from anyone. */
  readonly isTyped: boolean
}

/** Forgets the code that waits in this tab, as at a deliberate sign-out. */
export function forgetCode(): void {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** What is kept in the tab, and young enough that a program may wait for it. */
export function keptCode(nowMs: number): AskedCode | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
    const { code, isTyped, at } = found as Readonly<Record<string, unknown>>
    if (typeof code !== 'string' || typeof at !== 'number' || nowMs - at >= OLDEST_MS) return null
    return { code: code.slice(0, MOST_CHARACTERS), isTyped: isTyped === true }
  } catch {
    return null
  }
}

/** Keeps what is to be decided in this tab. */
export function keepCode(asked: AskedCode, nowMs: number): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ ...asked, at: nowMs }))
  } catch {
    // It is shown all the same, and gone with the page.
  }
}
