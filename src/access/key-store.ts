import type { NanoUsd } from '../core/money.ts'
import type { ApiKey, KeyStatus, KeyWithOwner, NewKey } from './api-key.ts'
import type { BroughtSecret } from './brought-key.ts'
import type { Change } from './changes.ts'
import type { KeyFilter, KeyOrder, KeyPage, KeyListPlace, Watch, WatchedKey } from './key-list.ts'

/** The keys as the gateway and those who administer them need them. `access` declares it, `store` implements it. */
export interface KeyStore {
  /**
   * The key whose secret, or secret before the last rotation, has this hash (deleted ones and overlaps that ended too, so that
   * the caller can see it), or null. `broughtHash`: of the same secret, as a key of another gateway may be stored; a key with
   * its own hash comes first.
   */
  findByHash(secretHash: string, broughtHash?: string): Promise<KeyWithOwner | null>
  /** Whether any key, deleted ones included, is still stored by the hash that it was brought with. */
  hasBroughtHashes(): Promise<boolean>
  /**
   * Puts the own hash of a secret in place of the one that its key was brought with, with what is shown of it. Does nothing
   * where that was done meanwhile, and where another key has this secret.
   */
  adopt(brought: BroughtSecret, secretHash: string): Promise<Change | null>
  /** Whether a key had a secret with this hash before its last two rotations: of such a secret, only that is known. */
  isRetired(secretHash: string): Promise<boolean>
  findById(id: string): Promise<ApiKey | null>
  /** What these keys are called, by their ids; unknown ones are left out. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The hash of its secret, for an export; null: there is no such key. */
  secretHashOf(id: string): Promise<string | null>
  /** Newest first. Deleted keys are left out unless asked for. */
  list(filter: { accountId?: string; includeDeleted?: boolean; limit: number }): Promise<readonly ApiKey[]>
  /**
   * Keys with what lists show beside them: those behind the place `after` (null: from the first on), and how many pass the
   * filter, counted up to 10,000. Throws RangeError for a limit that is not 1 to 200.
   */
  page(
    filter: KeyFilter,
    page: { readonly order: KeyOrder; readonly after: KeyListPlace | null; readonly limit: number },
  ): Promise<KeyPage>
  /** The tags of keys that are not deleted, those of most keys first; null: of all accounts. */
  tags(accountId: string | null): Promise<readonly { readonly tag: string; readonly keys: number }[]>
  /** Active keys that are near their end or the end of their money; at most 20, the fullest first, then by their date. */
  toWatch(watch: Watch): Promise<readonly WatchedKey[]>
  /**
   * The key whose secret begins with these characters, when all keys that begin so are one account's: the newest of them.
   * Not found by it: deleted ones.
   */
  findByStart(secretStart: string): Promise<ApiKey | null>
  /** When a key was used last and what it cost, ever. */
  activityOf(key: Pick<ApiKey, 'id' | 'accountId'>): Promise<KeyActivity>
  /** How many keys an account has, without those that are deleted. */
  countOf(accountId: string): Promise<number>
  /** The groups that an account's keys are in or fall back to; those of deleted keys are left out. */
  groupIdsOf(accountId: string): Promise<ReadonlySet<string>>
  /**
   * Stores nothing when another key has this hash already, or had it before its last rotation, and when the account has as many
   * keys as it may have: however many are made at once, never more.
   */
  create(key: NewKey, secret: { hash: string; start: string; end: string }, mostDevices?: number): Promise<KeyCreation>
  /** Replaces the settings of a key (not its secret, owner, status). Also moves the limit of the running quota period. */
  update(key: ApiKey): Promise<Change>
  /**
   * `edit` makes the key that is to be from the one that is, which is locked meanwhile: its settings, its raise and its status.
   * What it throws is thrown on, and nothing is changed. A raise ends where another quota is set. null: a deleted key, or an
   * unknown id. `seq` null: nothing was different.
   */
  edit(id: string, edit: (before: ApiKey) => ApiKey, nowMs: number): Promise<EditedKey | null>
  /** Keys whose raised quota is to end by `nowMs`: those first that were to end first. A raise that stands no more is removed. */
  raisesDue(nowMs: number, limit: number): Promise<readonly string[]>
  /** Changes the status. A deleted key stays deleted: returns null for one, and for an unknown id. */
  setStatus(id: string, status: KeyStatus, nowMs: number): Promise<Change | null>
  /**
   * Gives the key a new secret; the one it has works until `overlapEndsAt`, and one from an earlier rotation no more. null: a
   * deleted key, a device's, or an unknown id.
   */
  rotate(
    id: string,
    secret: { hash: string; start: string; end: string },
    overlapEndsAt: number,
  ): Promise<Change | null>
  /** When secrets from before a rotation were used last. Running gateways do not hear of it. */
  notePreviousUse(uses: readonly PreviousUse[]): Promise<void>
  /** Notes the addresses from which keys were used last; of two nodes the later use stays. Running gateways do not hear of it. */
  noteAddresses(uses: readonly AddressUse[]): Promise<void>
}

/** `overlapEndsAt` tells which of the key's earlier secrets it was. Epoch milliseconds. */
export interface PreviousUse {
  readonly keyId: string
  readonly overlapEndsAt: number
  readonly lastUsedAt: number
}

/** A key was used from an address. Epoch milliseconds. */
export interface AddressUse {
  readonly keyId: string
  readonly accountId: string
  readonly address: string
  readonly usedAt: number
}

/** `most`: keys that the account may have. */
export type KeyCreation = { readonly kind: 'created' | 'taken' } | { readonly kind: 'too_many'; readonly most: number }

export interface KeyActivity {
  readonly lastUsedAt: number | null
  readonly spent: NanoUsd
  /** null: it was never used since addresses are kept, or was deleted. */
  readonly lastAddress: string | null
}

export interface EditedKey {
  readonly before: ApiKey
  readonly after: ApiKey
  /** The number of the change that running gateways follow. */
  readonly seq: number | null
}
