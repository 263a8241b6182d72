import type { AccessTokenStore } from '../access/access-token.ts'
import type { AccountStore } from '../access/account.ts'
import type { AnnouncementStore } from '../access/announcement.ts'
import type { AuditStore } from '../access/audit.ts'
import type { CaptureStore } from '../access/capture.ts'
import type { AttemptLimiter } from '../access/attempt-limiter.ts'
import type { GroupStore } from '../access/group.ts'
import type { SignInLinkStore } from '../access/sign-in-link.ts'
import type { SignInRecords } from '../access/sign-in-records.ts'
import type { IdempotencyStore } from '../access/idempotency.ts'
import type { SubscriptionStore } from '../access/subscription.ts'
import type { ImportedStore } from '../import/import-store.ts'
import type { AlertHistory, AlertStore } from '../alerts/alert.ts'
import type { AdminAlertStore } from '../alerts/admin-alert.ts'
import type { RedeemCodeStore } from '../metering/funds/redeem-code.ts'
import type { RetentionStore } from '../metering/usage/retention.ts'
import type { UsageStore } from '../metering/usage/usage-store.ts'
import type { KeyStore } from '../access/key-store.ts'
import type { NodeStore } from '../cluster/nodes.ts'
import type { BudgetStore, LeaseStore } from '../metering/budgets/budget.ts'
import type { LedgerStore } from '../metering/funds/ledger.ts'
import type { OpenRequestStore } from '../metering/usage/open-request.ts'
import type { OrderStore } from '../metering/funds/order.ts'
import type { PlanStore } from '../metering/funds/plan.ts'
import type { SettlementStore } from '../metering/settle/settlement.ts'
import type { CatalogStore } from '../routing/catalog.ts'
import type { ListedModelStore } from '../routing/listed-models.ts'
import type { EngineLink } from './engine/engine.ts'
import type { StoreSize } from './store-size.ts'
import type { StoredResponseStore } from '../routing/stored-responses.ts'

/** What people change, and the audit that says who did. */
export interface ChangeableStores {
  readonly keys: KeyStore
  readonly accounts: AccountStore
  readonly signInRecords: SignInRecords
  readonly signInLinks: SignInLinkStore
  readonly groups: GroupStore
  readonly catalog: CatalogStore
  readonly plans: PlanStore
  readonly subscriptions: SubscriptionStore
  readonly redeemCodes: RedeemCodeStore
  readonly orders: OrderStore
  readonly ledger: LedgerStore
  readonly settings: SettingStore & LockableSettings
  readonly accessTokens: AccessTokenStore
  readonly audit: AuditStore
  readonly adminAlerts: AdminAlertStore
  readonly announcements: AnnouncementStore
  readonly captures: CaptureStore
  readonly imported: ImportedStore
}

/** What another thread of this process joins the database by; null: it opens the database by itself. */
export type StoreLink = EngineLink | null

/** Everything that outlives the process, on whichever engine: the stores that the domain rooms declare. */
export interface Store extends ChangeableStores {
  readonly engine: 'sqlite' | 'postgres'
  /** How many connections the database server grants to all that have our role, as far as it says so; null: as many as are wanted. */
  readonly connectionLimit: number | null
  /**
   * Runs `work` with stores whose changes are one transaction: all of them are kept, or none. `work` may run again, so it
   * changes nothing else; it waits for nothing but these stores, and writes by no other.
   */
  together<T>(work: (stores: ChangeableStores) => Promise<T>): Promise<T>
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

/** Small facts about the installation, as text: which secret it was made with, that it was set up. */
export interface SettingStore {
  read(name: string): Promise<string | null>
  /** Writes it unless it is there; returns what is stored now. */
  writeOnce(name: string, value: string): Promise<string>
  write(name: string, value: string): Promise<void>
}

/** Settings among the stores of one transaction. */
export interface LockableSettings {
  /** Reads it for a change: until the transaction ends, no other reads it this way. `initial`: stored where it is not there. */
  lock(name: string, initial: string): Promise<string>
}
