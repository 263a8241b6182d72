import { KEYS_IN_MEMORY_LIMIT, UNKNOWN_KEYS_LIMIT } from '../core/limits.ts'
import type { KeyWithOwner } from './api-key.ts'
import type { BroughtSecret } from './brought-key.ts'
import type { KeyStore } from './key-store.ts'

/** A read that meets a change is done again, at most this often. */
const READS_LIMIT = 50

/** `isReplaced`: a key had it before. `isByBoth`: it was looked for by the hash too that another gateway would have of it. */
interface UnknownSecret {
  readonly isReplaced: boolean
  readonly isByBoth: boolean
}

/**
 * The API keys in this process's memory, by the hash of their secrets. What is in it is true: a change of a key or an
 * account tells every ring to forget it before the change counts as done.
 */
export class KeyRing {
  readonly #store: KeyStore
  readonly #byHash = new Map<string, KeyWithOwner>()
  /** The hashes by which each key is in memory: one as a rule, more after a rotation and for the secrets of a device. */
  readonly #hashesByKeyId = new Map<string, readonly string[]>()
  /** Secrets that open no key. */
  readonly #unknown = new Map<string, UnknownSecret>()
  readonly #loading = new Map<string, Promise<KeyWithOwner | null>>()
  /** Grows with every change: what was read before a change must not be remembered after it. */
  #changes = 0

  constructor(store: KeyStore) {
    this.#store = store
  }

  /**
   * The key, null when it is known that there is none, undefined when the database has to be asked (`load`). `isByBoth`: it
   * would be asked for a key that was brought, too.
   */
  find(secretHash: string, isByBoth = false): KeyWithOwner | null | undefined {
    const found = this.#byHash.get(secretHash)
    if (found !== undefined) return found
    const unknown = this.#unknown.get(secretHash)
    return unknown === undefined || (isByBoth && !unknown.isByBoth) ? undefined : null
  }

  /** Whether a key had this secret and has been rotated twice since; for a secret for which `load` found no key. */
  isReplaced(secretHash: string): boolean {
    return this.#unknown.get(secretHash)?.isReplaced === true
  }

  /** Whether this is still what the ring has: nothing about it was changed since it was found. */
  isCurrent(entry: KeyWithOwner): boolean {
    return this.#hashesByKeyId.get(entry.key.id)?.some((hash) => this.#byHash.get(hash) === entry) === true
  }

  /**
   * Reads the key from the database; callers of the same moment share one query. Rejects when it does not answer. `brought`: of
   * the same secret, where a key of another gateway may have it; that key is then stored by its own hash from now on.
   */
  load(secretHash: string, brought?: BroughtSecret): Promise<KeyWithOwner | null> {
    const name = brought?.hash ?? secretHash
    const running = this.#loading.get(name)
    if (running !== undefined) return running
    const loading = this.#read(secretHash, brought).finally(() => this.#loading.delete(name))
    this.#loading.set(name, loading)
    return loading
  }

  /** A key was created or changed. */
  forgetKey(keyId: string): void {
    this.#changed()
    for (const hash of this.#hashesByKeyId.get(keyId) ?? []) this.#drop(hash)
  }

  forgetAccount(accountId: string): void {
    this.#changed()
    for (const [hash, entry] of this.#byHash) if (entry.account.id === accountId) this.#drop(hash)
  }

  forgetAll(): void {
    this.#changed()
    this.#byHash.clear()
    this.#hashesByKeyId.clear()
  }

  async #read(secretHash: string, brought?: BroughtSecret): Promise<KeyWithOwner | null> {
    for (let look = 0; look < READS_LIMIT; look++) {
      const before = this.#changes
      const found = await this.#store.findByHash(secretHash, brought?.hash)
      if (found?.isByBroughtHash === true && brought !== undefined) {
        if (await this.#isAdopted(secretHash, brought)) continue
        return found
      }
      const isReplaced = found === null && (await this.#isRetired(secretHash, brought))
      if (before !== this.#changes) continue
      if (found === null) this.#rememberUnknown(secretHash, { isReplaced, isByBoth: brought !== undefined })
      else this.#remember(secretHash, found)
      return found
    }
    throw new Error(`keys changed during each of ${READS_LIMIT} reads of one key`)
  }

  /** A key works by the hash that it came with for as long as its own cannot be written. */
  async #isAdopted(secretHash: string, brought: BroughtSecret): Promise<boolean> {
    try {
      await this.#store.adopt(brought, secretHash)
      return true
    } catch {
      return false
    }
  }

  async #isRetired(secretHash: string, brought: BroughtSecret | undefined): Promise<boolean> {
    if (await this.#store.isRetired(secretHash)) return true
    return brought !== undefined && (await this.#store.isRetired(brought.hash))
  }

  #rememberUnknown(secretHash: string, what: UnknownSecret): void {
    const oldest = this.#unknown.size < UNKNOWN_KEYS_LIMIT ? undefined : this.#unknown.keys().next().value
    if (oldest !== undefined) this.#unknown.delete(oldest)
    this.#unknown.set(secretHash, what)
  }

  #remember(secretHash: string, found: KeyWithOwner): void {
    const oldest = this.#byHash.size < KEYS_IN_MEMORY_LIMIT ? undefined : this.#byHash.keys().next().value
    if (oldest !== undefined) this.#drop(oldest)
    this.#byHash.set(secretHash, found)
    const { id } = found.key
    const others = this.#hashesByKeyId.get(id)?.filter((hash) => hash !== secretHash) ?? []
    this.#hashesByKeyId.set(id, [...others, secretHash])
  }

  #drop(hash: string): void {
    const entry = this.#byHash.get(hash)
    this.#byHash.delete(hash)
    if (entry === undefined) return
    const others = this.#hashesByKeyId.get(entry.key.id)?.filter((each) => each !== hash) ?? []
    if (others.length === 0) this.#hashesByKeyId.delete(entry.key.id)
    else this.#hashesByKeyId.set(entry.key.id, others)
  }

  #changed(): void {
    this.#changes += 1
    this.#unknown.clear()
  }
}
