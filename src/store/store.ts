import type { AttemptLimiter } from '../access/attempt-limiter.ts'
import type { AdministeredStores, KeptSettings, LockableSettings } from '../entitlement/administered-stores.ts'
import type { IdempotencyStore } from '../access/idempotency.ts'
import type { ImportedStore } from '../import/import-store.ts'
import type { AdminAlertStore, AlertHistory, AlertStore } from '../alerts/alert.ts'
import type { RetentionStore } from '../metering/usage/retention.ts'
import type { UsageStore } from '../metering/usage/usage-store.ts'
import type { NodeStore } from '../cluster/nodes.ts'
import type { BudgetStore, LeaseStore } from '../metering/budgets/budget.ts'
import type { OpenRequestStore } from '../metering/usage/open-request.ts'
import type { SettlementStore } from '../metering/settle/settlement.ts'
import type { ListedModelStore } from '../routing/listed-models.ts'
import type { MintedTokenStore } from '../routing/minted-tokens.ts'
import type { EngineLink } from './engine/engine.ts'
import type { StoreSize } from './store-size.ts'
import type { StoredResponseStore } from '../routing/stored-responses.ts'

/** The stores of one transaction. */
export interface TransactionStores extends AdministeredStores {
  readonly settings: SettingStore & LockableSettings
  readonly adminAlerts: AdminAlertStore
  readonly imported: ImportedStore
}

/** What another thread of this process joins the database by; null: it opens the database by itself. */
export type StoreLink = EngineLink | null

/** Everything that outlives the process, on whichever engine: the stores that the domain rooms declare. */
export interface Store extends TransactionStores {
  readonly engine: 'sqlite' | 'postgres'
  /** How many connections the database server grants to all that have our role, as far as it says so; null: as many as are wanted. */
  readonly connectionLimit: number | null
  /**
   * Runs `work` with stores whose changes are one transaction: all of them are kept, or none. `work` may run again, so it
   * changes nothing else; it waits for nothing but these stores, and writes by no other.
   */
  together<T>(work: (stores: TransactionStores) => Promise<T>): Promise<T>
  readonly budgets: BudgetStore
  readonly leases: LeaseStore
  readonly settlements: SettlementStore
  readonly retention: RetentionStore
  readonly sealedTexts: SealedTextStore
  readonly usage: UsageStore
  readonly alerts: AlertStore & AdminAlertStore & AlertHistory
  readonly openRequests: OpenRequestStore
  readonly storedResponses: StoredResponseStore
  readonly listedModels: ListedModelStore
  readonly mintedTokens: MintedTokenStore
  readonly nodes: NodeStore
  readonly idempotency: IdempotencyStore
  readonly attemptLimiter: AttemptLimiter
  /** How large it is, and its largest tables; on the embedded database this may take a second. */
  size(): Promise<StoreSize>
  /** What `joinStore` needs in another thread of this process. */
  share(): StoreLink
  /** What is written now is gone when the process ends: the database's files were moved, replaced or deleted. */
  readonly lost: boolean
  /** Resolves when the engine answers; rejects with what it said, within `timeoutMs`. */
  check(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

/** What is stored encrypted. */
export interface SealedTextStore {
  /**
   * Writes every sealed text of the next `limit` upstreams behind `after` (null: the first) as `reseal` gives it, in one
   * transaction. Returns the last of these upstreams, null when there are none left.
   */
  reseal(after: string | null, limit: number, reseal: (text: string) => string): Promise<string | null>
  /** Encrypts anew what captures keep: one request at a time, as each may be large. */
  resealCaptured(reseal: (text: string) => string): Promise<void>
  /** Encrypts anew all settings, which are few. */
  resealSettings(reseal: (name: string, text: string) => string): Promise<void>
  /** How many upstreams there are. */
  count(): Promise<number>
}

export interface SettingStore extends KeptSettings {
  /** Writes it unless it is there; returns what is stored now. */
  writeOnce(name: string, value: string): Promise<string>
}
