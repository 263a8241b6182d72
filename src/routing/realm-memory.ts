import { REALMS_REMEMBERED_LIMIT, REALM_REMEMBERED_MS } from '../core/limits.ts'

interface Made {
  readonly realm: string
  readonly at: number
}

/**
 * Which realm made what passes untouched, by fingerprints of it, in the memory of one process: what it does not know is asked
 * for by a second attempt. Holds so many of the last day; the ones that were seen longest ago go first.
 */
export class RealmMemory {
  readonly #made = new Map<string, Made>()

  /** `now`: a reading of `Clock.elapsed`, as below. */
  remember(fingerprint: string, realm: string, now: number): void {
    // What is set anew stands last.
    this.#made.delete(fingerprint)
    if (this.#made.size >= REALMS_REMEMBERED_LIMIT) {
      const [oldest] = this.#made.keys()
      if (oldest !== undefined) this.#made.delete(oldest)
    }
    this.#made.set(fingerprint, { realm, at: now })
  }

  /** null: not known, or too long ago. */
  realmOf(fingerprint: string, now: number): string | null {
    const made = this.#made.get(fingerprint)
    if (made === undefined) return null
    if (now - made.at <= REALM_REMEMBERED_MS) return made.realm
    this.#made.delete(fingerprint)
    return null
  }
}
