import type { AccountStore } from '../access/account.ts'
import type { AuditStore } from '../access/audit.ts'
import type { GroupStore } from '../access/group.ts'
import type { KeyStore } from '../access/key-store.ts'
import type { SignInRecords } from '../access/sign-in-records.ts'
import type { SubscriptionStore } from '../access/subscription.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Budget } from '../metering/budgets/budget.ts'
import type { LedgerStore } from '../metering/funds/ledger.ts'
import type { PlanStore } from '../metering/funds/plan.ts'
import type { RedeemCodeStore } from '../metering/funds/redeem-code.ts'
import type { CatalogStore } from '../routing/catalog.ts'

/** What became of one row of another gateway's database. */
export interface ImportedObject {
  /** The id of the row at the source, or the name of what has none. */
  readonly sourceId: string
  readonly objectId: string
  /** What was taken over of it, as far as a later run has to know. */
  readonly state: Readonly<Record<string, unknown>>
}

/** Knows which rows were imported before, and what became of them. */
export interface ImportedStore {
  /** All imported objects by the ids of the source. */
  all(source: string, kind: string): Promise<ReadonlyMap<string, ImportedObject>>
  /** The names of the sources of which something of this kind was imported. */
  sources(kind: string): Promise<readonly string[]>
  /** Adds it, or replaces the one of the same row. */
  put(source: string, kind: string, object: ImportedObject): Promise<void>
  /** Has all running gateways read what they remember again; returns the number of the change that they follow. */
  announce(): Promise<number>
  /** What was used of a budget elsewhere; what was said of it before is replaced. `endsAt`: of a window that has opened. */
  bringUse(
    budget: Budget,
    use: { readonly used: NanoUsd; readonly endsAt: number | null },
    nowMs: number,
  ): Promise<void>
}

/** What an import writes, all of it in the transactions of `together`. */
export interface ImportStores {
  readonly audit: Pick<AuditStore, 'write'>
  readonly accounts: Pick<AccountStore, 'create' | 'findByEmail' | 'findById' | 'edit' | 'passwordHash'>
  readonly catalog: Pick<
    CatalogStore,
    | 'models'
    | 'upstreams'
    | 'addModel'
    | 'editModel'
    | 'addUpstream'
    | 'editUpstream'
    | 'changeCredential'
    | 'credentialStates'
  >
  readonly groups: Pick<GroupStore, 'groups' | 'addGroup' | 'editGroup' | 'keyCounts'>
  readonly imported: ImportedStore
  readonly keys: Pick<KeyStore, 'create' | 'findByHash' | 'findById' | 'edit'>
  readonly ledger: Pick<LedgerStore, 'post'>
  readonly plans: Pick<PlanStore, 'plans' | 'addPlan' | 'editPlan'>
  readonly redeemCodes: Pick<RedeemCodeStore, 'create' | 'delete' | 'find'>
  readonly settings: {
    read(name: string): Promise<string | null>
    write(name: string, value: string): Promise<void>
  }
  readonly signInRecords: Pick<SignInRecords, 'insert' | 'select'>
  readonly subscriptions: Pick<SubscriptionStore, 'open' | 'renew' | 'cancel' | 'find'>
}

export interface ImportTarget {
  together<T>(work: (stores: ImportStores) => Promise<T>): Promise<T>
}
