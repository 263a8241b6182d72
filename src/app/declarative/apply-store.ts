import type { AccountStore } from '../../access/account.ts'
import type { AuditStore } from '../../access/audit.ts'
import type { GroupStore } from '../../access/group.ts'
import type { KeyStore } from '../../access/key-store.ts'
import type { SubscriptionStore } from '../../access/subscription.ts'
import type { LedgerStore } from '../../metering/funds/ledger.ts'
import type { PlanStore } from '../../metering/funds/plan.ts'
import type { CatalogStore } from '../../routing/catalog.ts'
import type { SettingStore } from '../../store/store.ts'

/** All of the database that applying a file reads and writes. */
export interface ApplyStore extends AppliedStores {
  /** Runs `work` with stores whose changes are one transaction. See `Store.together`. */
  together<T>(work: (stores: AppliedStores) => Promise<T>): Promise<T>
}

/** The stores of one transaction. */
export interface AppliedStores {
  readonly audit: Pick<AuditStore, 'write'>
  readonly accounts: Pick<
    AccountStore,
    'findByEmail' | 'findById' | 'create' | 'update' | 'passwordHash' | 'standardLimits' | 'setStandardLimits'
  >
  readonly catalog: Pick<
    CatalogStore,
    'models' | 'upstreams' | 'putModel' | 'putUpstream' | 'credentialStates' | 'changeCredential'
  >
  readonly groups: Pick<GroupStore, 'groups' | 'putGroup'>
  readonly keys: Pick<KeyStore, 'findByHash' | 'findById' | 'countOf' | 'create' | 'update' | 'setStatus'>
  readonly ledger: Pick<LedgerStore, 'post' | 'page'>
  readonly plans: Pick<PlanStore, 'plans' | 'putPlan'>
  readonly settings: SettingStore
  readonly subscriptions: Pick<SubscriptionStore, 'find' | 'live' | 'open'>
}
