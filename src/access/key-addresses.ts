import type { ApiKey } from './api-key.ts'
import type { AddressUse, KeyStore } from './key-store.ts'

/** An address that stays the same is written again after so long, for nodes that see the key come from elsewhere. */
const AGAIN_MS = 600_000
/** How many keys in use at the same time are remembered; beyond them the longest known ones are written again, too. */
const KEYS_LIMIT = 10_000
/** How many are written at a time, so that settlements never wait long behind these. */
const WRITTEN_AT_ONCE = 500

/**
 * The addresses from which keys were used last on this node. A request that comes from where its key's last one came from costs
 * a look into a map; what is new is written from time to time.
 */
export class KeyAddresses {
  readonly #store: Pick<KeyStore, 'noteAddresses'>
  readonly #known = new Map<string, { readonly address: string; readonly againAt: number }>()
  readonly #waiting = new Map<string, AddressUse>()

  constructor(store: Pick<KeyStore, 'noteAddresses'>) {
    this.#store = store
  }

  note({ id: keyId, accountId }: Pick<ApiKey, 'id' | 'accountId'>, address: string, nowMs: number): void {
    const known = this.#known.get(keyId)
    if (known !== undefined && known.address === address && nowMs < known.againAt) return
    if (known === undefined && this.#known.size >= KEYS_LIMIT) this.#forgetOldest()
    this.#known.set(keyId, { address, againAt: nowMs + AGAIN_MS })
    if (this.#waiting.size < KEYS_LIMIT || this.#waiting.has(keyId)) {
      this.#waiting.set(keyId, { keyId, accountId, address, usedAt: nowMs })
    }
  }

  /** Writes what is new; to be called every few seconds. Rejects with what the database said; nothing is lost by that. */
  async write(): Promise<void> {
    const due = [...this.#waiting.values()].slice(0, WRITTEN_AT_ONCE)
    if (due.length > 0) await this.#store.noteAddresses(due)
    for (const use of due) if (this.#waiting.get(use.keyId) === use) this.#waiting.delete(use.keyId)
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
