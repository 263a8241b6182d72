import { PROVIDER_ORGS_REMEMBERED_LIMIT, PROVIDER_ORG_REMEMBERED_MS } from '../core/limits.ts'

interface RememberedPiece {
  readonly providerOrg: string
  /** The name of the credential that it was made with; null: not known. */
  readonly credential: string | null
  readonly at: number
}

/**
 * Remembers which organisation created what passes untouched, by fingerprints of it, in the memory of one process: what it
 * does not know is asked for by a second attempt. Holds so many of the last day; the ones that were seen longest ago go
 * first.
 */
export class ProviderOrgMemory {
  readonly #made = new Map<string, RememberedPiece>()

  /** `now`: a reading of `Clock.elapsed`, as below. Without a credential only who can read it is known. */
  remember(fingerprint: string, by: { providerOrg: string; credential?: string | null }, now: number): void {
    const { providerOrg, credential = null } = by
    const before = this.#made.get(fingerprint)
    // What is set anew stands last.
    this.#made.delete(fingerprint)
    if (this.#made.size >= PROVIDER_ORGS_REMEMBERED_LIMIT) {
      const [oldest] = this.#made.keys()
      if (oldest !== undefined) this.#made.delete(oldest)
    }
    const madeWith = credential ?? (before?.providerOrg === providerOrg ? before.credential : null)
    this.#made.set(fingerprint, { providerOrg, credential: madeWith, at: now })
  }

  /** null: not known, or too long ago. */
  providerOrgOf(fingerprint: string, now: number): string | null {
    return this.#madeBy(fingerprint, now)?.providerOrg ?? null
  }

  /** The name of the credential that it was made with; null: not known, or too long ago. */
  credentialOf(fingerprint: string, now: number): string | null {
    return this.#madeBy(fingerprint, now)?.credential ?? null
  }

  #madeBy(fingerprint: string, now: number): RememberedPiece | null {
    const made = this.#made.get(fingerprint)
    if (made === undefined) return null
    if (now - made.at <= PROVIDER_ORG_REMEMBERED_MS) return made
    this.#made.delete(fingerprint)
    return null
  }
}
