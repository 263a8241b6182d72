import type { ApiKey, KeyStatus, KeyWithOwner, NewKey } from './api-key.ts'
import type { Change } from './changes.ts'

/** The keys as the gateway and those who administer them need them. `access` declares it, `store` implements it. */
export interface KeyStore {
  /** The key whose secret has this hash (deleted ones too, so that the caller can be told), or null. */
  findByHash(secretHash: string): Promise<KeyWithOwner | null>
  findById(id: string): Promise<ApiKey | null>
  /** Newest first. Deleted keys are left out unless asked for. */
  list(filter: { accountId?: string; includeDeleted?: boolean; limit: number }): Promise<readonly ApiKey[]>
  /** Returns false, and stores nothing, when another key has this hash already. */
  create(key: NewKey, secret: { hash: string; start: string; end: string }): Promise<boolean>
  /** Replaces the settings of a key (not its secret, owner, status). Also moves the limit of the running quota period. */
  update(key: ApiKey): Promise<Change>
  /** Changes the status. A deleted key stays deleted: returns null for one, and for an unknown id. */
  setStatus(id: string, status: KeyStatus, nowMs: number): Promise<Change | null>
}
