import type { KeyWithOwner } from './api-key.ts'
import type { KeyStore, PreviousUse } from './key-store.ts'

const WRITTEN_MS = 10_000
/** A rotation that is under way for more keys than this is shown with gaps. */
const KEYS_LIMIT = 10_000

/**
 * When secrets from before a rotation were used last on this node. A request only notes it here. What is new is written: the
 * first use after a while at once, since an admin who rotates looks for it, and those that follow every ten seconds for each key.
 */
export class PreviousSecretUse {
  readonly #store: Pick<KeyStore, 'notePreviousUse'>
  readonly #seen = new Map<string, PreviousUse>()
  readonly #writtenAt = new Map<string, number>()
  readonly #onFirst: () => void
  #isAnnounced = false

  /** `onFirst`: something should be written at once. It is called once until the next `write`. */
  constructor(store: Pick<KeyStore, 'notePreviousUse'>, onFirst: () => void = () => {}) {
    this.#store = store
    this.#onFirst = onFirst
  }

  note({ key }: KeyWithOwner, nowMs: number): void {
    const endsAt = key.overlap?.endsAt ?? 0
    if (nowMs >= endsAt || (this.#seen.size >= KEYS_LIMIT && !this.#seen.has(key.id))) return
    this.#seen.set(key.id, { keyId: key.id, overlapEndsAt: endsAt, lastUsedAt: nowMs })
    if (this.#isAnnounced || this.#writtenAt.has(key.id)) return
    this.#isAnnounced = true
    this.#onFirst()
  }

  /** Writes what is due; to be called every few seconds. Rejects with what the database said; nothing is lost by that. */
  async write(nowMs: number): Promise<void> {
    this.#isAnnounced = false
    const due = [...this.#seen.values()].filter(
      ({ keyId }) => Math.abs(nowMs - (this.#writtenAt.get(keyId) ?? -Infinity)) >= WRITTEN_MS,
    )
    if (due.length > 0) await this.#store.notePreviousUse(due)
    for (const use of due) {
      if (this.#seen.get(use.keyId) === use) this.#seen.delete(use.keyId)
      this.#writtenAt.set(use.keyId, nowMs)
    }
    for (const [keyId, atMs] of this.#writtenAt) if (Math.abs(nowMs - atMs) >= WRITTEN_MS) this.#writtenAt.delete(keyId)
  }

  /** Writes everything, before the node leaves. */
  async finish(): Promise<void> {
    if (this.#seen.size > 0) await this.#store.notePreviousUse([...this.#seen.values()])
    this.#seen.clear()
  }
}
